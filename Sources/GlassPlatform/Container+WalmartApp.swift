public import GlassContainer

extension Container {
    /// The container of the app: the one that `Container.shared` is here.
    ///
    /// One name for both, so that what the app sets up is also what `@Injected` finds, and a test that binds
    /// `Container.$shared` has an app of its own: `Container.walmartApp.deepLinker.open(link)`.
    public static var walmartApp: Container { shared }

    /// Takes the app's events.
    public var analytics: any Analytics { self.get() }
    /// Sends the app's requests.
    public var networking: any Networking { self.get() }
}
