package import GlassSchema

extension DeepLinker {
    /// The methods for scripts. Links are opened through the market, which binds its container.
    package var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("canRoute", ["url"], "Whether a route matches the link.") { arguments in
                .boolean(self.canRoute(deepLink: try arguments.string(0, "url")))
            },
            ScriptMethod("schemes", [], "The custom schemes.") { _ in .list(self.urlSchemes.map { .string($0) }) },
            ScriptMethod("universalLinks", [], "The https hosts whose links are app links.") { _ in
                .list(self.universalLinks.map { .string($0) })
            },
            ScriptMethod("allowedDomains", [], "The domains that may open outside the app.") { _ in
                .list(self.allowedDomains.map { .string($0.name) })
            },
            ScriptMethod("debugInfo", [], "Schemes, routes, preconditions and waiting links as text.") { _ in
                .string(self.debugInfo)
            },
        ]
    }
}
