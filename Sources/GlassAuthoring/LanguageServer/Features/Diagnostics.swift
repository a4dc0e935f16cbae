import GlassBase
import GlassSchema
import LuaSyntax

/// Converts findings to diagnostics of the protocol.
struct Diagnostics {
    /// The path of the markets folder, the prefix of its files' paths.
    let folder: String
    let encoding: PositionEncoding

    /// The diagnostic for a finding.
    func json(
        of finding: Finding, in lines: TextLines, _ places: TokenRanges, place: (SourcePosition) -> StrictJSON?
    ) -> StrictJSON {
        let known = Set(finding.related.map(\.position))
        let others = Self.places(in: finding.message, below: folder).filter { !known.contains($0) }.map {
            Finding.RelatedPosition($0, "the other position")
        }
        let related = (finding.related + others).compactMap { other in
            place(other.position).map { location in
                StrictJSON.record(["location": location, "message": .string(other.message)])
            }
        }
        return .record([
            "range": lines.range(of: range(of: finding, in: lines, places), encoding).json,
            "severity": .number(Self.severity(of: finding)), "code": .string(finding.rule),
            "source": .string("glass-host"), "message": .string(Self.message(of: finding)),
            "relatedInformation": related.isEmpty ? nil : .array(related),
        ])
    }

    /// The byte range of a finding.
    func range(of finding: Finding, in lines: TextLines, _ places: TokenRanges) -> Range<Int> {
        guard let position = finding.position else { return 0..<0 }
        let start = lines.offset(of: position)
        guard position.column != nil else { return start..<max(start, lines.end(ofLine: lines.line(of: start))) }
        let end = finding.end.map { lines.offset(of: $0) } ?? places.end(at: start) ?? start
        return start..<max(start, end)
    }

    /// The text that an editor shows: the key, the message and the hint.
    static func message(of finding: Finding) -> String {
        let key = finding.path.elements.isEmpty ? "" : "\(finding.displayPath): "
        let situation = finding.situation.map { "when: --context \($0.commandText)" }
        return ([key + finding.message] + [situation, finding.hint].compactMap(\.self)).joined(separator: "\n")
    }

    private static func severity(of finding: Finding) -> Int {
        switch finding.severity {
        case .error: 1
        // Secrets are normally not set on the machine where a market is written.
        case .warning: finding.code == .secretUnset ? 4 : 2
        case .note: 3
        }
    }

    /// The positions in the folder's files that a message mentions, such as `markets/us.lua:12:5`.
    static func places(in message: String, below folder: String) -> [SourcePosition] {
        var found: [SourcePosition] = []
        var rest = message[...]
        while found.count < 4, let start = rest.firstRange(of: folder + "/") {
            rest = rest[start.lowerBound...]
            guard let end = rest.firstRange(of: ".lua:") else { break }
            let file = String(rest[..<end.lowerBound]) + ".lua"
            rest = rest[end.upperBound...]
            let line = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(line.count)
            var column: Int?
            if rest.first == ":" {
                let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
                column = Int(digits)
                rest = rest.dropFirst(digits.isEmpty ? 0 : digits.count + 1)
            }
            if let line = Int(line), line > 0 { found.append(SourcePosition(file: file, line: line, column: column)) }
        }
        return found
    }
}

/// The ranges of a document's tokens.
struct TokenRanges {
    private let tree: LuaTree

    init(_ bytes: [UInt8]) {
        tree = LuaTree(bytes.count > Outline.maximumTextBytes ? [] : bytes)
    }

    /// The end of the token at an offset.
    func end(at offset: Int) -> Int? {
        let token = tree.tokens[tree.token(endingAfter: offset)]
        return token.range.contains(offset) ? token.upperBound : nil
    }
}
