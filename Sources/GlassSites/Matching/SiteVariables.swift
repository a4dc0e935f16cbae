import GlassBase
import GlassSchema

/// The variables in the patterns of an `apple-app-site-association` file, compiled once for all patterns.
///
/// `$(region)` and `$(lang)` are lists of ISO codes (Apple: `Locale.isoRegionCodes` and `Locale.isoLanguageCodes`). A
/// device's actual lists are undocumented. They contain the codes of ISO 3166-1 and the two-letter codes of ISO 639,
/// and neither `UK` nor `qq` (both recorded). Whether they contain others, such as `XK`, `haw` or `es-419`, is unknown:
/// only the wide lists contain those.
struct SiteVariables: Sendable {
    /// The lists of codes for `$(region)` and `$(lang)`.
    enum Lists: Int, CaseIterable {
        /// Only codes that are certainly in the lists.
        case narrow
        /// Additionally codes that may be in the lists.
        case wide
    }

    /// The values of a variable. Values without wildcards are hashed, so a long list of words costs no more than a
    /// short one.
    struct Values: Sendable {
        /// The values of one length without wildcards, as written and in lowercase.
        struct Literals: Sendable {
            let count: Int
            var exact: Set<[UInt32]> = []
            var folded: Set<[UInt32]> = []
        }

        private(set) var literals: [Literals] = []
        private(set) var others: [[SitePattern.Token]] = []

        init(_ values: [[SitePattern.Token]]) {
            var byCount: [Int: Literals] = [:]
            for value in values {
                let scalars = value.compactMap { if case .scalar(let scalar) = $0 { scalar } else { nil as UInt32? } }
                guard scalars.count == value.count else {
                    others.append(value)
                    continue
                }
                byCount[value.count, default: Literals(count: value.count)].exact.insert(scalars)
                byCount[value.count]?.folded.insert(scalars.map(SitePattern.folded))
            }
            literals = byCount.values.sorted { $0.count < $1.count }
        }

        /// Whether a value is empty or may begin with a slash.
        var mayBeginWithSlash: Bool {
            let slash = UInt32(UInt8(ascii: "/"))
            return literals.contains { $0.count == 0 || $0.exact.contains { $0.first == slash } }
                || others.contains { value in
                    switch value.first {
                    case .anyOne, .anyText: true
                    case .scalar(let scalar): scalar == slash
                    default: false
                    }
                }
        }
    }

    let values: [Values]
    private let places: [String: Int]

    /// Compiles the variables of a file.
    init(_ named: [String: [String]] = [:]) {
        var values = Self.predefinedValues
        var places: [String: Int] = [:]
        for (name, texts) in named {
            places[name] = values.count
            // A value may contain wildcards but no variables.
            values.append(Values(texts.map { SitePattern.tokens($0.unicodeScalars, variable: { _ in nil }) }))
        }
        self.values = values
        self.places = places
    }

    /// The index of a variable's values; nil for an undefined name.
    func place(of name: String, _ lists: Lists) -> Int? {
        if let place = places[name] { return place }
        switch name {
        case "region": return lists.rawValue
        case "lang": return Lists.allCases.count + lists.rawValue
        default: return nil
        }
    }

    /// Whether the meaning of a variable differs between the lists, because some codes are unknown.
    func hasTwoReadings(_ name: String) -> Bool { place(of: name, .narrow) != place(of: name, .wide) }

    /// Whether a variable defined by the file has a value that is empty or may begin with a slash.
    func mayBeginWithSlash(_ name: String) -> Bool {
        places[name].map { values[$0].mayBeginWithSlash } ?? false
    }

    private static let predefinedValues: [Values] = {
        func literals(_ codes: [String]) -> [[SitePattern.Token]] {
            codes.map { $0.unicodeScalars.map { .scalar($0.value) } }
        }
        let regions = literals(ISOCodes.countries.all)
        // Regions that ICU, the source of Apple's lists, has in addition to ISO 3166-1.
        let otherRegions = literals("AC CP CQ DG EA EU EZ IC QO TA UN XK".split(separator: " ").map(String.init))
        // Withdrawn two-letter codes of ISO 639; ICU keeps some.
        let withdrawn: Set = ["bh", "in", "iw", "ji", "jw", "mo", "sh", "tl"]
        let languages = literals(ISOCodes.languages.all.filter { $0.utf8.count == 2 && !withdrawn.contains($0) })
        let otherLanguages: [[SitePattern.Token]] =
            literals(withdrawn.sorted()) + [Array(repeating: .lower, count: 3)]
            // A language with a region or a script, such as es-419 and zh_Hans.
            + [2, 3].flatMap { language in
                ["-", "_"].flatMap { (hyphen: Unicode.Scalar) in
                    (2...4).map { count in
                        Array(repeating: .lower, count: language) + [.scalar(hyphen.value)]
                            + Array(repeating: .alphanumeric, count: count)
                    }
                }
            }
        return [regions, regions + otherRegions, languages, languages + otherLanguages].map(Values.init)
    }()
}
