import GlassSchema

/// A file that an evaluation read.
struct MarketSource: Sendable, Equatable {
    /// How diagnostics call it.
    let file: String
    /// What it held.
    let bytes: [UInt8]

    /// Where the text stops being UTF-8; nil when all of it is.
    var firstPlaceThatIsNotUTF8: SourcePosition? {
        if String(validating: bytes, as: UTF8.self) != nil { return nil }
        // Decoding replaces what is malformed, so the text up to there is the same in both.
        let repaired = Array(String(decoding: bytes, as: UTF8.self).utf8)
        let offset = zip(bytes, repaired).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? bytes.count
        let lines = bytes[..<offset].split(separator: 0x0A, omittingEmptySubsequences: false)
        let column = String(decoding: lines.last ?? [], as: UTF8.self).unicodeScalars.count + 1
        return SourcePosition(file: file, line: lines.count, column: column)
    }
}

/// What a market was made from, for comparisons and for the question whether the files are still the same.
struct MarketOrigin: Sendable {
    /// Where the files are.
    let folder: MarketFolder
    /// The values of the files of the `extends` chain, the most basic one first, with their words.
    let layers: [ConfigurationNode]
    /// The files.
    let sources: [MarketSource]

    /// Whether every file on disk is still what it was.
    ///
    /// - Parameter limit: The largest file that is read whole.
    /// - Returns: False also when a file cannot be read.
    func isOnDisk(limit: Int) -> Bool {
        sources.allSatisfy { folder.holds($0, limit: limit) }
    }

    /// Where the market or one that it extends took a key away with `unset`.
    ///
    /// - Parameter path: A key that the market does not have.
    /// - Returns: The place of the word; nil when no file has one for the key or what holds it.
    func removal(of path: ConfigurationPath) -> SourcePosition? {
        for layer in layers.reversed() {
            for length in stride(from: path.elements.count, to: 0, by: -1) {
                let node = layer.node(at: ConfigurationPath(Array(path.elements.prefix(length))))
                if let node, let word = node.value.word, case .unset = word.kind { return node.position }
            }
        }
        return nil
    }
}
