/// Something about the files that works but that their owner should know.
package struct SiteFinding: Sendable, Hashable, CustomStringConvertible {
    /// What kind of thing it is.
    package enum Code: String, Sendable, CaseIterable {
        /// A site association file that is larger than devices read.
        case oversize
        /// A host that links two apps: with both installed, the system chooses.
        case sharedHost
        /// A host whose links one app takes for two markets with different routes.
        case differentRoutes
        /// A filter that claims every path of its hosts below API 31.
        case wholeHostBelowAPI31
        /// A filter that claims nothing, below API 31, for some of the routes.
        case fewerRoutesBelowAPI31
        /// A market without an https host: it has custom schemes only.
        case noUniversalHost
        /// An app that asks about more schemes than iOS 15 and later look at.
        case manyQueriedSchemes
    }

    /// A file that goes with the routes.
    package enum File: Sendable, CaseIterable {
        case siteAssociation, assetLinks, intentFilters, infoPlist, entitlements, supportedLinks
    }

    /// Whether it is about what a file says.
    package func concerns(_ file: File, host: String?) -> Bool {
        switch (file, code) {
        case (.supportedLinks, _): true
        case (.infoPlist, _): code == .manyQueriedSchemes
        case (_, .noUniversalHost): true
        case (.siteAssociation, .oversize), (.siteAssociation, .sharedHost), (.siteAssociation, .differentRoutes):
            host == nil || host == subject
        case (.entitlements, .sharedHost), (.entitlements, .differentRoutes): true
        case (.intentFilters, .wholeHostBelowAPI31), (.intentFilters, .fewerRoutesBelowAPI31): true
        default: false
        }
    }

    /// The kind.
    package let code: Code

    /// The hosts, market or package that it concerns.
    package let subject: String

    /// What it is and what to do about it.
    package let message: String

    /// The subject and the message.
    package var description: String { "\(subject): \(message)" }
}
