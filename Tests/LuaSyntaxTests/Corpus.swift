import Foundation
import LuaSyntax
import TestSupport

/// Texts for the tests: the repository's Lua files, and random changes of them.
enum Corpus {
    static let repository = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

    /// Every Lua file of the repository and the fuzzers' inputs, with their paths.
    static let files: [(path: String, text: [UInt8])] = {
        ["Sources", "Tests", "markets", "scripts"].flatMap { folder in
            let files = FileManager.default.enumerator(
                at: repository.appending(path: folder), includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])
            return files?.compactMap { $0 as? URL }.filter(isLua) ?? []
        }
        .map { ($0.path, (try? [UInt8](Data(contentsOf: $0))) ?? []) }
        .sorted { $0.0 < $1.0 }
    }()

    private static func isLua(_ file: URL) -> Bool {
        let isInput = ["token", "tree"].contains(file.deletingLastPathComponent().lastPathComponent)
        return file.pathExtension == "lua" || isInput && !file.hasDirectoryPath
    }

    static func market(_ id: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: repository.appending(path: "markets/\(id).lua")))
    }

    /// Tokens, and what often stands for one by mistake.
    static let pieces =
        """
        { } ( ) [ ] , ; = == : :: . .. ... end function return local if then else do nil not - # name 7 's' " [[ -- \
        repeat until ! “ for in <const> goto break x.y f() f{} ~ // a=1 while elseif
        """.split(separator: " ").map(String.init) + ["\n", "function() end"]

    /// A text with one or two random changes.
    static func mutate(_ text: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        var text = text
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            let tokens = LuaTree(text).tokens.dropLast()
            guard let one = tokens.randomElement(using: &random)?.range,
                let other = tokens.randomElement(using: &random)?.range,
                let piece = pieces.randomElement(using: &random)
            else { break }
            let byte = Int.random(in: 0..<text.count, using: &random)
            switch Int.random(in: 0..<7, using: &random) {
            case 0: text.removeSubrange(one)
            case 1: text.insert(contentsOf: Array(" \(piece) ".utf8), at: one.lowerBound)
            case 2: text.replaceSubrange(one, with: Array(piece.utf8))
            case 3: text.insert(contentsOf: Array(piece.utf8), at: byte)
            case 4: text.remove(at: byte)
            case 5: text.insert(contentsOf: [0x20] + text[other] + [0x20], at: one.upperBound)
            default:
                let start = min(one.lowerBound, other.lowerBound)
                text.removeSubrange(start..<max(one.lowerBound, other.lowerBound))
            }
        }
        return text
    }
}
