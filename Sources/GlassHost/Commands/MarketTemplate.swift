import Foundation
import GlassAuthoring
import GlassBase
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// The files of a new market.
///
/// What CLDR and ISO 3166-2 say about its country is written as it is. What no source says, such as its hosts, is
/// written as an example in `undecided`, so that `check` lists it until it is decided.
struct MarketTemplate {
    let id: String
    let name: String
    /// The schema of the app's markets.
    let schema: MarketSchema
    /// The market that the new one extends, if any.
    let base: Market?
    /// The abstract base that the new market extends, if any.
    var abstract: AbstractBase?

    /// The country that the id names; nil for an id such as `shop`.
    let country: Country?
    /// What the user decided.
    var choices = Choices()

    /// Values that the user gives in place of those of the country and of examples.
    struct Choices {
        /// The languages, the first as the default; nil for those of the country.
        var locales: [String]?
        /// The currency; nil for that of the country.
        var currency: String?
        /// The scheme of links; nil for an example.
        var scheme: String?
    }

    /// The languages that are known without an example.
    private var locales: [String]? { choices.locales ?? country?.locales }
    /// The currency that is known without an example.
    private var currency: String? { choices.currency ?? country?.currencies.first }

    /// Creates a template.
    ///
    /// - Parameters:
    ///   - id: The market's id. It names a country if it begins with the country's code: `br`, `br-wholesale`.
    ///   - name: The market's name; by default that of its country or of the base's region, otherwise the id.
    ///   - schema: The schema of the app's markets.
    ///   - base: The market that the new one extends.
    init(id: String, name: String?, schema: MarketSchema, base: Market?) {
        let code = id.prefix { $0 != "-" && $0 != "_" }.uppercased()
        country = Country(code)
        self.id = id
        self.schema = schema
        self.base = base
        let region = base.flatMap(Self.country)?.regions.first { $0.code == code }
        self.name = name ?? country?.name ?? region?.name ?? id.uppercased()
    }

