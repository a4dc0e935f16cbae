/// A format that a string can be required to have.
public struct StringFormat: Sendable {
    /// The format's name in generated schemas.
    package let name: String
    /// The accepted strings, with an article, for messages that begin with "expected".
    package let expectation: String
    /// The format as an ECMA-262 regular expression, for generated schemas; nil if no expression is equivalent to
    /// ``matches``.
    ///
    /// Built on each access, because one that lists all languages takes longer to build than most markets take to
    /// check.
    package var pattern: String? { makePattern?() }
    private let makePattern: (@Sendable () -> String)?
    /// Whether a string has the format.
    package let matches: @Sendable (String) -> Bool
    /// What a string with the format names; nil if it is no name.
    package internal(set) var referent: Referent?
    /// Returns the problem of a string and its byte, for a format with its own syntax.
    let problem: (@Sendable (String) -> Problem?)?

    /// The text in this format that a text in another spelling means, such as `fr-CA` for `fr_CA`; nil if it may mean
    /// several, or none.
    package func respelled(_ text: String) -> String? {
        guard case .spelling(text, let meant, isUnambiguous: true)? = problem?(text)?.advice.correction, matches(meant)
        else { return nil }
        return meant
    }

    /// A problem in a string.
    struct Problem {
        /// The offset in bytes; nil if the whole string is wrong.
        let offset: Int?
        /// The problem; nil if the string just has another format than the expected one.
        let message: String?
        /// The suggested solution.
        let advice: Advice
    }

    /// Creates a format.
    ///
    /// - Parameters:
    ///   - name: Its name in generated schemas.
    ///   - expectation: The accepted strings, with an article.
    ///   - pattern: The format as an ECMA-262 regular expression, if one is equivalent to `matches`.
    ///   - matches: Whether a string has the format.
    public init(
        name: String, expectation: String, pattern: String? = nil, matches: @escaping @Sendable (String) -> Bool
    ) {
        self.name = name
        self.expectation = expectation
        if let pattern { makePattern = { pattern } } else { makePattern = nil }
        self.matches = matches
        problem = nil
    }

    /// Creates a format that can describe the problem of a string.
    private init(name: String, expectation: String, problem: @escaping @Sendable (String) -> Problem?) {
        self.name = name
        self.expectation = expectation
        makePattern = nil
        matches = { problem($0) == nil }
        self.problem = problem
    }

    /// Creates a format that suggests what to write instead of a string that has another form.
    ///
    /// - Parameters:
    ///   - name: Its name in generated schemas.
    ///   - expectation: The accepted strings, with an article.
    ///   - pattern: The format as an ECMA-262 regular expression, if one is equivalent to `matches`.
    ///   - matches: Whether a string has the format.
    ///   - meant: Returns the string that one without the format probably stands for; nil if that is unknown.
    package init(
        name: String, expectation: String, pattern: String? = nil, matches: @escaping @Sendable (String) -> Bool,
        meant: @escaping @Sendable (String) -> String?
    ) {
        self.name = name
        self.expectation = expectation
        if let pattern { makePattern = { pattern } } else { makePattern = nil }
        self.matches = matches
        problem = { text in
            guard text.utf8.count <= Self.maximumCorrectedLength, let meant = meant(text), meant != text, matches(meant)
            else { return nil }
            return Problem(offset: nil, message: nil, advice: .write(meant, for: text))
        }
    }

    /// The length up to which a string is worth a suggestion, in bytes.
    static let maximumCorrectedLength = 2_000

    /// A valid string, for examples: the one in the format's expectation, or one that many formats accept. If none of
    /// them is valid, the check of the example says what is expected.
    package var example: String {
        let named = expectation.split(separator: "\"").dropFirst().first.map(String.init)
        let known: [String?] = [
            exampleOfReferent, named, "example", "example.com", "https://example.com", "/", "0", "US", "USD",
            "ABCDE12345",
            Array(repeating: "00", count: 32).joined(separator: ":"),
        ]
        return known.compactMap(\.self).first { matches($0) } ?? "example"
    }

