import GlassBase
import GlassDeepLinking

/// Escaping of text in the generated formats.
package enum SiteText {
    /// Escapes text for an attribute of an Android manifest, whose compiler also interprets backslashes as escapes.
    static func manifest(_ text: String) -> String {
        text.split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "\\\\").xmlText
    }

    /// Escapes a path segment: keeps the characters that RFC 3986 allows in a segment, and percent-encodes all others
    /// with uppercase digits.
    package static func pathSegment(_ text: String) -> String {
        escape(text, keeping: "-._~!$&'()*+,;=:@")
    }

    /// Escapes the name of a query item.
    static func queryName(_ text: String) -> String {
        escape(text, keeping: "-._~[]")
    }

    /// Decodes percent escapes; invalid ones are kept.
    static func decoded(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = ASCII.hexValue(bytes[index + 1]),
                let low = ASCII.hexValue(bytes[index + 2])
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func escape(_ text: String, keeping others: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        for byte in text.utf8 {
            if ASCII.isAlphanumeric(byte) || others.utf8.contains(byte) {
                result.append(byte)
            } else {
                result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
