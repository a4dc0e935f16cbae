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

    /// The rules whose warnings can be accepted.
    private static let acceptedRules = FindingCode.allCases.filter(\.canBeAccepted).map {
        SituationKey(name: $0.rawValue, detail: "the reason", documentation: $0.summary)
    }

    /// A key that can be added to a table.
    struct SituationKey {
        let name: String
        var isTable = false
        var detail = ""
        var documentation = ""
    }

    /// The keys of a table that are not keys of the market.
    func situationKeys(of table: Int, _ place: FilePlace, _ question: CursorContext) -> [SituationKey] {
        func described(_ keys: [SituationKeys.Key]) -> [SituationKey] {
            keys.map { key in
                SituationKey(
                    name: key.name, detail: key.isRequired ? "required, \(key.accepts)" : key.accepts,
                    documentation: key.documentation)
            }
        }
        switch place {
        case .key:
            guard let word = question.outline.word(of: table) else { return [] }
            if word == "accept" { return Self.acceptedRules }
            let locales =
                word == "perLocale" ? locales(of: question).map { SituationKey(name: $0, detail: "a locale") } : []
            return word == "vary" || word == "perLocale" ? locales + described([SituationKeys.fallback]) : []
        case .overlay: return described(SituationKeys.overlay)
        case .choice: return described(SituationKeys.choice)
        case .attribute(let path) where path.elements.count == 1:
            return SituationKeys.attribute.keys.map {
                SituationKey(name: $0.name, detail: $0.type.expectation, documentation: $0.documentation)
            }
        case .condition where question.outline.word(of: table).map({ $0 == "no" }) ?? true:
            return attributes(in: question).map {
                SituationKey(
                    name: $0.name, detail: $0.accepts.replacing("`", with: ""), documentation: $0.documentation)
            } + [
                SituationKey(
                    name: "rollout", isTable: true, detail: "a share", documentation: SituationKeys.rolloutMeaning)
            ]
        case .test(let name):
            guard case .text? = attributes(in: question).first(where: { $0.name == name })?.type else { return [] }
            return described(SituationKeys.textTest)
        case .rollout: return described(SituationKeys.rollout)
        case .split: return described(SituationKeys.split)
        default: return []
        }
    }

    /// The elements of a table that is a list, but not one of the market's.
    func situationElements(of table: Int, _ question: CursorContext) -> [CompletionItem] {
        let word = question.outline.word(of: table)
        switch question.place(of: table) {
        case .key where word == "vary": return [CompletionItem.table]
        case .condition where word == "any" || word == "all": return conditions(in: question)
        case .test(let name): return values(ofAttribute: name, question)
        case .overlays, .weights: return [CompletionItem.table]
        case .weight(let flag): return variants(of: flag, question)
        case .beats:
            return question.outline.overlayNames.map { CompletionItem(text: $0, kind: .constant, detail: "an overlay") }
        default: return []
        }
    }

    /// The values of an entry that is not a key of the market.
    func situationValues(of entry: Int, _ question: CursorContext) -> [CompletionItem] {
        switch question.place(of: entry) {
        case .condition: return conditions(in: question)
        case .test(let name):
            let words = [
                CompletionItem(word: "no", text: "no \"\"", snippet: "no \"$0\""),
                CompletionItem(word: "missing", text: "missing"), CompletionItem(word: "present", text: "present"),
            ]
            return values(ofAttribute: name, question) + words
        case .beats:
            return question.outline.overlayNames.map { CompletionItem(text: $0, kind: .constant, detail: "an overlay") }
        case .overlayName:
            // An overlay of an inherited name continues it.
            let known = question.market.flatMap { folders[question.folder].provenance[$0]?.overlays } ?? [:]
            return known.keys.sorted().map {
                CompletionItem(text: $0, kind: .constant, detail: "\(known[$0] ?? .always)")
            }
        case .attribute(let path):
            guard case .key(let name)? = path.elements.last, let key = SituationKeys.attribute.key(name) else {
                return []
            }
            return Self.literals(of: key.type)
        case .unit: return units(in: question)
        case .abstract: return Self.literals(of: .boolean)
        case .vendor: return Self.literals(of: .choice(Bucketing.Vendor.flags.map(\.rawValue)))
        case .variant(let flag): return variants(of: flag, question)
        case .key, .choice, .acceptance, .attributes, .conditions, .textTest, .overlays, .overlay, .rollout, .split,
            .weights, .weight, .unknown:
            return []
        }
    }

    // MARK: Flags

    /// The values of a key that another key of its flag, or of the market, declares; nil for other keys.
    func flagValues(at path: ConfigurationPath, _ question: CursorContext) -> [CompletionItem]? {
        guard case .key(let key)? = path.elements.last else { return nil }
        if path.elements.count == 3, path.elements[0] == .key("layers"), key == "by" { return units(in: question) }
        guard path.flagName != nil else { return nil }
        let flag = ConfigurationPath(Array(path.elements.prefix(2)))
        switch (path.elements.count, key) {
        case (3, "default"):
            let names = variants(of: flag, question)
            return names.isEmpty ? Self.literals(of: .boolean) : names
        case (5, "value"): return Self.literals(of: .boolean)
        case (5, "variant"): return variants(of: flag, question)
        case (3, "layer"):
            return names(at: "layers", question).map { CompletionItem(text: $0, kind: .constant, detail: "a layer") }
        default: return nil
        }
    }

    /// The variants of a flag, in the file or in its base markets.
    private func variants(of flag: ConfigurationPath, _ question: CursorContext) -> [CompletionItem] {
        names(at: flag.appending("variants"), question).map {
            CompletionItem(text: $0, kind: .constant, detail: "a variant")
        }
    }

    /// The keys of a table, in the file or in its base markets.
    private func names(at path: ConfigurationPath, _ question: CursorContext) -> [String] {
        var names: Set<String> = []
        if let table = question.outline.entry(at: path) { names.formUnion(question.outline.keys(of: table)) }
        let known = question.market.flatMap { folders[question.folder].provenance[$0] }
        if case .map(let entries)? = known?.effective.node(at: path)?.value { names.formUnion(entries.keys) }
        return Array(names.sorted().prefix(Self.maximumPlaces))
    }

    /// The attributes whose values identify a unit.
    private func units(in question: CursorContext) -> [CompletionItem] {
        attributes(in: question).filter(\.isUnit).map {
            CompletionItem(text: $0.name, kind: .constant, detail: $0.isPersonal ? "a person" : "a unit")
        }
    }

    /// The conditions of the file and its base markets by name, and the words of conditions.
    private func conditions(in question: CursorContext) -> [CompletionItem] {
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

extension Outline {
    /// Whether an entry's table is that of `vary`, `perLocale` or `accept`.
    func isWordOfAlternatives(_ entry: Int) -> Bool {
        let word = word(of: entry)
        return word == "vary" || word == "perLocale" || word == "accept"
    }
}
