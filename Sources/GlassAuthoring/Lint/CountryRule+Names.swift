import GlassBase
import GlassDeepLinking
import GlassMarkets
import GlassSchema

/// What a market's country and languages say about its postal codes, the names of its regions, and the languages that
/// cookies and preferences name.
extension CountryRule {
    /// The pattern of postal codes should match codes of the country.
    mutating func comparePostalCodes() {
        for path in lint.paths(.postalPattern) { comparePostalCodes(at: path) }
    }

    private mutating func comparePostalCodes(at path: ConfigurationPath) {
        guard isOwn(path), !market.origin.decisions.isExample(path), let code = country.postalCodes.first,
            let text = lint.source.node(at: path)?.value.stringValue
        else { return }
        let pattern: TextPattern
        do {
            pattern = try TextPattern(text)
        } catch {
            return  // the value has an error of its own
        }
        let written = country.postalCodes.flatMap { code in
            [code, code.filter { $0 != " " && $0 != "-" }, code.replacing("-", with: " "), code.lowercased()]
        }
        guard !written.contains(where: pattern.matches) else { return }
        report(
            path, with: place.map { [$0] } ?? [], subject: text,
            "\(text.quotedForMessage) does not match \(code.quotedForMessage), a postal code of \(named)",
            hint: country.postalCodeShape.map { "write a pattern such as \($0.pattern.quotedForMessage)" })
    }

    /// The name of a region should not be that of another one.
    mutating func compareRegionNames() {
        for path in lint.paths(.regions) where isOwn(path) {
            for region in lint.elements(.regions) where region.list == path {
                guard let code = region.text(.regionCode)?.text, let name = region.text(.regionName),
                    let own = country.regions.first(where: { $0.code == code }), own.name != name.text,
                    let other = country.region(named: name.text), other.code != code, own.name != other.name
                else { continue }
                report(
                    name.path, with: [path], subject: name.text,
                    "\(name.text.quotedForMessage) is the region \(other.code.quotedForMessage), not "
                        + code.quotedForMessage,
                    meant: own.name)
                break
            }
        }
    }

    /// A cookie or a default that names a language should name one of the market's.
    mutating func compareLanguageNames() {
        let known = Set(market.definition.locales.map(Self.language))
        var named: [(path: ConfigurationPath, name: String, text: String)] = []
        for cookie in lint.elements(.cookies) {
            guard let name = cookie.text(.cookieName), let value = cookie.text(.cookieValue) else { continue }
            named.append((value.path, name.text, value.text))
        }
        for (section, field) in defaults {
            guard case .map(let entries)? = lint.source.node(at: section)?.value else { continue }
            for (name, node) in entries.inOrder {
                let inner = field.map { ConfigurationPath([.key($0)]) } ?? ConfigurationPath()
                guard let text = node.node(at: inner)?.value.stringValue else { continue }
                let path = ConfigurationPath(section.elements + [.key(name)] + inner.elements)
                named.append((path, name, text))
            }
        }
        for (path, name, text) in named where Self.isLanguage(name) {
            let language = String(text.prefix { $0 != "-" && $0 != "_" }).lowercased()
            guard isOwn(path), (2...3).contains(language.utf8.count), text.utf8.count <= 11, !known.contains(language),
                Country.languageName(language) != language
            else { continue }
            report(
                path, with: ["locales"], subject: text,
                "\(name) is \(text.quotedForMessage), but none of the market's locales is in "
                    + Country.languageName(language),
                meant: known.count == 1 && text == language ? known.first : nil,
                hint: "write \(known.count == 1 ? "" : "one of ")"
                    + known.sorted().map(\.quotedForMessage).joined(separator: ", "))
        }
    }

    /// The tables of values by name, and the field of an entry that has the value.
    private var defaults: [(section: ConfigurationPath, field: String?)] {
        lint.paths(.userDefaults).map { ($0, nil) }
            + lint.paths(.preferences).compactMap { path in
                market.schema.name(of: .preferenceDefault, inEach: path).map { (path, $0) }
            }
    }

    private static func isLanguage(_ name: String) -> Bool {
        let name = name.lowercased()
        return ["language", "lang", "locale"].contains { name == $0 || name.hasSuffix($0) }
    }
}
