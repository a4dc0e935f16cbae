package import GlassSchema

/// The files that were read, by their names in findings. A finding shows lines of these files only.
package struct SourceTexts {
    private struct Text {
        let bytes: [UInt8]
        /// The offset at which each line begins; computed when the first line is needed.
        var lines: [Int] = []
    }

    private var texts: [String: Text]

    package init(_ sources: [MarketFile] = []) {
        texts = Dictionary(uniqueKeysWithValues: sources.map { ($0.file, Text(bytes: $0.bytes)) })
    }

    /// Whether a file was read.
    package func contains(_ file: String) -> Bool { texts[file] != nil }

    /// The names of the files.
    package var files: some Collection<String> { texts.keys }

    /// The contents of a file; nil if it was not read.
    package func bytes(of file: String) -> [UInt8]? { texts[file]?.bytes }

    /// Adds a file, or replaces the one with the same name.
    package mutating func insert(_ source: MarketFile) {
        texts[source.file] = Text(bytes: source.bytes)
    }

    /// The line of a position.
    package mutating func line(at position: SourcePosition) -> SourceLine? {
        guard var text = texts[position.file], position.line > 0 else { return nil }
        if text.lines.isEmpty {
            text.lines = [0]
            for (index, byte) in text.bytes.enumerated() where byte == UInt8(ascii: "\n") {
                text.lines.append(index + 1)
            }
            texts[position.file] = text
        }
        guard position.line <= text.lines.count else { return nil }
        return SourceLine(of: position, in: text.bytes, lineAt: text.lines[position.line - 1])
    }
}

extension [Finding] {
    /// Adds the source lines to findings, except for those about a credential in the line: a log or a report must not show
    /// it.
    package func withLines(of sources: [MarketFile]) -> [Finding] {
        var texts = SourceTexts(sources)
        return map { finding in
            var finding = finding
            let isShown = ![.literalCredential, .secretMisplaced].contains(finding.code)
            finding.line = isShown ? finding.position.flatMap { texts.line(at: $0) } : nil
            return finding
        }
    }
}