    /// Any string, including an empty one.
    public static let any = StringFormat(name: "any", expectation: "a string") { _ in true }

    /// A string that is not empty.
    public static let nonEmpty = StringFormat(
        name: "nonEmpty", expectation: "a non-empty string", pattern: #"^[\s\S]+$"#
    ) { !$0.isEmpty }

    /// Creates a format with a list of strings.
    init(
        name: String, expectation: String, pattern: @autoclosure @escaping @Sendable () -> String,
        matches: @escaping @Sendable (String) -> Bool, problem: @escaping @Sendable (String) -> Problem?
    ) {
        self.name = name
        self.expectation = expectation
        makePattern = pattern
        self.matches = matches
        self.problem = problem
    }

    /// An identifier: a letter, then letters, digits and underscores.
    public static let identifier = StringFormat(
        name: "identifier", expectation: "a name of letters and digits that starts with a letter",
        pattern: #"^[A-Za-z][A-Za-z0-9_]*$"#
    ) { text in
        guard let first = text.utf8.first, first.isLetter else { return false }
        return text.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }
    }

    /// A name of a flag or a rule, such as `newCheckout` or `checkout.new-flow`, as vendors allow them.
    package static let flag = StringFormat(
        name: "flag",
        expectation: "a name of at most 64 letters, digits, dots, hyphens, and underscores that starts with a letter",
        pattern: #"^[A-Za-z][A-Za-z0-9._-]{0,63}$"#
    ) { text in
        guard let first = text.utf8.first, first.isLetter, text.utf8.count <= Bucketing.maximumSaltLength else {
            return false
        }
        return text.utf8.allSatisfy { $0.isLetter || $0.isDigit || ".-_".utf8.contains($0) }
    }

    /// The id of a market: lowercase letters, digits and hyphens, starting with a letter.
    package static let marketID = StringFormat(
        name: "marketID", expectation: "an id of lowercase letters, digits, and hyphens, such as \"ca\"",
        pattern: #"^[a-z][a-z0-9-]*$"#
    ) { text in
        guard let first = text.utf8.first, first.isLowercaseLetter else { return false }
        return text.utf8.allSatisfy { $0.isLowercaseLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
    }

    /// A host name: labels of letters, digits and inner hyphens (RFC 1123 §2.1), at least two of them, in lowercase.
    public static let host = StringFormat(
        name: "host", expectation: "a lowercase host name without scheme or path, such as \"www.walmart.ca\"",
        pattern: hostPattern(), matches: isHost
    ) { text in
        HostSpelling(text)?.problem(with: text) { "write each host in full, such as \"\($0)\" or \"www.\($0)\"" }
    }

    /// A host name, or the wildcard for all hosts below one: `*.walmart.ca`.
    package static let universalHost = StringFormat(
        name: "universalHost", expectation: host.expectation, pattern: hostPattern(after: #"(\*\.)?"#),
        matches: { text in
            text.utf8.count <= 253 && isHost(text.hasPrefix("*.") ? String(text.dropFirst("*.".count)) : text)
        }
    ) { text in
        HostSpelling(text)?.problemOfUniversalHost(text)
    }

    /// The name of a domain, whose subdomains another key includes: a host name.
    package static let domain = StringFormat(
        name: host.name, expectation: host.expectation, pattern: hostPattern(), matches: isHost
    ) { text in
        HostSpelling(text)?.problem(with: text) { "write \"\($0)\", and allowSubdomains = true for its subdomains" }
    }

    private static func hostPattern(after prefix: String = "") -> String {
        let label = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
        return #"^(?=[\s\S]{1,253}$)\#(prefix)(\#(label))(\.\#(label))+$"#
    }

    /// An https URL with a host and, if any, a path; no user, query or fragment.
    ///
    /// For development, `http://127.0.0.1` and `http://localhost` are accepted too, because requests to them do not
    /// leave the machine.
    public static let httpsURL = StringFormat(
        name: "httpsURL", expectation: "an https URL without query, such as \"https://api.walmart.ca/v1\"",
        matches: isHTTPSURL
    ) { text in
        let text = text.trimmingWhitespace
        let rest = text.firstRange(of: "://").map { text[$0.upperBound...] } ?? text[...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let path = rest.dropFirst(authority.count).prefix { $0 != "?" && $0 != "#" }
        return "https://\(authority.lowercased())\(path)"
    }

    /// A version of one to four numbers separated by dots.
    public static let version = StringFormat(
        name: "version", expectation: "a version of numbers and dots, such as \"24.3.0\"",
        pattern: #"^[0-9]+(\.[0-9]+){0,3}$"#,
        matches: { text in
            let parts = Array(text.utf8).split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            return (1...4).contains(parts.count) && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isDigit) }
        }
    ) { text in
        String(text.trimmingWhitespace.drop { $0 == "v" || $0 == "V" })
    }

    /// A reverse-domain identifier: at least two labels of letters, digits and hyphens.
    package static let bundleIdentifier = StringFormat(
        name: "bundleIdentifier", expectation: "a reverse-domain identifier, such as \"com.walmart.canada\"",
        pattern: #"^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)+$"#
    ) { text in
        let parts = Array(text.utf8).split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count >= 2
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.allSatisfy {
                        $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
                    }
            }
    }

    /// An Apple team id: ten capital letters or digits.
    package static let teamIdentifier = StringFormat(
        name: "teamIdentifier", expectation: "a team id of ten capital letters and digits", pattern: #"^[A-Z0-9]{10}$"#,
        matches: { text in
            text.utf8.count == 10 && text.utf8.allSatisfy { $0.isDigit || ($0.isLetter && !$0.isLowercaseLetter) }
        }
    ) {
        $0.trimmingWhitespace.uppercased()
    }

    /// Digits only.
    public static let digits = StringFormat(
        name: "digits", expectation: "a string of digits", pattern: #"^[0-9]+$"#,
        matches: { !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }
    ) { text in
        // "id338137227", or the end of the App Store's URL.
        let numbers = text.utf8.split { !$0.isDigit }
        return numbers.count == 1 ? numbers.first.map { String(decoding: $0, as: UTF8.self) } : nil
    }

    /// A SHA-256 digest as Android prints it: 32 pairs of capital hex digits with colons.
    package static let sha256Fingerprint = StringFormat(
        name: "sha256Fingerprint", expectation: "a SHA-256 fingerprint of 32 pairs of capital hex digits with colons",
        pattern: #"^[0-9A-F]{2}(:[0-9A-F]{2}){31}$"#,
        matches: { text in
            let parts = Array(text.utf8).split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            return parts.count == 32
                && parts.allSatisfy { part in
                    part.count == 2
                        && part.allSatisfy { $0.isDigit || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0) }
                }
        }
    ) { text in
        // Tools print digests in lowercase, without colons, or behind "SHA256:".
        let capitals = text.uppercased()
        let digest = capitals.firstRange(of: "SHA256:").map { capitals[$0.upperBound...] } ?? capitals[...]
        let digits = Array(digest.utf8.filter { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: " ") })
        guard digits.count == 64 else { return nil }
        return stride(from: 0, to: 64, by: 2).map { String(decoding: digits[$0..<$0 + 2], as: UTF8.self) }
            .joined(separator: ":")
    }

    /// The name of an HTTP header: a token of RFC 9110 §5.6.2.
    public static let headerName = StringFormat(
        name: "headerName", expectation: "a header name, such as \"X-Client\"",
        pattern: #"^[A-Za-z0-9!#$%&'*+.^_`|~-]+$"#,
        matches: { text in
            !text.isEmpty
                && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "!#$%&'*+-.^_`|~".utf8.contains($0) }
        }
    ) { text in
        let name = text.trimmingWhitespace
        return (name.hasSuffix(":") ? String(name.dropLast()) : name).replacing(" ", with: "-")
    }

    /// The value of an HTTP header: printable ASCII without line breaks.
    public static let headerValue = StringFormat(
        name: "headerValue", expectation: "a printable ASCII string without line breaks", pattern: #"^[ -~]+$"#
    ) { text in
        !text.isEmpty && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }

    /// A ``TextPattern``.
    package static let textPattern = StringFormat(
        name: "textPattern", expectation: "a pattern of characters, classes, groups, and counts, such as \"[0-9]{5}\""
    ) { text in
        do throws(TextPatternError) {
            _ = try TextPattern(text)
            return nil
        } catch {
            return Problem(
                offset: error.offset, message: "pattern \(text.quotedForMessage): \(error.message)",
                advice: withoutAnchors(text).map { meant in
                    Advice(
                        "write \(meant.luaLiteral)", .spelling(text, meant: meant, isUnambiguous: !text.contains("|")))
                } ?? Advice(error.hint))
        }
    }

    /// The pattern without `^` at its start and `$` at its end; nil if it has neither, or is not a pattern then.
    private static func withoutAnchors(_ text: String) -> String? {
        var meant = Substring(text)
        if meant.first == "^" { meant.removeFirst() }
        if meant.last == "$", !meant.dropLast().hasSuffix("\\") { meant.removeLast() }
        guard meant.utf8.count < text.utf8.count, !meant.isEmpty else { return nil }
        do throws(TextPatternError) {
            _ = try TextPattern(String(meant))
            return String(meant)
        } catch {
            return nil
        }
    }

    /// An absolute path of a cookie or URL: starts with a slash.
    package static let absolutePath = StringFormat(
        name: "absolutePath", expectation: "a path that starts with \"/\"", pattern: #"^/[!-~]*$"#,
        matches: { text in text.hasPrefix("/") && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } }
    ) {
        "/\($0.trimmingWhitespace.drop { $0 == "/" })"
    }

    @Sendable
    private static func isHTTPSURL(_ text: String) -> Bool {
        let isSecure = text.hasPrefix("https://")
        guard isSecure || text.hasPrefix("http://") else { return false }
        let rest = text.dropFirst(isSecure ? "https://".count : "http://".count)
        let authority = rest.prefix { $0 != "/" }
        let path = rest.dropFirst(authority.count)
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let host = parts.first, isHost(String(host)) || host == "localhost" else {
            return false
        }
        guard isSecure || host == "127.0.0.1" || host == "localhost" else { return false }
        if parts.count == 2 {
            guard let port = Int(parts[1]), (1...65535).contains(port) else { return false }
        }
        return path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    }

    @Sendable
    static func isHost(_ text: String) -> Bool {
        let labels = Array(text.utf8).split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return text.utf8.count <= 253 && labels.count >= 2
            && labels.allSatisfy { label in
                (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
                    && label.allSatisfy { $0.isLowercaseLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
            }
    }
}

extension String {
    /// The text without white space at its ends.
    package var trimmingWhitespace: String {
        let start = drop(while: \.isWhitespace)
        return String(
            start.prefix(upTo: start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.endIndex))
    }
}

extension UInt8 {
    var isLowercaseLetter: Bool { (0x61...0x7A).contains(self) }
    var isLetter: Bool { isLowercaseLetter || (0x41...0x5A).contains(self) }
    var isDigit: Bool { (0x30...0x39).contains(self) }
}

extension StringFormat {
    /// A calendar date, in the format of ISO 8601.
    public static let date = StringFormat(
        name: "date", expectation: "a date such as \"2027-01-31\""
    ) { text in
        if text.utf8.count == 10, ContextLocalDate(text) != nil { return nil }
        return Problem(
            offset: nil, message: nil, advice: Advice(text.isDayOnly ? DateText.hint(for: text) : nil))
    }
}

extension String {
    /// Whether the text can be a day in another order or one that its month lacks, without a time.
    fileprivate var isDayOnly: Bool {
        utf8.count <= 10 && contains { $0 == "." || $0 == "-" || $0 == "/" }
    }
}