    /// Creates the template of a market in the folder that the options name, once its base has been checked: a market
    /// that extends a broken one would be broken, too.
    init(
        id: String, name: String?, extending: String?, choosing choices: Choices = Choices(), _ loader: MarketLoader,
        _ session: Session
    ) throws {
        let options = session.options
        if let named = options.namedMarkets, !FileManager.default.fileExists(atPath: named) {
            throw CommandFailure(
                status: .impossible, "there is no folder \(named); create it first, or name another with --markets DIR")
        }
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: options.markets, isDirectory: &isFolder), !isFolder.boolValue {
            throw CommandFailure(
                status: .impossible,
                "cannot use the markets folder \(options.markets): not a directory; name another with --markets DIR")
        }
        if options.namedMarkets == nil, isFolder.boolValue {
            // Report a symbolic link that leads out of the project before anything else.
            _ = try session.reporting { try loader.folder.marketIDs() }
        }
        let abstract = extending.flatMap { loader.folder.isAbstract($0) ? $0 : nil }
        let base = try extending.flatMap { base in
            try abstract == nil ? session.reporting { try loader.load(base) } : nil
        }
        self.init(id: id, name: name, schema: loader.schema, base: base)
        self.choices = choices
        if let abstract { self.abstract = try session.reporting { try self.base(abstract, in: loader) } }
    }

    /// The file of a market in the folder that the options name.
    static func target(of id: String, _ options: GlobalOptions) -> OutputFile.Target {
        guard let named = options.namedMarkets else {
            return OutputFile.Target("markets/\(id).lua", below: ProjectFolder.current)
        }
        return OutputFile.Target("\(id).lua", below: MarketFolder(path: named).path)
    }

    /// The country of a market.
    private static func country(of market: Market) -> Country? {
        guard let place = market.schema.path(.country) else { return nil }
        return market.effective.node(at: place)?.value.stringValue.flatMap(Country.init)
    }

    /// An abstract base, and what a market must add to it.
    struct AbstractBase {
        let id: String
        /// The required keys that it does not set, with example values.
        let fields: DisplayText
        /// The routables that a market with these keys has.
        let routables: [String]
    }

    /// Finds out what the new market must add to an abstract base.
    func base(_ base: String, in loader: MarketLoader) throws -> AbstractBase {
        func check(_ fields: DisplayText) throws -> MarketCheck {
            let text = extending(AbstractBase(id: base, fields: fields, routables: []))
            return try loader.replacing(["\(id).lua": Array(text.plain.utf8)]).check(id)
        }
        let bare = try check("")
        // A market that extends a broken base would be broken, too.
        let errors = bare.findings.filter { $0.severity == .error && $0.code != .missingKey }
        guard errors.isEmpty else { throw MarketError.invalid(base, findings: errors) }
        var missing = Set(bare.findings.filter { $0.code == .missingKey }.map(\.path.description))
        var fields: DisplayText = ""
        if let locales, missing.remove("locales") != nil || choices.locales != nil {
            fields += "  locales = \(list(locales)),\n"
        }
        if let currency, missing.remove("currency") != nil || choices.currency != nil {
            fields += "  currency = \(currency.luaLiteral),\n"
        }
        fields += RequiredKeys(secretPrefix: schema.module.secretPrefixes.first ?? "").fields(
            of: schema.declaration, among: missing, indent: 2)
        return AbstractBase(
            id: base, fields: fields, routables: try check(fields).market.map(Self.routables) ?? [])
    }

    private static func routables(of market: Market) -> [String] {
        market.routes.filter { !$0.pattern.contains(":") && !$0.pattern.contains("*") }.map(\.routable)
    }

    private func extending(_ base: AbstractBase) -> DisplayText {
        """
        -- \(name): everything else is inherited from the abstract base \(base.id).lua.

        return market {
          id = \(id.luaLiteral), name = \(name.luaLiteral), extends = \(base.id.luaLiteral),

        \(base.fields)\
          deepLinking = {
            schemes = \(schemes),
          },
        }

        """
    }

    /// The custom scheme of the new market: the base's scheme with the new id, such as `walmart.ca`.
    private var scheme: String {
        if let scheme = choices.scheme { return scheme }
        guard let first = base?.definition.deepLinking.schemes.first else { return "shop.\(id)" }
        return "\(first.split(separator: ".").first ?? "shop").\(id)"
    }

    /// The schemes, as an example unless the user gave one.
    private var schemes: DisplayText { "\(choices.scheme == nil ? "undecided " : ""){ \(scheme.luaLiteral) }" }

    /// The market file.
    var market: DisplayText {
        base.map(extending) ?? abstract.map(extending) ?? standingAlone
    }

    /// A test that the new market passes.
    var test: DisplayText {
        """
        -- Tests of the market \(id): `\(ProgramName.current) test --filter \(id)` runs them.
        local market = glass.market(\(id.luaLiteral))

        glass.test(\("\(id) opens its own links".luaLiteral), function()
          local link = market:link(\(routable.luaLiteral))
          glass.expect(link):toContain(\("\(scheme)://".luaLiteral))
          glass.expect(market:open(link).routable):toBe(\(routable.luaLiteral))
        end)

        """
    }

    /// A routable without parameters: `home`, or the first one of the base.
    private var routable: String {
        let ids = base.map(Self.routables) ?? abstract?.routables
        guard let ids, !ids.contains("home"), let first = ids.first else { return "home" }
        return first
    }

    // MARK: A market that extends another

    private func extending(_ base: Market) -> DisplayText {
        let (own, inherited) = (ofCountry(base), inherited(base))
        let note: DisplayText =
            "-- Inherited from \(base.id) until set here. Uncomment a line to set it, even to the same value."
        var lines: [DisplayText]
        if let own {
            lines = own.top
            if !own.platform.isEmpty || !inherited.isEmpty {
                lines += ["", "  platform = {"] + own.platform
                lines += inherited.isEmpty ? [] : ["", "    \(note)"] + inherited.map { "    -- \($0)" }
                lines += ["  },"]
            }
        } else {
            lines = chosen
            let left = [choices.locales == nil ? "locales" : nil, choices.currency == nil ? "currency" : nil]
            lines += ["", "  \(note)"] + comment(left.compactMap(\.self), base, below: nil, indent: 2)
            if !inherited.isEmpty { lines += ["  -- platform = {"] + inherited.map { "  --   \($0)" } + ["  -- },"] }
        }
        return """
            -- \(name): everything else is inherited from \(base.definition.name) (\(base.id).lua).

            return market {
              id = \(id.luaLiteral), name = \(name.luaLiteral), extends = \(base.id.luaLiteral),
            \(lines.joined(separator: "\n"))

              deepLinking = {
                schemes = \(schemes),
            \(comment(["universalLinks"], base, below: "deepLinking", indent: 4).joined(separator: "\n"))
              },

              routables = {
                -- account = { paths = { "myaccount" } },      replaces the standard paths
                -- item = { customPaths = { "p/:itemID" } },   adds to them
                -- pharmacy = false,                           disables a routable in this market
              },
            }

            """
    }

    /// The values that the user gave.
    private var chosen: [DisplayText] {
        [
            choices.locales.map { "  locales = \(list($0))," },
            choices.currency.map { "  currency = \($0.luaLiteral)," },
        ].compactMap(\.self)
    }

    /// The values of the new market's country: those of the market itself, and those of the platform. Nil if the country
    /// is that of the base, or if none is known.
    private func ofCountry(_ base: Market) -> (top: [DisplayText], platform: [DisplayText])? {
        guard let country, country.code != Self.country(of: base)?.code else { return nil }
        var top: [DisplayText] = ["  locales = \(list(locales ?? country.locales)),"]
        if let currency { top.append("  currency = \(currency.luaLiteral),") }
        var platform: [DisplayText] = []
        if base.effective.value(at: ["platform", "urlSession", "headers", "Accept-Language"]) != nil {
            platform.append("    urlSession = { headers = { [\"Accept-Language\"] = \(acceptLanguage(country)) } },")
        }
        if case .string(let code)? = base.effective.value(at: Self.analyticsCountry), Country(code) != nil {
            platform.append("    aniviaSuperAttributes = { attributes = { country = \(country.code.luaLiteral) } },")
        }
        if base.effective.value(at: ["platform", "address", "country"]) != nil {
            platform.append(address(country, like: base))
        }
        if case .string(let title)? = base.effective.value(at: ["platform", "errors", "unknown", "title"]),
            case .string(let message)? = base.effective.value(at: ["platform", "errors", "unknown", "message"]),
            let language = base.definition.locales.first?.prefix(while: { $0 != "-" }),
            locales?.contains(where: { $0.hasPrefix("\(language)-") }) != true
        {
            platform += [
                "    -- The error messages are in the language of \(base.id) until you set them here.",
                "    errors = undecided {",
                "      unknown = { title = \(title.luaLiteral), message = \(message.luaLiteral) },", "    },",
            ]
        }
        return (top, platform)
    }

    private static let analyticsCountry = ["platform", "aniviaSuperAttributes", "attributes", "country"]

    private func acceptLanguage(_ country: Country) -> DisplayText {
        "\((locales ?? country.locales).joined(separator: ", ").luaLiteral)"
    }

    /// The platform's keys that each market should set for itself, with the base's values. Only those directly in a
    /// section of the platform.
    private func inherited(_ base: Market) -> [DisplayText] {
        schema.declaration.identifyingKeys.compactMap { path, _ in
            let names = path.description.split(separator: ".")
            guard names.count == 3, names[0] == "platform", let value = base.effective.node(at: path)?.value else {
                return nil
            }
            return "\(names[1]) = { \(names[2]) = \(value.summary) },"
        }
    }

    /// Keys with the base's values, commented out.
    private func comment(_ keys: [String], _ base: Market, below section: String?, indent: Int) -> [DisplayText] {
        keys.compactMap { key in
            let path = ConfigurationPath([section, key].compactMap { $0.map { .key($0) } })
            return base.effective.node(at: path).map {
                "\(String(repeating: " ", count: indent))-- \(key) = \($0.value.summary),"
            }
        }
    }

    // MARK: A market without a base

    private var standingAlone: DisplayText {
        let own = RequiredKeys(secretPrefix: schema.module.secretPrefixes.first ?? "").fields(
            of: schema.declaration,
            omitting: ["id", "name", "locales", "currency", "deepLinking", "platform", "routables"], indent: 2)
        let locales = locales.map(list) ?? "undecided { \"en-US\" }"
        let currency: DisplayText = currency.map { "\($0.luaLiteral)" } ?? "undecided \"USD\""
        return """
            -- \(name): a market without a base. `\(ProgramName.current) schema markdown` lists every key.
            -- Values in undecided are examples: replace each of them, along with the word undecided.

            return market {
              id = \(id.luaLiteral), name = \(name.luaLiteral),
              locales = \(locales), currency = \(currency),

              deepLinking = {
                schemes = \(schemes),
              },

            \(schema.declaration.key("platform") == nil ? "" : platform)\(own.isEmpty ? "" : own + "\n")\
              routables = {
                \(home),
              },
            }

            """
    }

    /// The app's `home` and `cart`, or a new `home` if the app does not define it.
    private var home: DisplayText {
        let known: [DisplayText] = ["home", "cart"].filter { schema.module.features.map(\.id).contains($0) }
            .map { "\($0) = {}" }
        guard known.first?.plain == "home = {}" else {
            return "home = { paths = { \"home\" }, show = { screen = \"home\" } }"
        }
        return known.joined(separator: ",\n    ")
    }

    /// The required keys of the platform.
    private var platform: DisplayText {
        let languages: DisplayText =
            country.map { "\n    urlSession = { headers = { [\"Accept-Language\"] = \(acceptLanguage($0)) } }," } ?? ""
        return """
              platform = {
                userDefaultsRegistration = { suite = undecided \("group.com.example.\(id)".luaLiteral) },
                aniviaSuperAttributes = { tenant = undecided \(id.luaLiteral) },
                environment = {
                  default = "production",
                  environments = { production = { services = { api = undecided "https://api.example.com" } } },
                },\(languages)
                networking = { defaultService = "api" },
                analytics = { sinks = { "collector" }, collector = { service = "api" } },
                appInfo = {
                  name = \(name.luaLiteral), version = "1.0", build = 1,
                  bundleIdentifier = undecided \("com.example.\(id)".luaLiteral),
                  teamIdentifier = undecided "ABCDE12345", appStoreIdentifier = undecided "1",
                  android = {
                    package = undecided \("com.example.\(id.replacing("-", with: "_"))".luaLiteral),
                    certificateDigests = undecided {
                      "\(Array(repeating: "00", count: 32).joined(separator: ":"))",
                    },
                  },
                },
                preferences = { suite = undecided \("group.com.example.\(id)".luaLiteral), keys = {} },
            \(address(country, like: nil))
              },


            """
    }

    /// The section of addresses: the country and its regions, and examples for what no source says.
    private func address(_ country: Country?, like base: Market?) -> DisplayText {
        var lines: [DisplayText] = [
            "    address = {", "      country = \(country.map { "\($0.code.luaLiteral)" } ?? "undecided \"US\""),",
        ]
        let hasPostalCodes = country?.hasNoPostalCodes != true
        if base == nil {
            let fields = ["recipient", "street", "city", "region"] + (hasPostalCodes ? ["postalCode"] : [])
            lines += [
                "      fieldOrder = undecided \(list(fields)),",
                "      requiredFields = undecided { \"recipient\", \"street\", \"city\" },",
            ]
        }
        if hasPostalCodes {
            let (pattern, example) = country?.postalCodeShape ?? ("[0-9]{5}", "12345")
            lines.append(
                "      postalCodePattern = undecided \(pattern.luaLiteral), postalCodeExample = undecided \(example.luaLiteral),"
            )
        } else if let base {
            lines += withoutPostalCode(base)
        }
        lines.append(regions(country))
        lines.append("    },")
        return lines.joined(separator: "\n")
    }

    /// What a country without postal codes changes in the addresses of a base market.
    private func withoutPostalCode(_ base: Market) -> [DisplayText] {
        func texts(_ key: String) -> [String] {
            guard case .list(let nodes)? = base.source.value(at: ["platform", "address", key]) else { return [] }
            return nodes.compactMap { $0.value.stringValue }
        }
        let field = "postalCode"
        var lines: [DisplayText] = ["      -- Addresses in \(name) have no postal code."]
        for key in ["fieldOrder", "requiredFields"] {
            let fields = texts(key)
            if fields.contains(field) { lines.append("      \(key) = \(list(fields.filter { $0 != field })),") }
        }
        let written = texts("lines")
        let left = written.map { $0.replacing(/[ ,]*{postalCode}/, with: "").trimmingWhitespace }.filter { !$0.isEmpty }
        if left != written { lines.append("      lines = \(list(left)),") }
        let keys = ["postalCodePattern", "postalCodeExample"].filter {
            base.source.value(at: ["platform", "address", $0]) != nil
        }
        if !keys.isEmpty { lines.append("      \(keys.map { "\($0) = unset," }.joined(separator: " "))") }
        return lines
    }

    private func regions(_ country: Country?) -> DisplayText {
        guard let country else { return "      regions = undecided { { code = \"AR\", name = \"Arkansas\" } }," }
        guard country.regions.count <= 200 else { return "      regions = undecided {}," }
        guard !country.regions.isEmpty else { return "      regions = {},  -- ISO 3166-2 does not divide \(name)" }
        var lines: [DisplayText] = []
        for region in country.regions {
            let entry: DisplayText = "{ code = \(region.code.luaLiteral), name = \(region.name.luaLiteral) },"
            if let last = lines.last, last.plain.count + entry.plain.count < 110 {
                lines[lines.count - 1] = "\(last) \(entry)"
            } else {
                lines.append("        \(entry)")
            }
        }
        return "      regions = {\n\(lines.joined(separator: "\n"))\n      },"
    }

    private func list(_ texts: [String]) -> DisplayText {
        "{ \(texts.map { "\($0.luaLiteral)" as DisplayText }.joined(separator: ", ")) }"
    }
}

extension ConfigurationNode {
    /// The value at the keys, whose names may contain dots.
    fileprivate func value(at keys: [String]) -> ConfigurationValue? {
        node(at: ConfigurationPath(keys.map { .key($0) }))?.value
    }
}
