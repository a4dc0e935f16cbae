import GlassBase
import GlassMarkets
import GlassSchema

/// A text that users read: an entry of a section such as `platform.errors`, and the keys of its parts, such as a title
/// and a message.
private struct UserText {
    let name: String
    let parts: [ConfigurationPath]
}

extension MarketLint {
    /// The texts of a section that users read.
    private func userTexts(at path: ConfigurationPath) -> [UserText] {
        guard let type = schema.type(at: path) else { return [] }
        let entries = type.section?.keys.map(\.name) ?? keys(at: path)
        guard !entries.isEmpty else {
            return [UserText(name: path.lastKey ?? "", parts: parts(at: path, type))].filter { !$0.parts.isEmpty }
        }
        return entries.compactMap { name in
            let inner = path.appending(name)
            guard let type = schema.type(at: inner) else { return nil }
            let parts = parts(at: inner, type)
            return parts.isEmpty ? nil : UserText(name: name, parts: parts)
        }
    }

    /// The keys of the texts at a path and below it. A text with a format, such as a URL, is not for reading.
    private func parts(at path: ConfigurationPath, _ type: ValueType) -> [ConfigurationPath] {
        if let section = type.section {
            return section.keys.flatMap { parts(at: path.appending($0.name), $0.type) }
        }
        if case .string(let format) = type {
            return [StringFormat.any.name, StringFormat.nonEmpty.name].contains(format.name) ? [path] : []
        }
        guard let element = type.elementType else { return [] }
        return keys(at: path).flatMap { parts(at: path.appending($0), element) }
    }

    /// The keys of a table with arbitrary keys.
    private func keys(at path: ConfigurationPath) -> [String] {
        guard case .map(let entries)? = source.node(at: path)?.value else { return [] }
        return entries.inOrder.map(\.key)
    }

    /// What the files say about a key, strongest first.
    private func settings(of path: ConfigurationPath) -> [SituationRules.Setting] {
        if let situations = market.origin.situations { return situations.settings(of: path) }
        return market.origin.layers.reversed().compactMap { layer in
            layer.node(at: path).map {
                SituationRules.Setting(node: $0, market: layer.node(at: "id")?.value.stringValue)
            }
        }
    }
}

// MARK: Texts that nobody has translated

extension MarketLint {
    /// The texts that users read in a language that the market does not have: the app's defaults, and those of a base
    /// market. One warning for each section.
    var untranslatedTexts: [Finding] {
        paths(.userTexts).compactMap { path in
            // Texts that are still undecided have a finding already.
            let decisions = market.origin.decisions
            guard market.isValid(path), !decisions.inherits(path), !decisions.isExample(path) else { return nil }
            let texts = userTexts(at: path)
            let known = Set(market.definition.locales.map(CountryRule.language))
            let foreign = texts.compactMap { text -> (name: String, origin: TextOrigin)? in
                text.parts.lazy.compactMap { self.inheritance(of: $0, in: path) }
                    .first { !known.contains($0.language) }.map { (text.name, $0) }
            }
            return foreign.isEmpty ? nil : untranslated(foreign, of: texts.count, at: path)
        }
    }

    /// Where a text comes from that the market has not set.
    private struct TextOrigin {
        let language: String
        /// The base market; nil for the app's default.
        let base: String?
    }

