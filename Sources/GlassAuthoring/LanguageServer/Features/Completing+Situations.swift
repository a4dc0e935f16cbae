import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// Completions of the keys, words and values about situations.
extension ServerState {
    /// The words for a value that depends on the situation.
    static let wordsOfAlternatives = [
        CompletionItem(word: "vary", text: "vary { {  } }", snippet: "vary { { $0 } }"),
        CompletionItem(word: "perLocale", text: "perLocale {  }", snippet: "perLocale { $0 }"),
    ]

    /// The word for a value about which warnings are accepted.
    static let wordOfAcceptance = CompletionItem(word: "accept", text: "accept {  }", snippet: "accept { $0 }")

    /// The keys that a word takes in its table; nil if they are those of the value.
    func keys(
        of word: String, at place: FilePlace, _ question: CursorContext
    ) -> [(name: String, detail: String, documentation: String)]? {
        let fallback = SectionDeclaration.fallback
        switch word {
        case "accept":
            return FindingCode.allCases.filter(\.canBeAccepted).map { ($0.rawValue, "the reason", $0.summary) }
        case "vary": return [(fallback.name, fallback.type.expectation, fallback.documentation)]
        case "perLocale":
            return locales(of: question).map { ($0, "a locale", "") }
                + [(fallback.name, fallback.type.expectation, fallback.documentation)]
        case "any", "all": return []
        default: return nil
        }
    }

    /// The tests of an attribute: its values, and the words of tests.
    func tests(of attribute: String?, _ question: CursorContext) -> [CompletionItem] {
        let words = [
            CompletionItem(word: "no", text: "no \"\"", snippet: "no \"$0\""),
            CompletionItem(word: "missing", text: "missing"), CompletionItem(word: "present", text: "present"),
        ]
        return (attribute.map { values(ofAttribute: $0, question) } ?? []) + words
    }

    // MARK: Flags

    /// The values of a key of any type that another key of its flag decides; nil for other keys.
    func flagValues(at path: ConfigurationPath, _ question: CursorContext) -> [CompletionItem]? {
        guard case .key(let key)? = path.elements.last else { return nil }
        guard path.flagName != nil else { return nil }
        let flag = ConfigurationPath(Array(path.elements.prefix(2)))
        switch (path.elements.count, key) {
        case (3, "default"):
            let names = variants(of: flag, question)
            return names.isEmpty ? Self.literals(of: .boolean) : names
        case (5, "value"): return Self.literals(of: .boolean)
        default: return nil
        }
    }

    /// The variants of the flag around a path, in the file or in its base markets.
    func variants(of path: ConfigurationPath, _ question: CursorContext) -> [CompletionItem] {
        names(at: ConfigurationPath(path.elements.prefix(2) + [.key("variants")]), question).map {
            CompletionItem(text: $0, kind: .constant, detail: "a variant")
        }
    }

    /// The keys of a table, in the file or in its base markets.
    func names(at path: ConfigurationPath, _ question: CursorContext) -> [String] {
        var names: Set<String> = []
        if let table = question.outline.entry(at: path) { names.formUnion(question.outline.keys(of: table)) }
        let known = question.market.flatMap { folders[question.folder].provenance[$0] }
        if case .map(let entries)? = known?.effective.node(at: path)?.value { names.formUnion(entries.keys) }
        return Array(names.sorted().prefix(Self.maximumPlaces))
    }

    /// The conditions of the file and its base markets by name, and the words of conditions.
    func conditions(in question: CursorContext) -> [CompletionItem] {
        let known = question.market.flatMap { folders[question.folder].provenance[$0]?.conditions } ?? [:]
        var names = Set(known.keys)
        if let table = question.outline.entry(at: "conditions") { names.formUnion(question.outline.keys(of: table)) }
        let named = names.sorted().prefix(Self.maximumPlaces).map { name in
            CompletionItem(text: name, kind: .constant, detail: known[name].map { "\($0)" } ?? "a condition")
        }
        return named + [CompletionItem.table]
            + ["any", "all", "no"].map { CompletionItem(word: $0, text: "\($0) {  }", snippet: "\($0) { $0 }") }
    }

    /// The values with which a test of an attribute can compare.
    private func values(ofAttribute name: String, _ question: CursorContext) -> [CompletionItem] {
        guard let attribute = attributes(in: question).first(where: { $0.name == name }) else { return [] }
        let names: [String]
        switch attribute.type {
        case .boolean: return Self.literals(of: .boolean)
        case .choice(let choices): names = choices
        case .set(let known): names = known ?? []
        case .locale:
            return locales(of: question).map {
                CompletionItem(text: $0, kind: .value, detail: Self.name(ofLocale: $0))
            }
        case .region: return regions(for: question)
        default: names = []
        }
        return names.map { CompletionItem(text: $0, kind: .value) }
    }

    /// The locales of the market, and the languages of several of them.
    private func locales(of question: CursorContext) -> [String] {
        for attribute in attributes(in: question) {
            guard case .locale(let found) = attribute.type else { continue }
            var locales = found
            if locales.isEmpty, let market = question.market,
                case .list(let nodes)? = folders[question.folder].provenance[market]?.effective.node(at: "locales")?
                    .value
            {
                locales = nodes.compactMap { if case .string(let locale) = $0.value { locale } else { nil } }
            }
            let languages = Set(locales.map { String($0.prefix { $0 != "-" }) })
            return locales + languages.subtracting(locales).sorted()
        }
        return []
    }
}
