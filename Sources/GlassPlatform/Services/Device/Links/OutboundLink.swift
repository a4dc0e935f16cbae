import GlassBase
import GlassDeepLinking

/// The gate for links with schemes of other programs, such as `tel:+18009256278`.
///
/// Most of these links have no host and no path, so the gate for incoming links has nothing to check. This one refuses
/// malformed links, and those with side effects in the other program.
enum OutboundLink {
    /// The scheme of a link in lowercase (RFC 3986 §3.1), or `nil` if it has none.
    static func scheme(of text: String) -> String? {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), let first = text.utf8.first, isLetter(first),
            text.utf8[..<colon].allSatisfy({ isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) })
        else { return nil }
        return text[..<colon].lowercased()
    }

    /// The reason why a link may not leave the app, or `nil` if it may.
    static func refusal(of text: String, scheme: String) -> DeepLinkRefusal? {
        let bytes = Array(text.utf8)
        func refusal(_ rule: DeepLinkRule, _ range: Range<Int>) -> DeepLinkRefusal {
            DeepLinkRefusal(
                rule: rule, part: String(decoding: bytes[range.clamped(to: bytes.indices)], as: UTF8.self),
                offset: range.lowerBound)
        }
        let most = DeepLinkLimits().length
        guard bytes.count <= most else {
            return DeepLinkRefusal(rule: .oversize, part: "\(bytes.count) bytes, more than \(most)", offset: most)
        }
        let start = scheme.utf8.count + 1
        guard bytes.count > start || scheme == settings else { return refusal(.malformed, 0..<bytes.count) }
        let body = bodyRange(of: bytes, scheme)
        var index = start
        while index < bytes.count {
            var byte = bytes[index]
            var width = 1
            if byte == UInt8(ascii: "%") {
                guard let decoded = escape(bytes, at: index) else { return refusal(.invalidEscape, index..<index + 3) }
                byte = decoded
                width = 3
            } else if byte == UInt8(ascii: " ") {
                return refusal(.whitespace, index..<index + 1)
            } else if byte == UInt8(ascii: "\\") {
                return refusal(.backslash, index..<index + 1)
            }
            let range = index..<index + width
            // The body of a message may contain %0D%0A as a line break. Anywhere else, it would start another header of
            // the mail.
            let isLine = width == 3 && (byte == 0x0A || byte == 0x0D) && body.contains(index)
            if byte < 0x20 || byte == 0x7F, !isLine { return refusal(.controlCharacter, range) }
            // Service codes can forward calls or erase a phone, and systems differ in which of them they block.
            if scheme == "tel", byte == UInt8(ascii: "*") || byte == UInt8(ascii: "#") {
                return refusal(.sideEffect, range)
            }
            index += width
        }
        if scheme == "mailto", let attached = attachment(in: bytes, from: start) {
            return refusal(.sideEffect, attached)
        }
        return nil
    }

    /// The reason why a link may not leave an app whose market is unknown, or `nil` if it may. No scheme and no domain is
    /// listed then, so each may be opened; what the gate refuses in any market is refused here, too.
    static func refusalWithoutMarket(of text: String) -> DeepLinkRefusal? {
        guard let scheme = scheme(of: text) else {
            return DeepLinkRefusal(rule: .malformed, part: text, offset: 0)
        }
        guard scheme == "https" || scheme == "http" else { return refusal(of: text, scheme: scheme) }
        do throws(DeepLinkRefusal) {
            let link = try DeepLink(text)
            if scheme == "https" { return nil }
            return DeepLinkRefusal(rule: .cleartext, part: "http://\(link.host)", offset: 0)
        } catch {
            return error
        }
    }

    /// The app's page in the system settings, the only link that consists of a scheme alone.
    private static let settings = "app-settings"

    /// The range of a message's body.
    private static func bodyRange(of bytes: [UInt8], _ scheme: String) -> Range<Int> {
        guard scheme == "mailto" || scheme == "sms" else { return 0..<0 }
        return items(of: bytes).first { $0.name == "body" }?.range ?? 0..<0
    }

    /// The range of an attachment, which some mail programs add without asking.
    private static func attachment(in bytes: [UInt8], from start: Int) -> Range<Int>? {
        items(of: bytes).first { $0.name == "attach" || $0.name == "attachment" }?.range
    }

    /// The items after the address. `mailto:` links and most programs use `?a=b&c=d`; Messages on Apple systems uses
    /// `&a=b`.
    private static func items(of bytes: [UInt8]) -> [(name: String, range: Range<Int>)] {
        var items: [(name: String, range: Range<Int>)] = []
        var start: Int?
        for index in 0...bytes.count {
            let isEnd = index == bytes.count || bytes[index] == UInt8(ascii: "&") || bytes[index] == UInt8(ascii: "?")
            guard isEnd else { continue }
            if let start {
                let name = bytes[start..<index].prefix { $0 != UInt8(ascii: "=") }
                items.append((decoded(Array(name)).lowercased(), start..<index))
            }
            start = index + 1
        }
        return items
    }

    private static func decoded(_ bytes: [UInt8]) -> String {
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), let byte = escape(bytes, at: index) {
                result.append(byte)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func escape(_ bytes: [UInt8], at index: Int) -> UInt8? {
        guard index + 2 < bytes.count, let high = Character(Unicode.Scalar(bytes[index + 1])).hexDigitValue,
            let low = Character(Unicode.Scalar(bytes[index + 2])).hexDigitValue
        else { return nil }
        return UInt8(high << 4 | low)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
