/// The host that a text in another form names: a URL, a name in capitals or with spaces, or one with a wildcard.
package struct HostSpelling {
    /// The host, which has the format of ``StringFormat/host``.
    package let host: String
    /// Whether the text names the subdomains of the host: `*.walmart.ca`.
    package let hasWildcard: Bool
    /// Whether a space within the text was taken for a dot, so that the host is only a guess.
    private let isGuess: Bool

    /// Reads a text; returns nil if it names no host, or is one.
    package init?(_ text: String) {
        guard text.utf8.count <= StringFormat.maximumCorrectedLength else { return nil }
        // Spaces are left out next to a dot or a slash; one between two names stands for a dot.
        let words = text.split(whereSeparator: \.isWhitespace)
        var text = ""
        var isGuess = false
        for word in words {
            let isJoined = text.last.map { ".:/".contains($0) } ?? true || word.first.map { ".:/".contains($0) } ?? true
            if !isJoined { (text, isGuess) = (text + ".", true) }
            text += word
        }
        self.isGuess = isGuess
        var rest = text.firstRange(of: "://").map { text[$0.upperBound...] } ?? text[...]
        rest = rest.prefix { !"/?#:".contains($0) }
        hasWildcard = rest.hasPrefix("*.")
        host = rest.drop { $0 == "*" || $0 == "." }.lowercased()
        guard StringFormat.isHost(host) else { return nil }
    }

    /// The problem with a text that names the host in another form.
    ///
    /// - Parameter wildcardHint: The hint for a text that names all subdomains of a host.
    func problem(with text: String, wildcardHint: (_ host: String) -> String) -> StringFormat.Problem {
        let advice =
            hasWildcard
            ? Advice(wildcardHint(host), .spelling(text, meant: host, isUnambiguous: false)) : advice(for: text)
        return StringFormat.Problem(offset: nil, message: nil, advice: advice)
    }

    /// The problem with a text that names a universal host in another form, where a wildcard is allowed.
    func problemOfUniversalHost(_ text: String) -> StringFormat.Problem {
        var advice = advice(for: text)
        if hasWildcard {
            advice = Advice("write \"*.\(host)\"", .spelling(text, meant: "*.\(host)", isUnambiguous: !isGuess))
        } else if text.utf8.contains(UInt8(ascii: "*")) {
            advice = Advice(
                "write \"*.\(host)\" for all its subdomains, or \"\(host)\"",
                .spelling(text, meant: "*.\(host)", isUnambiguous: false))
        }
        return StringFormat.Problem(offset: nil, message: nil, advice: advice)
    }

    /// The advice to write the host instead of a text.
    func advice(for text: String) -> Advice {
        Advice("write \"\(host)\"", .spelling(text, meant: host, isUnambiguous: !isGuess))
    }
}