    /// The origin of a text that the market has in every situation and has not set, or has only copied; nil for any
    /// other.
    private func inheritance(of path: ConfigurationPath, in section: ConfigurationPath) -> TextOrigin? {
        let settings = settings(of: path)
        // An alternative may be in the market's language.
        guard settings.allSatisfy({ $0.condition == .always && !$0.node.value.isDirective }) else { return nil }
        guard let first = settings.first else {
            guard let text = defaultText(at: path), text.hasLetters else { return nil }
            return schema.key(at: section)?.defaultLanguage.map { TextOrigin(language: $0, base: nil) }
        }
        guard let text = first.node.value.stringValue, text.hasLetters else { return nil }
        guard isOwn(first.node) else { return origin(in: first.market) }
        // A sentence is the same in no two languages; a word such as "Error" may be.
        let words = text.split(whereSeparator: \.isWhitespace).count { $0.contains(where: \.isLetter) }
        guard first.node.position?.file == market.origin.own?.position?.file, words >= 3 else { return nil }
        if let base = settings.dropFirst().first {
            return base.node.value == first.node.value && !isOwn(base.node) ? origin(in: base.market) : nil
        }
        guard text == declaredText(at: path) else { return nil }
        return schema.key(at: section)?.defaultLanguage.map { TextOrigin(language: $0, base: nil) }
    }

    /// The language of a base market's texts: that of its first locale.
    private func origin(in base: String?) -> TextOrigin? {
        // The nearest base comes first.
        let layers = market.origin.baseLayers.reversed().drop { $0.node(at: "id")?.value.stringValue != base }
        guard let base, case .list(let locales)? = layers.lazy.compactMap({ $0.node(at: "locales")?.value }).first,
            let language = locales.first?.value.stringValue.map(CountryRule.language)
        else { return nil }
        return TextOrigin(language: language, base: base)
    }

    /// The app's default at a path where no file sets anything; nil if a file sets a table around it, which then has no
    /// default for it.
    private func defaultText(at path: ConfigurationPath) -> String? {
        let outer = ConfigurationPath(Array(path.elements.dropLast()))
        if schema.type(at: outer)?.section?.keys.contains(where: \.isRequired) == true, source.node(at: outer) != nil {
            return nil
        }
        return declaredText(at: path)
    }

    /// The default that the schema declares for a text, or for a table around it.
    private func declaredText(at path: ConfigurationPath) -> String? {
        for length in path.elements.indices.reversed() {
            let outer = ConfigurationPath(Array(path.elements[...length]))
            guard let value = schema.key(at: outer)?.defaultValue else { continue }
            let rest = ConfigurationPath(Array(path.elements[(length + 1)...]))
            if let text = ConfigurationNode(value).node(at: rest)?.value.stringValue { return text }
        }
        return nil
    }

    private func untranslated(
        _ texts: [(name: String, origin: TextOrigin)], of count: Int, at path: ConfigurationPath
    ) -> Finding? {
        guard let place = ownPlace(of: [path, "locales"]) else { return nil }
        let languages = Set(texts.map(\.origin.language)).sorted()
        let bases = Set(texts.map(\.origin.base))
        let (isAll, isOne) = (texts.count == count, texts.count == 1)
        let subject =
            isAll ? "the text\(isOne ? "" : "s")" : "\(texts.count) of \(count) texts"
        var origin = ""
        if bases.count == 1, let base = bases.first {
            origin =
                base.map { "\(isOne ? "comes" : "come") from \($0.quotedForMessage) and " }
                ?? "\(isOne ? "is the app's default" : "are the app's defaults") and "
        }
        let names = texts.map(\.name)
        let rest = names.count > 4 ? Array(names.prefix(3)) + ["\(names.count - 3) more"] : names
        let own = market.definition.locales.map(CountryRule.language).reduce(into: [String]()) {
            if !$0.contains($1) { $0.append($1) }
        }
        return warning(
            .countryMismatch, at: place.node.position, path: path, subject: languages.joined(separator: " "),
            "\(subject) in \(path) \(origin)\(isOne ? "is" : "are") in "
                + languages.map(Country.languageName).inProse() + ", which "
                + (languages.count == 1 ? "is not a language" : "are not languages") + " of the market",
            hint: "set \(isAll ? path.description : rest.inProse()) in "
                + own.map(Country.languageName).inProse())
    }
}

// MARK: Scripts

