import Foundation
import GlassDeepLinking
import GlassMarkets
import GlassSchema

/// The files of a new market.
struct MarketTemplate {
    let id: String
    let name: String
    /// The market that the new one extends, if any.
    let base: Market?

    /// The custom scheme of the new market: that of the base with the id, as `walmart.ca`.
    private var scheme: String {
        guard let first = base?.definition.deepLinking.schemes.first else { return "shop.\(id)" }
        return "\(first.split(separator: ".").first ?? "shop").\(id)"
    }

    /// The market file.
    var market: String {
        base.map(extending) ?? standingAlone
    }

    /// A test that passes with the market as it is.
    var test: String {
        """
        -- Tests of the market \(id): `glass-host test scripts/\(id)_test.lua` runs them.
        local market = glass.market("\(id)")

        glass.test("\(id) opens its own links", function()
          local link = market:link("\(routable)")
          glass.expect(link):toContain("\(scheme)://")
          glass.expect(market:open(link).routable):toBe("\(routable)")
        end)

        """
    }

    /// A routable that needs no parameter: the home, or the first that the base has.
    private var routable: String {
        let ids = base?.routes.filter { !$0.pattern.contains(":") && !$0.pattern.contains("*") }.map(\.routable)
        guard let ids, !ids.contains("home"), let first = ids.first else { return "home" }
        return first
    }

    private func extending(_ base: Market) -> String {
        """
        -- \(name): what is not said here is as in \(base.definition.name) (\(base.id).lua).

        ---@type glass.Market
        return {
          id = "\(id)", name = \(name.luaLiteral), extends = "\(base.id)",

          deepLinking = {
            schemes = { "\(scheme)" },
          },

          routables = {
            -- account = { paths = { "myaccount" } },      replaces the standard paths
            -- item = { customPaths = { "p/:itemID" } },   adds to them
            -- pharmacy = false,                           is not in this market
          },
        }

        """
    }

    private var standingAlone: String {
        """
        -- \(name): a market that stands alone. `glass-host schema markdown` has every key.

        ---@type glass.Market
        return {
          id = "\(id)", name = \(name.luaLiteral),
          locales = { "en-US" }, currency = "USD",

          deepLinking = {
            schemes = { "\(scheme)" },
          },

          platform = {
            userDefaultsRegistration = { suite = "group.com.example.\(id)" },
            aniviaSuperAttributes = { tenant = "\(id)" },
            environment = {
              default = "production",
              environments = { production = { services = { api = "https://api.example.com" } } },
            },
            networking = { defaultService = "api" },
            appInfo = {
              name = \(name.luaLiteral), bundleIdentifier = "com.example.\(id)", version = "1.0", build = 1,
              teamIdentifier = "ABCDE12345", appStoreIdentifier = "1",
              android = {
                package = "com.example.\(id.replacing("-", with: "_"))",
                certificateDigests = {
                  "\(Array(repeating: "00", count: 32).joined(separator: ":"))",
                },
              },
            },
            preferences = { suite = "group.com.example.\(id)", keys = {} },
            address = {
              country = "US",
              fieldOrder = { "recipient", "street", "city", "region", "postalCode" },
              requiredFields = { "recipient", "street", "city", "postalCode" },
              postalCodePattern = "[0-9]{5}(-[0-9]{4})?", postalCodeExample = "72716",
              regions = { { code = "AR", name = "Arkansas" } },
            },
          },

          routables = {
            home = {},
            cart = {},
          },
        }

        """
    }
}
