public import GlassContainer

extension Container {
    /// The container of the app, which is the current `Container.shared`.
    ///
    /// Because both names refer to the same container, `@Injected` finds everything that the app sets up, and a test
    /// that binds `Container.$shared` has its own app: `Container.walmartApp.deepLinker.open(link)`.
    public static var walmartApp: Container { shared }

    /// The service that receives the app's events.
    public var analytics: any Analytics { self.get() }
    /// The service that sends the app's requests.
    public var networking: any Networking { self.get() }
}
