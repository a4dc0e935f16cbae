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

    /// The regions in conditions of the market's own file that are outside of its country. The file of an abstract base,
    /// and one that several markets include, has conditions for the others.
    var foreignRegions: [Finding] {
        guard let situations = market.origin.situations, let country, let own = market.origin.own?.position?.file,
            let file = market.origin.files.first(where: { $0.file == own }),
            case .region? = situations.attributes.first(where: { $0.name == "region" })?.type
        else { return [] }
        // A market for an area, such as Latin America, has customers in several countries.
        let locales = market.definition.locales.map { LocaleCode($0)?.country }
        guard !locales.contains(nil) else { return [] }
        let countries = Set(locales.compactMap(\.self) + [country.code])
        let conditions = situations.deciding + situations.flags.conditions + situations.conditions.values
        let tested = Set(conditions.flatMap(\.regions)).filter { !Self.isInside(countries, $0) }
        guard !tested.isEmpty else { return [] }
        let tree = LuaTree(file.bytes)
        return tree.tokens.indices.compactMap { token -> Finding? in
            guard tree.kind(at: token) == .string, Self.isOfRegion(token, in: tree) else { return nil }
            let text = String(decoding: tree.value(ofString: token), as: UTF8.self)
            // A region that does not exist has a finding already.
            // To leave out a foreign region is a guard.
            guard tested.contains(text), tree.text(of: token - 1) != "no",
                let other = Country(String(text.prefix { $0 != "-" })),
                text == other.code || other.regions.isEmpty || other.hasRegion(String(text.dropFirst(3)))
            else { return nil }
            let position = tree.position(of: token)
            let example = country.regions.first.map { ", such as \("\(country.code)-\($0.code)".quotedForMessage)" }
            return warning(
                .countryMismatch, at: SourcePosition(file: own, line: position.line, column: position.column),
                path: ConfigurationPath(), subject: text,
                "\(text.quotedForMessage) is in \(other.code) (\(other.name)), but the market is for \(country.code) "
                    + "(\(country.name))",
                hint: "name a region of \(country.code)\(example ?? ""), or remove the condition")
        }
    }

    /// Whether a region belongs to one of some countries, or to one that its shops serve, such as Puerto Rico.
    private static func isInside(_ countries: Set<String>, _ region: String) -> Bool {
        let code = String(region.prefix { $0 != "-" })
        return countries.contains(code) || countries.contains { neighbors[$0]?.contains(code) == true }
    }

    /// The small countries and territories that the shops of another country serve: they share its post or customs.
    private static let neighbors: [String: Set<String>] = [
        "AU": ["CC", "CX", "NF"], "BE": ["LU"], "CH": ["LI"], "CN": ["HK", "MO", "TW"], "DK": ["FO", "GL"],
        "ES": ["AD", "GI"],
        "FI": ["AX"],
        "FR": ["AD", "BL", "GF", "GP", "MC", "MF", "MQ", "NC", "PF", "PM", "RE", "WF", "YT"],
        "GB": ["GG", "GI", "IM", "JE"], "IE": ["GB"], "IT": ["SM", "VA"], "NL": ["AW", "BQ", "CW", "SX"], "NO": ["SJ"],
        "NZ": ["CK", "NU", "TK"], "RS": ["XK"], "US": ["AS", "FM", "GU", "MH", "MP", "PR", "PW", "UM", "VI"],
    ]

    private func unknownRegion(at token: Int, in tree: LuaTree, _ file: String) -> Finding? {
        guard tree.kind(at: token) == .string, Self.isOfRegion(token, in: tree) else { return nil }
        let text = String(decoding: tree.value(ofString: token), as: UTF8.self)
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let country = Country(String(parts[0])), !country.regions.isEmpty else { return nil }
        let code = String(parts[1])
        guard !country.hasRegion(code) else { return nil }
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
            case .name where tree.text(of: index) == "no": index -= 1
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

extension Country {
    /// Whether ISO 3166-2 has a region, or a part of one, with a code.
    fileprivate func hasRegion(_ code: String) -> Bool {
        regions.contains { $0.code == code } || innerRegionCodes.contains(code)
    }
}

extension Condition {
    /// The regions that its tests name.
    fileprivate var regions: [String] {
        switch self {
        case .test("region", let test): test.regions
        case .no(let condition): condition.regions
        case .all(let conditions), .any(let conditions): conditions.flatMap(\.regions)
        case .always, .never, .test, .rollout: []
        }
    }
}

extension AttributeTest {
    /// The names that it compares a region with.
    fileprivate var regions: [String] {
        switch self {
        case .within(let names): names
        case .no(let test): test.regions
        case .any(let tests): tests.flatMap(\.regions)
        case .oneOf, .has, .ranges, .text, .missing, .present: []
        }
    }
}
