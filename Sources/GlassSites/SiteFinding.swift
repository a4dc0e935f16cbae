package import GlassBase
package import GlassSchema

/// A finding about the files that tell systems which links an app opens: those that are generated, and those that a site
/// serves.
///
/// Separate from `Finding`, because it refers to a host and a served file, not to a key in a market file.
package struct SiteFinding: Sendable, Hashable, Error, CustomStringConvertible {
    /// The rule that produced a finding.
    package enum Code: String, Sendable, CaseIterable {
        // Generated files: they work, but their owner should know about these.

        case oversize
        case sharedHost
        case differentRoutes
        case wholeHostBelowAPI31
        case fewerRoutesBelowAPI31
        case browserPathsInFilter
        case noUniversalHost
        case manyQueriedSchemes

        // Served files. An error if links of the market stay in the browser.

        case unreachable
        case missing
        case redirected
        case status
        case contentType
        case tooLarge
        case signed
        case notJSON
        case malformed
        case missingApp
        case wrongTeam
        case missingDigest
        case foreignDigest
        case include
        case repeatedRules
        case missedRoute
        case missedSpelling
        case unknownRoute
        case olderPlace
        case overclaim
        case keptInBrowser
        case unlistedHost
        case noApp
    }

    /// A route of a market.
    package struct Route: Sendable, Hashable {
        /// The market.
        package let market: String
        /// The routable.
        package let routable: String
        /// The pattern as written.
        package let pattern: String
    }

    /// The severity.
    package var severity: Finding.Severity
    /// The rule.
    package var code: Code
    /// The host; for generated files also hosts, a market, or a package.
    package var subject: String
    /// The served file; nil if the finding is not about one.
    package var file: ServedFile.Kind?
    /// The path in the file, such as `applinks.details[0].components[3]`; nil for the whole file.
    package var key: String?
    /// The route, if the finding is about one.
    package var route: Route?
    /// The message.
    package var message: String
    /// The hint.
    package var hint: String?
    /// Links that demonstrate the problem.
    package var links: [String]

    init(
        _ code: Code, _ severity: Finding.Severity = .error, of subject: String, file: ServedFile.Kind? = nil,
        key: String? = nil, route: Route? = nil, links: [String] = [], _ message: String, hint: String? = nil
    ) {
        self.severity = severity
        self.code = code
        self.subject = subject
        self.file = file
        self.key = key
        self.route = route
        self.message = message
        self.hint = hint
        self.links = links
    }

    /// The subject and the message.
    package var description: String { "\(subject): \(message)" }

    /// The finding on one line, without its hint. Ends with the name of the rule.
    package var headline: DisplayText {
        let place: DisplayText = file.map { "\(subject)/\($0.rawValue): " } ?? "\(subject): "
        let word: DisplayText = "\(severity.rawValue): "
        let inFile: DisplayText = key.map { "\($0): " } ?? ""
        return "\(place)\(word, severity == .error ? .red : .yellow)\(inFile)\(message)\(" [\(code.rawValue)]", .dim)"
    }
}

extension SiteFinding {
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
}

extension SiteFinding.Code {
    /// What the rule reports, for reports that describe their rules.
    package var summary: String {
        switch self {
        case .oversize: "A site association file that is larger than devices read"
        case .sharedHost: "A host that is linked to two apps"
        case .differentRoutes: "Markets that share a host and an app, but not their routes"
        case .wholeHostBelowAPI31: "A filter that claims every path of its hosts below API level 31"
        case .fewerRoutesBelowAPI31: "A filter that does not claim some links below API level 31"
        case .browserPathsInFilter: "A filter that claims paths that the market keeps in the browser"
        case .noUniversalHost: "A market without a host for universal links"
        case .manyQueriedSchemes: "An app that queries more schemes than iOS considers"
        case .unreachable: "A server that does not respond"
        case .missing: "A file that does not exist"
        case .redirected: "A redirect, which neither system follows"
        case .status: "A server that returns an error status"
        case .contentType: "A file with an unexpected content type"
        case .tooLarge: "A file that is larger than devices read"
        case .signed: "A signed file"
        case .notJSON: "A file that is not JSON"
        case .malformed: "A value that is not in a supported format"
        case .missingApp: "A file that does not name the app of the market"
        case .wrongTeam: "A file that names the app with another team"
        case .missingDigest: "A file without a signing certificate of the app"
        case .foreignDigest: "A file with a certificate that the market does not list"
        case .include: "A file that includes others, which are not read"
        case .repeatedRules: "Several sets of dynamic rules for one app"
        case .missedRoute: "A route whose links stay in the browser"
        case .missedSpelling: "A route whose links stay in the browser in some spellings"
        case .unknownRoute: "A route whose links may stay in the browser"
        case .olderPlace: "A file at the path that devices try second"
        case .overclaim: "Links that open the app although no route matches them"
        case .keptInBrowser: "Links that open the app although the market keeps them in the browser"
        case .unlistedHost: "A host that the market lists only with or without www"
        case .noApp: "A market without the app of the file"
        }
    }
}
