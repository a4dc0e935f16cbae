import Foundation
import GlassSchema
import LuaSyntax

/// What a file of the markets folder says about its role, found without running it.
///
/// Folders are listed often, and a list must not depend on files that fail to run. So the two keys count as they are
/// written in the table that the file returns.
struct MarketHeader: Sendable {
    /// Whether the file is a base of markets, and not a market itself.
    let isAbstract: Bool
    /// The id of the file that it extends.
    let extends: String?

    /// Reads the text of a file.
    init(_ bytes: [UInt8]) {
        let tree = LuaTree(bytes)
        let map = LuaSourceMap(of: tree)
        func text(_ key: String) -> ArraySlice<UInt8>? {
            let located = map.position(of: [.key(key)])
            guard located.isExact, located.included == nil else { return nil }
            let start = tree.lines.byte(at: located.valuePosition)
            return bytes.indices.contains(start) ? bytes[start...] : nil
        }
        isAbstract = text("abstract").map { $0.starts(with: Self.yes) && !Self.continuesName($0.dropFirst(4)) } ?? false
        extends = text("extends").flatMap { text in
            guard let quote = text.first, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(quote) else { return nil }
            let id = String(decoding: text.dropFirst().prefix { $0 != quote }.prefix(100), as: UTF8.self)
            return StringFormat.marketID.matches(id) ? id : nil
        }
    }

    private static let yes = Array("true".utf8)

    private static func continuesName(_ text: ArraySlice<UInt8>) -> Bool {
        guard let next = text.first else { return false }
        let scalar = UnicodeScalar(next)
        return scalar == "_" || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
    }

    /// Whether a file is a base of markets.
    static func isAbstract(_ bytes: [UInt8]) -> Bool {
        // Most files do not contain the word, so that they are not parsed.
        mentions("abstract", bytes) && MarketHeader(bytes).isAbstract
    }

    /// Whether a text contains a word. It searches for the word's second letter, because the first is more frequent.
    private static func mentions(_ word: StaticString, _ bytes: [UInt8]) -> Bool {
        let (letter, length) = (word.utf8Start[1], word.utf8CodeUnitCount)
        return bytes.withUnsafeBytes { text in
            guard let start = text.baseAddress else { return false }
            var offset = 1
            while offset < text.count, let found = memchr(start + offset, Int32(letter), text.count - offset) {
                let place = start.distance(to: UnsafeRawPointer(found)) - 1
                if place + length <= text.count, memcmp(start + place, word.utf8Start, length) == 0 { return true }
                offset = place + 2
            }
            return false
        }
    }
}
