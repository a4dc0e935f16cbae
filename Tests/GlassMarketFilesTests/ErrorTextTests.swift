import Foundation
import GlassContainer
import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema
import Testing
import MarketTesting

/// The texts about errors for users, which come from the market.
@Suite(.timeLimit(.minutes(1)))
struct ErrorTextTests {
    private func text(_ kind: ErrorKind, in market: Market) -> String {
        let text = market.container.get((any ErrorCoordinatorProducing).self).text(for: kind)
        return "\(text.title): \(text.message)"
    }

    private func loader(_ module: MarketModule, _ errors: String) throws -> MarketLoader {
        let file = """
            return { id = "xx", name = "Test", extends = "us", locales = { "en-CA", "fr-CA" },
              platform = { errors = { \(errors) } } }
            """
        let fixture = try MarketFixture(["xx.lua": file])
        return MarketLoader(module, folder: MarketFolder(path: fixture.folder.path)) { _ in
            withExtendedLifetime(fixture) { nil }
        }
    }

    @Test func shippedMarketsSpeakTheirLanguages() throws {
        let loader = try MarketFixture().loader()
        let (us, mexico, canada) = (try loader.load("us"), try loader.load("mx"), try loader.load("ca"))
        #expect(text(.offline, in: mexico) == "No tienes conexión: Revisa tu conexión e inténtalo de nuevo.")
        for kind in ErrorKind.allCases {
            let english = "\(kind.text.title): \(kind.text.message)"
            #expect(text(kind, in: us) == english && text(kind, in: canada) == english)
            #expect(kind == .cancelled || text(kind, in: mexico) != english)
        }
        let error = mexico.container.get((any ErrorCoordinatorProducing).self)
            .coordinate(StorageError.full("save", limit: 1), feature: "cart")
        #expect(error.localizedDescription == "Tu dispositivo no puede guardarlo")
    }

    @Test func languageOfPersonDecides() throws {
        let market = try loader(
            .platformInMemory,
            """
            offline = {
              title = perLocale { ["fr-CA"] = "Hors ligne", default = "Offline" },
              message = perLocale { ["fr-CA"] = "Vérifiez.", default = "Check." },
            },
            """
        ).load("xx")
        #expect(text(.offline, in: market) == "Offline: Check.")
        #expect(
            text(.offline, in: try market.with(MarketContext(["locale": .text("fr-CA")]))) == "Hors ligne: Vérifiez.")
    }

    @Test func programOverridesMarket() throws {
        var host = PlatformHost()
        host.telemetry.errorText = { $0 == .timeout ? ErrorText("Own", "Text") : nil }
        let module = MarketModule.platform.overriding(services: [.host(host)])
        let market = try loader(module, "timeout = { title = \"a\" }, unknown = { title = \"b\" }").load("xx")
        #expect(text(.timeout, in: market) == "Own: Text")
        #expect(text(.unknown, in: market) == "b: Please try again.")
    }

    @Test(arguments: [
        ("ofline = { title = \"a\" }", "platform.errors.ofline: unknown key"),
        ("offline = { title = \"\" }", "platform.errors.offline.title: expected a non-empty string, got \"\""),
        ("cancelled = { title = \"a\", message = \"b\" }", "platform.errors.cancelled: unknown key"),
        ("offline = { title = unset }", "platform.errors.offline.title: missing: expected a non-empty string"),
    ])
    func mistakeIsReported(errors: String, text: String) throws {
        let found = try loader(.platformInMemory, errors).check("xx").findings.filter { $0.severity == .error }
        #expect(found.map { "\($0.path): \($0.message)" } == [text])
    }
}
