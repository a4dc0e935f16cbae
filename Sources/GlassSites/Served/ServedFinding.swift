package import GlassBase

/// A problem of an association file that a site serves, or of its effect on devices.
package struct ServedFinding: Sendable, Hashable, Error {
    /// The severity of a finding.
    package enum Severity: String, Sendable {
        /// Links of the market stay in the browser.
        case error
        /// Links open the app, but the finding should be reviewed.
        case warning
    }

    /// The rule that produced a finding.
    package enum Code: String, Sendable, CaseIterable {
        /// The server did not respond.
        case unreachable
        /// The file does not exist.
        case missing
        /// The server redirects, which neither Apple's servers nor Android follow.
        case redirected
        /// The server returns an error status.
        case status
        /// The file has an unexpected content type.
        case contentType
        /// The file exceeds the size that devices read.
        case tooLarge
        /// The file is signed, as iOS 8 required.
        case signed
        /// The file is not JSON.
        case notJSON
        /// A value in the file is not in a supported format.
        case malformed
        /// The file does not name the market's app.
        case missingApp
        /// The file names the app with another team.
        case wrongTeam
        /// The file lacks a signing certificate of the market's app.
        case missingDigest
        /// The file has a signing certificate that the market does not list.
        case foreignDigest
        /// The file includes other files, which are not read.
        case include
        /// There are several sets of dynamic rules for one app; Android may read any of them.
        case repeatedRules
        /// A route has links that stay in the browser.
        case missedRoute
        /// A route has links that stay in the browser in some spellings.
        case missedSpelling
        /// A route has links that may stay in the browser, because it is unknown how devices interpret the file's
        /// patterns.
        case unknownRoute
        /// The file is at the older path in the root of the site, which devices try second.
        case olderPlace
        /// Some links open the app although no route matches them.
        case overclaim
        /// Links that the market keeps in the browser open the app.
        case keptInBrowser
        /// The market lists a host only with or only without `www.`.
        case unlistedHost
        /// The market lacks the app for the file.
        case noApp
    }

    /// The severity.
    package var severity: Severity
    /// The rule.
    package var code: Code
    /// The host.
    package var host: String
    /// The file; nil if the finding is about the host.
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

    /// A route of a market.
    package struct Route: Sendable, Hashable {
        /// The market.
        package let market: String
        /// The routable.
        package let routable: String
        /// The pattern as written.
        package let pattern: String
    }

    init(
        _ code: Code, _ severity: Severity = .error, host: String, file: ServedFile.Kind? = nil, key: String? = nil,
        route: Route? = nil, links: [String] = [], _ message: String, hint: String? = nil
    ) {
        self.severity = severity
        self.code = code
        self.host = host
        self.file = file
        self.key = key
        self.route = route
        self.message = message
        self.hint = hint
        self.links = links
    }

    /// The finding on one line, without its hint.
    package var headline: DisplayText {
        let place: DisplayText = file.map { "\(host)/\($0.rawValue): " } ?? "\(host): "
        let word: DisplayText = "\(severity.rawValue): "
        let inFile: DisplayText = key.map { "\($0): " } ?? ""
        return "\(place)\(word, severity == .error ? .red : .yellow)\(inFile)\(message)"
    }
}
