package import GlassBase

/// What is wrong with an association file that a site serves, or what a phone makes of it.
package struct ServedFinding: Sendable, Hashable, Error {
    /// How bad it is.
    package enum Severity: String, Sendable {
        /// Links of the market stay in the browser.
        case error
        /// Links open the app, but somebody should look.
        case warning
    }

    /// Which rule found it.
    package enum Code: String, Sendable, CaseIterable {
        /// No answer came.
        case unreachable
        /// There is no file.
        case missing
        /// The server redirects; neither Apple's servers nor Android follow.
        case redirected
        /// The server answers with a status that is no success.
        case status
        /// The file has another content type than its readers expect.
        case contentType
        /// The file is larger than devices read.
        case tooLarge
        /// The file is signed, as iOS 8 wanted it.
        case signed
        /// The file is not JSON.
        case notJSON
        /// A value of the file is not of the form that its readers know.
        case malformed
        /// The file does not name the market's app.
        case missingApp
        /// The file names the app with another team.
        case wrongTeam
        /// The file lacks a signing certificate of the market's app.
        case missingDigest
        /// The file has a signing certificate that the market does not know.
        case foreignDigest
        /// The file names others' files, which are not read here.
        case include
        /// Two sets of dynamic rules for one app; Android reads either.
        case repeatedRules
        /// A route whose links stay in the browser.
        case missedRoute
        /// A route whose links stay in the browser in some spellings.
        case missedSpelling
        /// A route whose links may stay in the browser: how devices read the file's patterns is not known.
        case unknownRoute
        /// The file is at the older place, at the root of the site, which devices look at second.
        case olderPlace
        /// Links that open the app and that no route takes.
        case overclaim
        /// A host that the market does not list, although it lists the one with or without `www.`.
        case unlistedHost
        /// A market without the app that a file is about.
        case noApp
    }

    /// How bad it is.
    package var severity: Severity
    /// The rule.
    package var code: Code
    /// The host.
    package var host: String
    /// The file; nil where it is about the host.
    package var file: ServedFile.Kind?
    /// The place in the file, such as `applinks.details[0].components[3]`; nil for the whole.
    package var key: String?
    /// The market, routable and pattern, of what is about a route.
    package var route: Route?
    /// What is wrong.
    package var message: String
    /// What to do.
    package var hint: String?
    /// Links that show it.
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
