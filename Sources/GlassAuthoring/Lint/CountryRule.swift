import GlassBase
import GlassDeepLinking
import GlassMarkets
import GlassSchema

/// Compares the values of a market that depend on its country: the currency, the locales, the regions, the postal
/// code, and the domains of cookies.
///
/// If the country itself contradicts the currency and the locales, only the country is reported: it is the one value
/// that is wrong then.
struct CountryRule {
    let lint: MarketLint
    /// The key of the market's country; nil if no key is one, so that the country is that of the locales.
    let place: ConfigurationPath?
    let country: Country
    private var findings: [Finding] = []

    var market: ValidValues { lint.market }

    /// The warnings about a market; only those about its texts if it names no country.
    static func findings(in lint: MarketLint) -> [Finding] {
        guard let country = lint.country else {
            return lint.market.isValid("locales") ? lint.untranslatedTexts : []
        }
        var rule = CountryRule(lint, country)
        let isWritten = rule.place.flatMap(lint.source.node) != nil
        // A value with an error is not compared.
        let hasCurrency = lint.market.isValid("currency")
        let hasLocales = lint.market.isValid("locales")
        if isWritten, hasCurrency, hasLocales, rule.contradictsTheRest() { return rule.findings }
        if hasCurrency { rule.compareCurrency() }
        if hasLocales {
            rule.compareLocales()
            rule.compareHeaders()
        }
        rule.compareCountryNames()
        rule.comparePostalCodes()
        if !rule.inheritsAddress() {
            rule.compareRegions()
            rule.compareRegionNames()
        }
        let hosts = ["deepLinking"] + lint.paths(.environments)
        if hosts.allSatisfy(lint.market.isValid) { rule.compareCookies() }
        if hasLocales {
            rule.compareLanguageNames()
            // If the locales are wrong, texts in another language only follow from that.
            if rule.suitsLocales { rule.findings += lint.untranslatedTexts }
        }
        return rule.findings
    }

    /// Whether the locales suit the country: each of them, or at least one with an official language.
    private var suitsLocales: Bool {
        let doubts = findings.filter {
            [.key("locales"), .key("currency")].contains($0.path.elements.first) || $0.path == place
        }
        return doubts.isEmpty
            || doubts.allSatisfy { $0.path.elements.first == .key("locales") }
                && market.definition.locales.contains(where: country.locales.contains)
    }

    private init(_ lint: MarketLint, _ country: Country) {
        self.lint = lint
        self.country = country
        place = lint.placeOfCountry
    }

    /// The country of a locale such as `fr-CA`; nil for one of an area, such as `es-419`.
    private static func region(_ locale: String) -> String? {
        LocaleCode(locale)?.country
    }

    /// The language of a locale such as `fr-CA`.
    static func language(_ locale: String) -> String { String(locale.prefix { $0 != "-" }) }

    private var places: [ConfigurationPath] { place.map { [$0] } ?? [] }

    /// The country in messages: `CA (Canada)`, because some names need an article.
    var named: String { Self.named(country) }

    private static func named(_ country: Country) -> String { "\(country.code) (\(country.name))" }

    /// Whether the market's own file, or a file that it includes, sets a key.
    func isOwn(_ path: ConfigurationPath) -> Bool {
        lint.source.node(at: path).map(lint.isOwn) ?? false
    }

    /// Adds a finding, unless all of the values that disagree are inherited: then it belongs to the base.
    ///
    /// - Parameters:
    ///   - path: The key of the value that is reported.
    ///   - others: The keys of the values that it disagrees with. If the value itself is inherited, the finding is at
    ///     the first of these that the market sets.
    ///   - meant: The text that was probably meant, if there is only one.
    ///   - hint: The advice, if there is no such text.
    mutating func report(
        _ path: ConfigurationPath, with others: [ConfigurationPath], subject: String, _ message: String,
        meant: String? = nil, hint: String? = nil
    ) {
        guard let (place, node) = lint.ownPlace(of: [path] + others) else { return }
        var advice = Advice(hint)
        if let meant {
            advice = place == path ? .write(meant, for: subject) : Advice("set \(path) = \(meant.quotedForMessage)")
        }
        findings.append(
            lint.warning(
                .countryMismatch, at: node.position, path: path, subject: subject, message, hint: advice.hint,
                correction: advice.correction))
    }

    // MARK: The country

    /// Reports the country if the currency and all locales belong to one other country.
    private mutating func contradictsTheRest() -> Bool {
        let regions = Set(market.definition.locales.compactMap(Self.region))
        guard let other = regions.first.flatMap(Country.init), regions.count == 1, other.code != country.code,
            other.currencies.contains(market.definition.currency),
            !country.currencies.contains(market.definition.currency)
        else { return false }
        let locales = market.definition.locales.map(\.quotedForMessage).joined(separator: ", ")
        report(
            place ?? "locales", with: ["locales", "currency"], subject: country.code,
            "\(named) does not match the locale\(market.definition.locales.count == 1 ? "" : "s") \(locales) and the "
                + "currency \(market.definition.currency)",
            meant: other.code)
        return true
    }

