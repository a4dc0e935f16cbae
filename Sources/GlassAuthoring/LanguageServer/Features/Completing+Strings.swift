import Foundation
import GlassBase
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets
import GlassSchema
import LuaSyntax

/// Completions of codes, and within strings that have a syntax of their own.
extension ServerState {
    // MARK: Codes

    /// The currencies, countries or locales of a format, each with its name: those of the market's country first.
    func codes(of type: ValueType, _ question: CursorContext) -> [CompletionItem] {
        switch type {
        case .either(let types): return types.flatMap { codes(of: $0, question) }
        case .string(let format):
            let own = question.market.flatMap { Country($0.uppercased()) }
            let (first, rest): ([String], [CompletionItem])
            switch format.name {
            case "currency": (first, rest) = (own?.currencies ?? [], Self.currencies)
            case "country": (first, rest) = (own.map { [$0.code] } ?? [], Self.countries)
            case "locale": (first, rest) = (own?.locales ?? [], Self.locales)
            default: return []
            }
            return rest.filter { first.contains($0.label) } + rest.filter { !first.contains($0.label) }
        default: return []
        }
    }

    /// The name of a locale in English, such as "French (Canada)".
    static func name(ofLocale code: String) -> String {
        Locale(identifier: "en").localizedString(forIdentifier: code) ?? ""
    }

    // Built once: looking up hundreds of names takes longer than a completion may.
    private static let currencies = ISOCodes.currencies.all.map { code in
        let name = Locale(identifier: "en").localizedString(forCurrencyCode: code)
        return CompletionItem(text: code, kind: .value, detail: name ?? "")
    }
    private static let countries = ISOCodes.countries.all.map { code in
        let name = Locale(identifier: "en").localizedString(forRegionCode: code)
        return CompletionItem(text: code, kind: .value, detail: name ?? "")
    }
    private static let locales = Country.all.flatMap(\.locales).sorted().map {
        CompletionItem(text: $0, kind: .value, detail: name(ofLocale: $0))
    }

    // MARK: Places

    /// The screens or tabs that `show` can name: those of the app, of its features, and of the known markets; nil for
    /// other keys.
    func destinations(at path: ConfigurationPath, _ question: CursorContext) -> [CompletionItem]? {
        let keys = path.elements
        guard keys.count == 4, keys[0] == .key("routables"), keys[2] == .key("show"),
            keys[3] == .key("screen") || keys[3] == .key("tab")
        else { return nil }
        let (isScreen, folder) = (keys[3] == .key("screen"), folders[question.folder])
        let module = folder.loader.module
        var items = (isScreen ? module.screens : module.tabs).map { ($0, "of the app") }
        items += module.features.compactMap { feature in
            (isScreen ? feature.screen : feature.tab).map { ($0, "of \(feature.id)") }
        }
        for market in folder.provenance.keys.sorted() {
            guard case .map(let routables)? = folder.provenance[market]?.effective.node(at: "routables")?.value else {
                continue
            }
            let shown = ConfigurationPath([keys[2], keys[3]])
            items += routables.sorted { $0.key < $1.key }.compactMap { _, node in
                node.node(at: shown)?.value.stringValue.map { ($0, "as in \(market)") }
            }
        }
        var seen: Set<String> = []
        return items.filter { seen.insert($0.0).inserted }.prefix(Self.maximumPlaces).map {
            CompletionItem(text: $0.0, kind: .value, detail: $0.1)
        }
    }

    /// The regions that a test can name: the market's country and its regions first, then all countries.
    func regions(for question: CursorContext) -> [CompletionItem] {
        let own = question.market.flatMap { Country($0.prefix { $0 != "-" && $0 != "_" }.uppercased()) }
        let parts = (own?.regions ?? []).map { region in
            CompletionItem(text: "\(own?.code ?? "")-\(region.code)", kind: .value, detail: region.name)
        }
        return Self.countries.filter { $0.label == own?.code } + parts + Self.countries.filter { $0.label != own?.code }
    }

