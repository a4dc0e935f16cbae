public import GlassContainer

// Apps declare these names themselves, as the shared container's decision records print them. They are disfavored, so
// that the app's own are used, even if they are in another module of the app.
extension Container {
    /// The container of the app, which is the current `Container.shared`.
    ///
    /// Because both names refer to the same container, `@Injected` finds everything that the app sets up, and a test
    /// that binds `Container.$shared` has its own app: `Container.walmartApp.deepLinker.open(link)`.
    @_disfavoredOverload
    public static var walmartApp: Container { shared }

    /// The service that receives the app's events.
    @_disfavoredOverload
    public var analytics: any Analytics { self.get() }
    /// The service that sends the app's requests.
    @_disfavoredOverload
    public var networking: any Networking { self.get() }
}