    // MARK: Currency and languages

    private mutating func compareCurrency() {
        let currency = market.definition.currency
        // A market without a currency has a finding already.
        guard let usual = country.currencies.first, !currency.isEmpty, !country.currencies.contains(currency) else {
            return
        }
        let end = ISOCodes.formerCurrencies[currency]
        report(
            "currency", with: places + ["locales"], subject: currency,
            end.map { "\(currency) is no longer in use: it was legal tender until \($0)" }
                ?? "\(currency) is not a currency of \(named)", meant: usual)
    }

    private mutating func compareLocales() {
        let locales = market.definition.locales
        let spoken = Set(country.officialLanguages + country.otherLanguages)
        for (offset, locale) in locales.enumerated() {
            let language = Self.language(locale)
            let path = ConfigurationPath([.key("locales"), .index(offset + 1)])
            let others = ["locales"] + places
            if let region = Self.region(locale), region != country.code {
                // One finding for all locales, because they were probably copied from another market.
                let foreign = locales.filter { Self.region($0).map { $0 != country.code } == true }
                let meant = foreign.map {
                    spoken.contains(Self.language($0)) ? "\(Self.language($0))-\(country.code)" : country.locales[0]
                }
                let names = foreign.map(\.quotedForMessage).joined(separator: ", ")
                return report(
                    path, with: others, subject: locale,
                    "\(names) \(foreign.count == 1 ? "is not a locale" : "are not locales") of \(named), the market's country",
                    meant: foreign.count == 1 ? meant[0] : nil,
                    hint: "write \(meant.map(\.quotedForMessage).joined(separator: ", "))")
            }
            guard !spoken.contains(language) else { continue }
            let usual = country.locales.map(\.quotedForMessage).joined(separator: ", ")
            report(
                path, with: others, subject: locale,
                "\(Country.languageName(language)) is not among the languages of \(named)",
                hint: "its official \(country.locales.count == 1 ? "locale is" : "locales are") \(usual)")
        }
    }

    /// The languages that requests ask for should be those of the market.
    private mutating func compareHeaders() {
        let known = Set(market.definition.locales.map(Self.language))
        for section in lint.paths(.headers) {
            guard case .map(let headers)? = lint.source.node(at: section)?.value else { continue }
            for (name, node) in headers.sorted(by: { $0.key < $1.key }) where name.lowercased() == "accept-language" {
                let asked = (node.value.stringValue ?? "").split(separator: ",").map {
                    String($0.prefix { $0 != ";" }).trimmingWhitespace
                }
                // Sites often ask for another language as the last resort, but not for one with the market's country.
                let foreign = asked.filter { $0 != "*" && !known.contains(Self.language($0).lowercased()) }
                let local = foreign.filter { Self.region($0) == country.code }
                if !local.isEmpty, foreign.count < asked.count, isOwn(section.appending(name)) {
                    report(
                        section.appending(name), with: [], subject: local.joined(separator: ","),
                        "\(local.inProse()) \(local.count == 1 ? "is not a locale" : "are not locales") of the market",
                        hint: "set it to \(market.definition.locales.joined(separator: ", ").quotedForMessage)")
                    continue
                }
                guard !foreign.isEmpty, foreign.count == asked.count,
                    // If the locales are wrong, an inherited header only follows from that.
                    findings.isEmpty || isOwn(section.appending(name))
                else { continue }
                report(
                    section.appending(name), with: ["locales"], subject: foreign.joined(separator: ","),
                    "requests ask for \(foreign.joined(separator: ", ")), but none of the market's locales is in "
                        + (foreign.count == 1 ? "that language" : "these languages"),
                    hint: "set it to \(market.definition.locales.joined(separator: ", ").quotedForMessage)")
            }
        }
    }

    /// Other keys that name a country, and what events and preferences call `country`, should name the same one.
    private mutating func compareCountryNames() {
        let others =
            lint.paths(.country).filter { $0 != place }
            + (lint.paths(.eventAttributes) + lint.paths(.userDefaults)).map { $0.appending("country") }
        let found = others.compactMap { path in
            lint.source.node(at: path)?.value.stringValue.map { (path: path, text: $0) }
        }
        for (path, text) in found.sorted(by: { $0.path.description < $1.path.description })
        where text != country.code && Country(text) != nil {
            report(
                path, with: places, subject: text,
                "\(text.quotedForMessage) is not the market's country, \(named)", meant: country.code)
        }
    }

    // MARK: Addresses and cookies

