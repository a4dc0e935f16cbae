import GlassBase
import GlassMarkets
package import GlassSchema

extension MarketLint {
    /// The texts that look like credentials. No message and no source line shows the text.
    var literalCredentials: [Finding] {
        written.compactMap { written in
            guard let text = written.value.stringValue, !written.isProse,
                let kind = Credential.kind(of: text, at: written.path)
            else { return nil }
            return warning(
                .literalCredential, at: written.position, path: written.path,
                "this looks like \(kind), which everyone with the app or its files can read",
                hint: cure(for: written.path))
        }
    }

    private func cure(for path: ConfigurationPath) -> String {
        guard let prefix = market.module.secretPrefixes.first, schema.type(at: path)?.allowsSecret == true else {
            return "revoke it, and let a service of the app provide the value"
        }
        return "revoke it, and write secret \"\(Credential.secretName(prefix: prefix, market: market.id, path))\""
    }
}

/// Recognizes credentials.
package enum Credential {
    /// What the value of a key looks like, with an article; nil if it does not look like a credential.
    package static func kind(of text: String, at path: ConfigurationPath) -> String? {
        kind(of: text, isNamed: path.namesCredential)
    }

    /// The name of a secret for the value of a key.
    package static func secretName(prefix: String, market: String, _ path: ConfigurationPath) -> String {
        prefix + [market, path.elements.compactMap(\.key).last ?? "key"].map(\.upperSnakeCase).joined(separator: "_")
    }

    /// A prefix of a kind of token, the length that a token has at least, and what it is, with an article.
    private static let prefixes: [(prefix: String, length: Int, kind: String)] = [
        ("AKIA", 20, "an AWS access key"), ("ASIA", 20, "an AWS access key"),
        ("ghp_", 24, "a GitHub token"), ("gho_", 24, "a GitHub token"), ("ghu_", 24, "a GitHub token"),
        ("ghs_", 24, "a GitHub token"), ("ghr_", 24, "a GitHub token"),
        ("github_pat_", 30, "a GitHub token"), ("glpat-", 20, "a GitLab token"),
        ("xoxa-", 15, "a Slack token"), ("xoxb-", 15, "a Slack token"), ("xoxp-", 15, "a Slack token"),
        ("xoxr-", 15, "a Slack token"), ("xoxs-", 15, "a Slack token"),
        ("sk_live_", 16, "a Stripe key"), ("rk_live_", 16, "a Stripe key"), ("sk_test_", 16, "a Stripe key"),
        ("AIza", 39, "a Google API key"), ("ya29.", 24, "a Google token"), ("SG.", 30, "a SendGrid key"),
        ("npm_", 36, "an npm token"), ("shpat_", 30, "a Shopify token"), ("hf_", 30, "a Hugging Face token"),
        ("sk-", 24, "an API key"), ("dop_v1_", 40, "a DigitalOcean token"),
    ]

    /// What a text looks like, with an article; nil if it does not look like a credential.
    ///
    /// It reads bytes, because a text of a stranger can be one character of any length.
    ///
    /// - Parameter isNamed: Whether the name of its key is one of a credential, or it is a header.
    /// - Complexity: O(n) for n bytes.
    static func kind(of text: String, isNamed: Bool) -> String? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 12 else { return nil }
        if bytes.contains("-----BEGIN ".utf8) && bytes.contains("PRIVATE KEY-----".utf8) { return "a private key" }
        for part in bytes.split(whereSeparator: { $0 <= 0x20 || "\"',;:&?=#()<>".utf8.contains($0) }) {
            guard part.allSatisfy({ isOfToken($0) || $0 == UInt8(ascii: ".") }) else { continue }
            if let found = prefixes.first(where: { part.starts(with: $0.prefix.utf8) && part.count >= $0.length }),
                part.contains(where: isDigit)
            {
                return found.kind
            }
            if part.starts(with: "eyJ".utf8) {
                let pieces = part.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
                if pieces.count == 3, pieces.allSatisfy({ $0.count > 5 }) { return "a JSON Web Token" }
            }
        }
        if let kind = kind(ofHeader: bytes) { return kind }
        if let user = userOfURL(bytes), user.contains(UInt8(ascii: ":")) { return "a password in a URL" }
        var values = isNamed ? [bytes[...]] : []
        if bytes.contains("://".utf8), let query = bytes.firstIndex(of: UInt8(ascii: "?")) {
            values += bytes[(query + 1)...].split(separator: UInt8(ascii: "&")).compactMap {
                $0.split(separator: UInt8(ascii: "="), maxSplits: 2).dropFirst().first
            }
        }
        return values.contains(where: isRandom) ? "a key or token" : nil
    }

    /// What the value of a header of two words looks like.
    private static func kind(ofHeader bytes: [UInt8]) -> String? {
        let words = bytes.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard words.count == 2, words[0].count <= 6, words[1].count >= 8,
            words[1].allSatisfy({ isOfToken($0) || "+/=.~".utf8.contains($0) })
        else { return nil }
        return switch String(decoding: words[0], as: UTF8.self).lowercased() {
        case "bearer": "a bearer token"
        case "basic": "a user name and password"
        default: nil
        }
    }

    /// What is before the `@` of a URL's host.
    private static func userOfURL(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
        guard let start = bytes.firstRange(of: "://".utf8)?.upperBound else { return nil }
        let authority = bytes[start...].prefix { !"/?#".utf8.contains($0) }
        return authority.lastIndex(of: UInt8(ascii: "@")).map { authority[..<$0] }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// A byte of base64url.
    private static func isOfToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
    }

    /// Whether a text can only be made by a machine: one long word of letters and digits that repeats little. A UUID, a
    /// version or a date is none, because hyphens and dots divide it.
    private static func isRandom(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard (20...200).contains(bytes.count),
            bytes.allSatisfy({ isOfToken($0) && $0 != UInt8(ascii: "-") || "+/=".utf8.contains($0) })
        else { return false }
        let digits = bytes.count { (0x30...0x39).contains($0) }
        guard digits >= 3, bytes.count - digits >= 3 else { return false }
        let isHex = bytes.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) }
        // Hexadecimal digits have at most four bits each, so more of them are needed.
        return isHex ? bytes.count >= 32 && distinct(bytes) >= 10 : distinct(bytes) >= 14
    }

    private static func distinct(_ bytes: ArraySlice<UInt8>) -> Int { Set(bytes).count }
}

