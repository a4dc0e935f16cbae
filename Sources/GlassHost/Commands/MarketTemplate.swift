import GlassBase
import Foundation
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// The files of a new market.
struct MarketTemplate {
    let id: String
    let name: String
    /// The schema of the app's markets.
    let schema: MarketSchema
    /// The market that the new one extends, if any.
    let base: Market?

    /// The custom scheme of the new market: the base's scheme with the new id, such as `walmart.ca`.
    private var scheme: String {
        guard let first = base?.definition.deepLinking.schemes.first else { return "shop.\(id)" }
        return "\(first.split(separator: ".").first ?? "shop").\(id)"
    }

    /// The market file.
    var market: DisplayText {
        base.map(extending) ?? standingAlone
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
        let ids = base?.routes.filter { !$0.pattern.contains(":") && !$0.pattern.contains("*") }.map(\.routable)
        guard let ids, !ids.contains("home"), let first = ids.first else { return "home" }
        return first
    }

    private func extending(_ base: Market) -> DisplayText {
        """
        -- \(name): everything else is inherited from \(base.definition.name) (\(base.id).lua).

        return market {
          id = \(id.luaLiteral), name = \(name.luaLiteral), extends = \(base.id.luaLiteral),

          -- Inherited from \(base.id) until set here. Uncomment a line to set it, even to the same value.
        \(undecided(base))

          deepLinking = {
            schemes = { \(scheme.luaLiteral) },
        \(hosts(base))
          },

          routables = {
            -- account = { paths = { "myaccount" } },      replaces the standard paths
            -- item = { customPaths = { "p/:itemID" } },   adds to them
            -- pharmacy = false,                           disables a routable in this market
          },
        }

        """
    }

    /// The base's hosts, commented out.
    private func hosts(_ base: Market) -> DisplayText {
        comment(["universalLinks"], base, below: "deepLinking", indent: 4)
    }

    /// The other keys that each market should set for itself, commented out, with the base's values.
    private func undecided(_ base: Market) -> DisplayText {
        let top = comment(["locales", "currency"], base, below: nil, indent: 2)
        // Of the platform's keys, only those directly in one of its sections.
        let lines = schema.declaration.identifyingKeys.compactMap { path, _ -> DisplayText? in
            let names = path.description.split(separator: ".")
            guard names.count == 3, names[0] == "platform", let value = base.effective.node(at: path)?.value else {
                return nil
            }
            return "  --   \(names[1]) = { \(names[2]) = \(value.summary) },"
        }
        guard !lines.isEmpty else { return top }
        return ([top, "  -- platform = {"] + lines + ["  -- },"]).joined(separator: "\n")
    }

    private func comment(_ keys: [String], _ base: Market, below section: String?, indent: Int) -> DisplayText {
        keys.compactMap { key -> DisplayText? in
            let path = ConfigurationPath([section, key].compactMap { $0.map { .key($0) } })
            return base.effective.node(at: path).map { "-- \(key) = \($0.value.summary)," }
        }.map { "\(String(repeating: " ", count: indent))\($0)" }.joined(separator: "\n")
    }

    private var standingAlone: DisplayText {
        let own = RequiredKeys(secretPrefix: schema.module.secretPrefixes.first ?? "").fields(
            of: schema.declaration,
            omitting: ["id", "name", "locales", "currency", "deepLinking", "platform", "routables"], indent: 2)
        return """
            -- \(name): a market without a base. `\(ProgramName.current) schema markdown` lists every key.

            return market {
              id = \(id.luaLiteral), name = \(name.luaLiteral),
              locales = { "en-US" }, currency = "USD",

              deepLinking = {
                schemes = { \(scheme.luaLiteral) },
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

    /// The required keys of the platform, with example values.
    private var platform: DisplayText {
        """
          platform = {
            userDefaultsRegistration = { suite = \("group.com.example.\(id)".luaLiteral) },
            aniviaSuperAttributes = { tenant = \(id.luaLiteral) },
            environment = {
              default = "production",
              environments = { production = { services = { api = "https://api.example.com" } } },
            },
            networking = { defaultService = "api" },
            analytics = { sinks = { "collector" }, collector = { service = "api" } },
            appInfo = {
              name = \(name.luaLiteral), bundleIdentifier = \("com.example.\(id)".luaLiteral), version = "1.0", build = 1,
              teamIdentifier = "ABCDE12345", appStoreIdentifier = "1",
              android = {
                package = \("com.example.\(id.replacing("-", with: "_"))".luaLiteral),
                certificateDigests = {
                  "\(Array(repeating: "00", count: 32).joined(separator: ":"))",
                },
              },
            },
            preferences = { suite = \("group.com.example.\(id)".luaLiteral), keys = {} },
            address = {
              country = "US",
              fieldOrder = { "recipient", "street", "city", "region", "postalCode" },
              requiredFields = { "recipient", "street", "city", "postalCode" },
              postalCodePattern = "[0-9]{5}(-[0-9]{4})?", postalCodeExample = "72716",
              regions = { { code = "AR", name = "Arkansas" } },
            },
          },


        """
    }
}