    /// The time zones behind a date and time, the ones that the file names first; nil elsewhere.
    func zones(
        in quotes: CompletionItem.Quotes, of attribute: String?, _ question: CursorContext
    ) -> [CompletionItem]? {
        guard question.offset >= quotes.bytes.lowerBound,
            case .date? = attributes(in: question).first(where: { $0.name == attribute })?.type
        else { return nil }
        let written = String(decoding: question.lines.bytes[quotes.bytes.lowerBound..<question.offset], as: UTF8.self)
        guard let match = written.firstMatch(of: /T[0-9]{2}:[0-9]{2}(?::[0-9]{2})? ([A-Za-z_\/+-]*)$/) else {
            return nil
        }
        let begun = match.output.1
        let file = String(decoding: question.lines.bytes, as: UTF8.self)
        let (used, others) = Self.zones.reduce(into: ([String](), [String]())) { lists, zone in
            if file.contains(zone) { lists.0.append(zone) } else { lists.1.append(zone) }
        }
        return (used + others).map { zone in
            var item = CompletionItem(
                label: zone, kind: .constant, detail: used.contains(zone) ? "as in this file" : "")
            item.replaced = question.offset - begun.utf8.count..<question.offset
            return item
        }
    }

    private static let zones = TimeZone.knownTimeZoneIdentifiers.filter { $0.contains("/") }.sorted()

    // MARK: Patterns and templates

    /// The parts of a pattern or of a template at the cursor; nil for any other string, and elsewhere in it.
    func parts(
        of quotes: CompletionItem.Quotes, at path: ConfigurationPath, _ question: CursorContext
    ) -> [CompletionItem]? {
        let keys = path.elements
        guard keys.count > 3, keys[0] == .key("routables"), case .key(let routable) = keys[1],
            question.offset >= quotes.bytes.lowerBound
        else { return nil }
        let written = question.lines.bytes[quotes.bytes.lowerBound..<question.offset]
        let text = String(decoding: written, as: UTF8.self)
        let next = question.offset < question.lines.bytes.count ? question.lines.bytes[question.offset] : 0
        /// The items in the place of the last letters before the cursor.
        func items(
            _ names: [(name: String, detail: String)], for begun: Substring, closing: String
        ) -> [CompletionItem] {
            names.map { name, detail in
                var item = CompletionItem(label: name, kind: .constant, detail: detail)
                item.text = name + (closing.utf8.first == next ? "" : closing)
                item.replaced = question.offset - begun.utf8.count..<question.offset
                return item
            }
        }
        switch (keys[2], keys.count) {
        case (.key("paths"), 4), (.key("customPaths"), 4):
            let segment = text.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
            guard segment.first == ":", !segment.contains(")") else { return nil }
            if let open = segment.firstIndex(of: "(") {
                return items(Self.parameterTypes, for: segment[segment.index(after: open)...], closing: ")")
            }
            let feature = folders[question.folder].loader.module.features.first { $0.id == routable }
            let required = (feature?.requires ?? []).map { ($0, "\(routable) needs it") }
            return items(required, for: segment.dropFirst(), closing: "")
        case (.key("show"), 5) where keys[3] == .key("parameters"):
            // Two braces are a brace, and no placeholder.
            let plain = text.replacing("{{", with: "  ")
            guard let open = plain.lastIndex(of: "{"), !plain[open...].contains(where: { "}|".contains($0) }) else {
                return nil
            }
            return items(placeholders(of: routable, question), for: plain[plain.index(after: open)...], closing: "}")
        default: return nil
        }
    }

    private static let parameterTypes = NamedParameterType.allCases.map(\.declaration).map {
        (name: $0.name, detail: $0.phrase)
    }

    /// The values that the links of a routable have: those of its patterns in the file, or else in the market.
    private func placeholders(
        of routable: String, _ question: CursorContext
    ) -> [(name: String, detail: String)] {
        let (outline, folder) = (question.outline, folders[question.folder])
        var patterns =
            question.market.flatMap { folder.provenance[$0] }?.routes
            .filter { $0.routable == routable }.map(\.pattern) ?? []
        for key in ["paths", "customPaths"] {
            guard let list = outline.entry(at: ConfigurationPath([.key("routables"), .key(routable), .key(key)])) else {
                continue
            }
            for child in outline.entries[list].children {
                if case .string(let text) = outline.entries[child].value { patterns.append(text) }
            }
        }
        var seen: Set<String> = []
        return patterns.prefix(Self.maximumPlaces).flatMap { text -> [(name: String, detail: String)] in
            guard let pattern = try? RoutePattern(text) else { return [] }  // a finding of the market
            return pattern.parameterNames.map { ($0, "in \(text)") }
                + pattern.requiredQuery.map { ("?\($0)", "a query item of \(text)") }
        }.filter { seen.insert($0.name).inserted }
    }
}
