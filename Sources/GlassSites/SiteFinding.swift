/// A finding about the generated files: something that works but that the owner should know about.
package struct SiteFinding: Sendable, Hashable, CustomStringConvertible {
    /// The kind of finding.
    package enum Code: String, Sendable, CaseIterable {
        /// A site association file exceeds the size that devices read.
        case oversize
        /// A host is linked to two apps: if both are installed, the system chooses one.
        case sharedHost
        /// One app opens a host's links for two markets with different routes.
        case differentRoutes
        /// A filter claims every path of its hosts below API 31.
        case wholeHostBelowAPI31
        /// A filter does not claim the links of some routes below API 31.
        case fewerRoutesBelowAPI31
        /// A filter claims paths that the market keeps in the browser.
        case browserPathsInFilter
        /// A market has no https host, only custom schemes.
        case noUniversalHost
        /// An app queries more schemes than iOS 15 and later consider.
        case manyQueriedSchemes
    }

    /// A file that is generated from the routes.
    package enum File: Sendable, CaseIterable {
        case siteAssociation, assetLinks, intentFilters, infoPlist, entitlements, supportedLinks
    }

    /// Whether the finding is about the contents of a file.
    package func concerns(_ file: File, host: String?) -> Bool {
        switch (file, code) {
        case (.supportedLinks, _): true
        case (.infoPlist, _): code == .manyQueriedSchemes
        case (_, .noUniversalHost): true
        case (.siteAssociation, .oversize), (.siteAssociation, .sharedHost), (.siteAssociation, .differentRoutes):
            host == nil || host == subject
        case (.entitlements, .sharedHost), (.entitlements, .differentRoutes): true
        case (.intentFilters, .wholeHostBelowAPI31), (.intentFilters, .fewerRoutesBelowAPI31),
            (.intentFilters, .browserPathsInFilter):
            true
        default: false
        }
    }

    /// The kind.
    package let code: Code

    /// The hosts, market or package that the finding is about.
    package let subject: String

    /// A description of the finding and its fix.
    package let message: String

    /// The subject and the message.
    package var description: String { "\(subject): \(message)" }
}
