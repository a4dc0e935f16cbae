package import GlassSchema

/// A file from which a market was built.
package struct MarketFile: Sendable, Equatable {
    /// The file's name in findings.
    package let file: String
    /// The file's content.
    package let bytes: [UInt8]

    /// Creates a file.
    package init(file: String, bytes: [UInt8]) {
        self.file = file
        self.bytes = bytes
    }

    /// The position at which the file stops being valid UTF-8; nil if all of it is.
    package var firstPlaceThatIsNotUTF8: SourcePosition? {
        if String(validating: bytes, as: UTF8.self) != nil { return nil }
        // Decoding replaces malformed bytes, so the text before the first of them is the same in both.
        let repaired = Array(String(decoding: bytes, as: UTF8.self).utf8)
        let offset = zip(bytes, repaired).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? bytes.count
        let lines = bytes[..<offset].split(separator: 0x0A, omittingEmptySubsequences: false)
        let column = String(decoding: lines.last ?? [], as: UTF8.self).unicodeScalars.count + 1
        return SourcePosition(file: file, line: lines.count, column: column)
    }
}
