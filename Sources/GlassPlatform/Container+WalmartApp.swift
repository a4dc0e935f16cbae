public import GlassContainer

extension Container {
    /// The container of the app: the one that `Container.shared` is here.
    ///
    /// One name for both, so that what the app sets up is also what `@Injected` finds, and a test that binds
    /// `Container.$shared` has an app of its own. Its conveniences are ``deepLinker`` and those below.
    public static var walmartApp: Container { shared }
}
