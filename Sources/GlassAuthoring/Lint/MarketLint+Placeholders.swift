import GlassBase
import GlassMarkets
import GlassSchema

extension MarketLint {
    /// The texts that a template or an author left to be replaced.
    var placeholders: [Finding] {
        written.compactMap { written in
            guard let text = written.text, !written.isProse, !market.origin.decisions.isExample(written.path) else {
                return nil
            }
            if let finding = quotedWord(text, written) { return finding }
            guard let found = Placeholder(in: text) else { return nil }
            return warning(
                .placeholderText, at: written.position, path: written.path, found.message,
                hint: "write this market's own value")
        }
    }

    /// A text that is a word for "no value" in quotes. A name of the market's own, as in its flags, may be one.
    private func quotedWord(_ text: String, _ written: WrittenValue) -> Finding? {
        guard ["unset", "nil", "null"].contains(text), written.path.elements.first != .key("flags") else { return nil }
        if case .choice? = schema.type(at: written.path) { return nil }
        var (hint, correction): (String, Correction?) = ("remove the key: only an inherited value can be unset", nil)
        if written.path.lastKey == nil {
            hint = "remove it from the list"
        } else if schema.key(at: written.path)?.isRequired == true {
            hint = "write this market's own value"
        } else if market.origin.baseLayers.contains(where: { $0.node(at: written.path) != nil }) {
            (hint, correction) = ("write unset without quotes", .rewrite("unset", isUnambiguous: false))
        }
        return warning(
            .placeholderText, at: written.position, path: written.path, subject: text,
            "\(text.quotedForMessage) in quotes is an ordinary string, and does not remove the value", hint: hint,
            correction: correction)
    }
}

/// A text that stands for another one.
struct Placeholder {
    /// What it is.
    let message: String

    /// Nil for a text that may be meant.
    init?(in text: String) {
        guard text.utf8.count <= 4096 else { return nil }
        if let host = Self.host(in: text) {
            message = "\(host) is a host for documentation (RFC 2606)"
        } else if Self.isDigest(text) {
            message = "\(text.prefix(11))… is not the digest of a certificate"
        } else if let word = Self.word(in: text) {
            message = "\(word.quotedForMessage) is a placeholder"
        } else {
            return nil
        }
    }

    private static let hosts = ["example.com", "example.net", "example.org"]

    /// A host of documentation in a URL or in a text that is a host. Not the id of an app such as
    /// `com.example.shop`.
    private static func host(in text: String) -> String? {
        guard text.contains("example.") else { return nil }
        let host =
            text.hostOfURL
            ?? (text.contains("@") ? text.split(separator: "@").last.map(String.init) : nil)
            ?? String(text.drop { $0 == "*" || $0 == "." })
        return isDocumentation(host: host) ? host : nil
    }

    /// Whether a host is for documentation (RFC 2606).
    static func isDocumentation(host: String) -> Bool {
        hosts.contains { host == $0 || host.hasSuffix(".\($0)") }
    }

    /// Whether a text is a digest whose bytes are all the same.
    private static func isDigest(_ text: String) -> Bool {
        let pairs = text.split(separator: ":", omittingEmptySubsequences: false)
        return pairs.count >= 16 && pairs.allSatisfy { $0.count == 2 && $0 == pairs[0] }
    }

    /// A word that nobody means.
    private static func word(in text: String) -> String? {
        let words = text.split { !($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
        for word in words {
            let lower = word.lowercased().replacing("_", with: "-")
            if ["changeme", "change-me", "replaceme", "replace-me", "fixme"].contains(lower) { return String(word) }
            if lower.hasPrefix("your-"), lower.hasSuffix("-here") { return String(word) }
            if word.count >= 3, word.allSatisfy({ $0 == "x" }) { return String(word) }
            if word.count >= 6, word.allSatisfy({ $0 == "X" }) { return String(word) }
        }
        // In Spanish, `todo` and `TODO` are words. A note says what is to do, and an identifier has no such part.
        let isNote = text == "TODO" || text.hasPrefix("TODO:") || text.hasPrefix("TODO(")
        let isPart = text.utf8.allSatisfy { (0x21...0x7E).contains($0) } && words.count > 1 && words.contains("TODO")
        return isNote || isPart ? "TODO" : nil
    }
}
