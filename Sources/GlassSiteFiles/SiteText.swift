import GlassBase
import GlassDeepLinking

/// The text of the generated formats: escaping, and nothing else.
enum SiteText {
    /// Text for an attribute of an Android manifest, whose compiler reads a backslash as an escape of its own.
    static func manifest(_ text: String) -> String {
        text.split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "\\\\").xmlText
    }

    /// A segment as links write it: what RFC 3986 allows in a segment stays, all else is escaped in upper-case hex.
    static func pathSegment(_ text: String) -> String {
        escape(text, keeping: "-._~!$&'()*+,;=:@")
    }

    /// A query name as links write it.
    static func queryName(_ text: String) -> String {
        escape(text, keeping: "-._~[]")
    }

    /// The text with its escapes decoded; an escape that is none stays as it is.
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
