import GlassBase
import GlassMarkets
import GlassSchema
import LuaSyntax

extension MarketLint {
    /// The regions in conditions that ISO 3166-2 does not have, such as `CA-QU`.
    var unknownRegions: [Finding] {
        var own = Set(written.lazy.filter { !$0.isInherited }.compactMap { $0.position?.file })
        if let file = market.origin.own?.position?.file { own.insert(file) }
        return market.origin.files.filter { own.contains($0.file) }.flatMap { file -> [Finding] in
            // Parsing costs more than this search. Most files have the word only in `regions`.
            guard
                file.bytes.ranges(of: Array("region".utf8)).contains(where: { range in
                    file.bytes.dropFirst(range.upperBound).first != UInt8(ascii: "s")
                })
            else { return [] }
            let tree = LuaTree(file.bytes)
            return tree.tokens.indices.compactMap { unknownRegion(at: $0, in: tree, file.file) }
        }
    }

    private func unknownRegion(at token: Int, in tree: LuaTree, _ file: String) -> Finding? {
        guard tree.kind(at: token) == .string, Self.isOfRegion(token, in: tree) else { return nil }
        let text = String(decoding: tree.value(ofString: token), as: UTF8.self)
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let country = Country(String(parts[0])), !country.regions.isEmpty else { return nil }
        let code = String(parts[1])
        let known = country.regions.map(\.code) + country.innerRegionCodes
        guard !known.contains(code) else { return nil }
        // Codes are too short for a guess: nearly all of them are one letter from another.
        let codes = country.regions.prefix(15).map { "\(country.code)-\($0.code)" }.joined(separator: ", ")
        let position = tree.position(of: token)
        return warning(
            .countryMismatch, at: SourcePosition(file: file, line: position.line, column: position.column),
            path: ConfigurationPath(), subject: text,
            "\(text.quotedForMessage) is not a region of \(country.code) (\(country.name)), so this never holds",
            hint: "ISO 3166-2 has \(codes)" + (country.regions.count > 15 ? ", and more" : ""))
    }

    /// Whether a text is the value of a field `region`, an element of a list there, or inside `no` there.
    private static func isOfRegion(_ token: Int, in tree: LuaTree) -> Bool {
        var index = token - 1
        // A longer list is not searched to its start for each of its elements.
        for _ in 0..<100 where index > 0 {
            switch tree.kind(at: index) {
            case .string, .comma, .semicolon, .leftBrace: index -= 1
            case .assign where tree.kind(at: index - 1) == .name:
                let name = tree.text(of: index - 1)
                if name == "region" { return true }
                guard name == "no" else { return false }
                index -= 2
            default: return false
            }
        }
        return false
    }
}