extension MarketLint {
    /// The texts that users read in a script in which none of their languages is written, such as Ukrainian as the text
    /// of Polish.
    var scriptMismatches: [Finding] {
        paths(.userTexts).flatMap { path in
            userTexts(at: path).flatMap { text in findings(about: text.parts.flatMap(mismatches)) }
        }
    }

    /// A text in another script than those of the languages that it is for.
    private struct ScriptMismatch {
        let text: String
        let path: ConfigurationPath
        let position: SourcePosition?
        let script: WritingScript
        /// The locales in which it can be the text.
        let locales: [String]
        /// The scripts of these.
        let scripts: Set<WritingScript>
    }

    private func mismatches(at path: ConfigurationPath) -> [ScriptMismatch] {
        var taken: Set<String> = []
        return settings(of: path).compactMap { setting -> ScriptMismatch? in
            let results = market.definition.locales.map { (locale: $0, holds: setting.condition.holds(inLocale: $0)) }
            let locales = results.filter { $0.holds != false && !taken.contains($0.locale) }.map(\.locale)
            taken.formUnion(results.filter { $0.holds == true }.map(\.locale))
            let known = locales.compactMap(WritingScript.all)
            guard isOwn(setting.node), !market.origin.decisions.isExample(path),
                let text = setting.node.value.stringValue, !known.isEmpty,
                known.count == locales.count
            else { return nil }
            let scripts = known.reduce(into: Set()) { $0.formUnion($1) }
            return WritingScript.foreign(in: text, to: scripts).map {
                ScriptMismatch(
                    text: text, path: path, position: setting.node.position, script: $0, locales: locales,
                    scripts: scripts)
            }
        }
    }

    /// One warning for the parts of a text in the same locales, and one for two locales whose texts are swapped.
    private func findings(about mismatches: [ScriptMismatch]) -> [Finding] {
        let groups = Dictionary(grouping: mismatches, by: \.locales).values.compactMap(\.first)
            .sorted { one, other in
                guard let position = one.position, let next = other.position else { return one.position != nil }
                return position < next
            }
        guard groups.count == 2, groups[0].scripts.contains(groups[1].script),
            groups[1].scripts.contains(groups[0].script)
        else { return groups.map { finding(about: $0, swappedWith: nil) } }
        return [finding(about: groups[0], swappedWith: groups[1])]
    }

    private func finding(about mismatch: ScriptMismatch, swappedWith other: ScriptMismatch?) -> Finding {
        func languages(_ mismatch: ScriptMismatch) -> [String] {
            Set(mismatch.locales.map(CountryRule.language)).sorted().map(Country.languageName)
        }
        let own = languages(mismatch)
        return warning(
            .scriptMismatch, at: mismatch.position, path: mismatch.path,
            subject: mismatch.locales.joined(separator: " "),
            "\(mismatch.text.quotedForMessage) is in the \(mismatch.script.name) script, which \(own.inProse()) "
                + "\(own.count == 1 ? "does" : "do") not use",
            hint: other.map { "swap the texts of \(own.inProse()) and \(languages($0).inProse())" }
                ?? "write it in \(own.inProse("or"))")
    }
}

extension Condition {
    /// Whether the condition holds in a locale; nil if that depends on more than the locale.
    fileprivate func holds(inLocale locale: String) -> Bool? {
        switch self {
        case .always: return true
        case .never: return false
        case .test("locale", let test): return test.passes(.text(locale))
        case .test, .rollout: return nil
        case .no(let condition): return condition.holds(inLocale: locale).map { !$0 }
        case .all(let conditions):
            let results = conditions.map { $0.holds(inLocale: locale) }
            return results.contains(false) ? false : results.contains(nil) ? nil : true
        case .any(let conditions):
            let results = conditions.map { $0.holds(inLocale: locale) }
            return results.contains(true) ? true : results.contains(nil) ? nil : false
        }
    }
}

extension String {
    fileprivate var hasLetters: Bool { contains(where: \.isLetter) }
}
