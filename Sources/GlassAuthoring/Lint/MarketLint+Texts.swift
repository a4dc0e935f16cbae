import GlassBase
import GlassMarkets
import GlassSchema

extension MarketLint {
    /// The URLs without encryption. iOS and Android refuse them, and a link or an image from one can be replaced on the
    /// way. Hosts of the machine and of private networks are left out.
    var insecureURLs: [Finding] {
        written.compactMap { written in
            guard let text = written.text, let host = text.hostOfURL(scheme: "http"), !host.isPrivateHost,
                !written.isProse
            else { return nil }
            let meant = "https" + text.dropFirst("http".count)
            return warning(
                .insecureURL, at: written.position, path: written.path,
                "\(text.quotedForMessage) is not encrypted, so iOS and Android refuse to load it",
                hint: "write \"\(meant)\"", correction: .spelling(text, meant: meant, isUnambiguous: false))
        }
    }
}

extension WrittenValue {
    /// Whether the value is a text for readers of the file, in which URLs and examples are not used.
    var isProse: Bool { ["doc", "owner", "reason"].contains(path.lastKey) }
}

extension String {
    /// The host of a URL with a scheme, in lowercase; nil for any other text.
    func hostOfURL(scheme: String) -> String? {
        let prefix = scheme + "://"
        guard utf8.count > prefix.utf8.count, self.prefix(prefix.count).lowercased() == prefix else { return nil }
        let authority = dropFirst(prefix.count).prefix { !"/?#".contains($0) }
        let host = (authority.split(separator: "@").last ?? "").prefix { $0 != ":" }
        return host.isEmpty ? nil : host.lowercased()
    }

    /// The host of an `https` or `http` URL, in lowercase; nil for any other text.
    var hostOfURL: String? { hostOfURL(scheme: "https") ?? hostOfURL(scheme: "http") }

    /// The text with another host; nil if the host is not in it. Capital letters of the host are small ones.
    func replacing(host: String, with other: String) -> String? {
        let (text, lower) = (Array(utf8), Array(lowercased().utf8))
        // Outside ASCII a small letter may have another number of bytes, and no host has such letters.
        guard text.count == lower.count, let range = lower.firstRange(of: Array(host.utf8)) else { return nil }
        return String(
            decoding: text[..<range.lowerBound] + Array(other.utf8) + text[range.upperBound...], as: UTF8.self)
    }

    /// Whether a host is the machine itself, belongs to a private network (RFC 1918, RFC 3927) or has no public name
    /// (RFC 2606, RFC 6762).
    var isPrivateHost: Bool {
        let labels = split(separator: ".", omittingEmptySubsequences: false)
        if labels.count < 2 || hasPrefix("[") { return true }
        if ["example", "internal", "invalid", "lan", "local", "localhost", "test"].contains(labels.last) {
            return true
        }
        let numbers = labels.compactMap { UInt8($0) }
        guard labels.count == 4, numbers.count == 4 else { return false }
        switch (numbers[0], numbers[1]) {
        case (10, _), (127, _), (169, 254), (192, 168), (172, 16...31): return true
        default: return false
        }
    }
}