    /// The regions should be those of the country.
    private mutating func compareRegions() {
        let regions = lint.elements(.regions)
        guard !country.regions.isEmpty else { return }
        let known = Set(country.regions.map(\.code) + country.innerRegionCodes)
        for path in lint.paths(.regions) {
            let own = regions.filter { $0.list == path }
            let foreign = own.compactMap { region -> (path: ConfigurationPath, code: String, name: String?)? in
                guard let code = region.text(.regionCode), !known.contains(code.text) else { return nil }
                return (code.path, code.text, region.text(.regionName)?.text)
            }
            if !foreign.isEmpty { report(foreign, of: own.count, at: path) }
        }
    }

    private mutating func report(
        _ foreign: [(path: ConfigurationPath, code: String, name: String?)], of count: Int, at path: ConfigurationPath
    ) {
        let first = foreign[0]
        let others = [path] + places
        let usual = country.regions.prefix(4).map(\.code).joined(separator: ", ")
        if foreign.count > 1, foreign.count * 2 > count {
            return report(
                path, with: others, subject: country.code, "most of these are not regions of \(named)",
                hint: "ISO 3166-2 has \(usual), and more")
        }
        let codes = foreign.map(\.code.quotedForMessage).joined(separator: ", ")
        report(
            first.path, with: others, subject: first.code,
            "\(codes) \(foreign.count == 1 ? "is not a region" : "are not regions") of \(named)",
            meant: foreign.count == 1 ? first.name.flatMap(country.region(named:))?.code : nil,
            hint: "ISO 3166-2 has \(usual), and more")
    }

    /// Regions and postal codes belong to a country, so a market of another country than its base sets its own.
    ///
    /// - Returns: Whether it inherits some.
    private mutating func inheritsAddress() -> Bool {
        guard let place else { return false }
        let bases = market.origin.baseLayers.reversed()
        guard isOwn(place), let code = bases.lazy.compactMap({ $0.node(at: place)?.value.stringValue }).first,
            let other = Country(code), other.code != country.code
        else { return false }
        // Those beside the country, which are about the same address.
        let schema = market.schema
        let (regions, pattern) = (schema.path(.regions, beside: place), schema.path(.postalPattern, beside: place))
        let inherited = [regions, pattern].compactMap(\.self).filter { path in
            lint.source.node(at: path) != nil && !isOwn(path)
        }
        guard let first = inherited.first else { return false }
        let names = inherited.compactMap(\.lastKey)
        report(
            place, with: [], subject: names.joined(separator: " "),
            "\(names.joined(separator: " and ")) \(inherited == [pattern] ? "is" : "are") inherited from "
                + "an address in \(Self.named(other))",
            hint:
                "set \(inherited.count == 1 ? names[0] : "both") in \(ConfigurationPath(Array(first.elements.dropLast())))"
        )
        return inherited.first == regions
    }

    /// A cookie is only sent to hosts in its domain.
    private mutating func compareCookies() {
        let cookies = lint.elements(.cookies)
        let hosts = cookies.isEmpty ? [] : market.hosts
        guard !hosts.isEmpty else { return }
        for cookie in cookies {
            guard let (written, path) = cookie.text(.cookieDomain) else { continue }
            let domain = written.drop { $0 == "." }.lowercased()
            let reached = hosts.contains { $0 == domain || $0.hasSuffix(".\(domain)") || domain.hasSuffix(".\($0)") }
            guard !reached else { continue }
            // A site's cookies are for the domain of its links.
            let links = Set(market.definition.deepLinking.universalLinks.map { DomainName($0.lowercased()).domain })
            let usual = (links.isEmpty ? Set(hosts.map { DomainName($0).domain }) : links).sorted()
            report(
                path, with: [cookie.list],
                subject: written,
                "no host of the market is in \(written.quotedForMessage), so the cookie is never sent",
                meant: usual.count == 1 ? (written.hasPrefix(".") ? "." : "") + usual[0] : nil,
                hint: "the market's links are in \(usual.prefix(4).map(\.quotedForMessage).joined(separator: ", "))")
        }
    }
}

extension ValidValues {
    /// The hosts that the market's links and services use, in lowercase.
    fileprivate var hosts: Set<String> {
        var hosts = Set(definition.deepLinking.universalLinks.map { UniversalHost($0.lowercased()).fileHost })
        hosts.formUnion(definition.deepLinking.allowedDomains.map { $0.name.lowercased() })
        for path in schema.paths(.environments) {
            guard case .map(let environments)? = source.node(at: path)?.value,
                let urls = schema.name(of: .serviceURLs, inEach: path)
            else { continue }
            for environment in environments.values {
                guard case .map(let services)? = environment.node(at: ConfigurationPath([.key(urls)]))?.value else {
                    continue
                }
                hosts.formUnion(services.values.compactMap { $0.value.stringValue?.hostOfURL })
            }
        }
        return hosts
    }
}
