package import GlassDeepLinking

/// The input for generating site and app files: the markets with their hosts, schemes, apps and routes.
///
/// ```swift
/// let input = SiteInput(markets: [
///     SiteInput.Market(
///         id: "us", universalHosts: ["www.walmart.com"], schemes: ["walmart"],
///         app: SiteInput.App(teamIdentifier: "US7W4LMART", bundleIdentifier: "com.walmart.us"),
///         routes: [SiteInput.Route(routableID: "cart", pattern: try RoutePattern("cart"))])
/// ])
/// print(try SiteFiles(input).siteAssociation(host: "www.walmart.com"))
/// ```
package struct SiteInput: Sendable, Equatable {
    /// The app that a market's links open.
    package struct App: Sendable, Hashable {
        /// Apple's team identifier, such as `US7W4LMART`; empty if the market has none.
        package var teamIdentifier: String

        /// The bundle identifier; empty if the market has none.
        package var bundleIdentifier: String

        /// The Android package; empty if the market has none.
        package var androidPackage: String

        /// The SHA-256 digests of the Android signing certificates, with or without colons.
        package var certificateDigests: [String]

        /// Creates an app.
        package init(
            teamIdentifier: String = "", bundleIdentifier: String = "", androidPackage: String = "",
            certificateDigests: [String] = []
        ) {
            self.teamIdentifier = teamIdentifier
            self.bundleIdentifier = bundleIdentifier
            self.androidPackage = androidPackage
            self.certificateDigests = certificateDigests
        }
    }

    /// A pattern and the routable that handles it.
    package struct Route: Sendable, Equatable {
        /// The id of the routable.
        package var routableID: String

        /// The pattern.
        package var pattern: RoutePattern

        /// Creates a route.
        package init(routableID: String, pattern: RoutePattern) {
            self.routableID = routableID
            self.pattern = pattern
        }

        /// The path and the query of a link that matches the pattern.
        package var example: String { SiteSample.example(of: pattern)?.suffix ?? "/" }
    }

    /// A market.
    package struct Market: Sendable, Equatable {
        /// The market's id, such as `ca`.
        package var id: String

        /// The https hosts whose links are app links, some of them with a wildcard.
        package var universalHosts: [String]

        /// The custom schemes, without `://`.
        package var schemes: [String]

        /// The schemes of other apps whose links the app may open.
        package var outboundSchemes: [String]

        /// The paths whose https links stay in the browser.
        package var browser: [BrowserPath]

        /// The app that the links open.
        package var app: App

        /// The routes, in declaration order.
        package var routes: [Route]

        /// Creates a market.
        package init(
            id: String, universalHosts: [String], schemes: [String] = [], outboundSchemes: [String] = [],
            browser: [BrowserPath] = [], app: App = App(), routes: [Route] = []
        ) {
            self.id = id
            self.universalHosts = universalHosts
            self.schemes = schemes
            self.outboundSchemes = outboundSchemes
            self.browser = browser
            self.app = app
            self.routes = routes
        }
    }

    /// The markets, in the order in which files list them.
    package var markets: [Market]

    /// Creates an input.
    package init(markets: [Market]) {
        self.markets = markets
    }
}