extension ConfigurationPath {
    /// Whether the key is a header or named like a credential.
    fileprivate var namesCredential: Bool {
        let keys = elements.compactMap(\.key)
        if keys.dropLast().last?.lowercased().hasSuffix("headers") == true { return true }
        let name = (keys.last ?? "").lowercased().filter { $0.isLetter }
        return ["apikey", "accesskey", "clientsecret", "consumerkey", "password", "privatekey", "secret", "token"]
            .contains { name.hasSuffix($0) }
    }
}

extension ConfigurationPath.Element {
    /// The key; nil for an index.
    fileprivate var key: String? { if case .key(let key) = self { key } else { nil } }
}

extension ValueType {
    /// Whether a file can write `secret` there.
    package var allowsSecret: Bool {
        switch self {
        case .secret: true
        case .either(let types): types.contains(where: \.allowsSecret)
        default: false
        }
    }
}

extension String {
    /// The name as that of a variable of the environment: `writeKey` is `WRITE_KEY`.
    fileprivate var upperSnakeCase: String {
        var name = ""
        var wasLower = false
        for character in self {
            guard character.isASCII, character.isLetter || character.isNumber else {
                if !name.isEmpty, name.last != "_" { name += "_" }
                wasLower = false
                continue
            }
            if character.isUppercase, wasLower { name += "_" }
            wasLower = !character.isUppercase
            name += character.uppercased()
        }
        return name
    }
}
