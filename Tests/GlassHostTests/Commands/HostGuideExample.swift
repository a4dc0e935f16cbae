import CommandTesting
import Foundation
@testable import GlassHost
import GlassMarkets
import GlassPlatform
import GlassPlatformMocks
import GlassSchema
import Testing

/// The host program from the guides; an app's own has `@main`.
struct ShopHost: HostProgram {
    static let module = MarketModule.shop
    static let mocks = Service.platformMocks + Service.shopMocks
}

extension MarketModule {
    static let shop = platform
}

extension Service {
    static let shopMocks: [Service] = []
}

struct PartnerConfiguration: MarketSection {
    var homeCountry = ""
    var requestHeaders: [String: String] = [:]

    static let key = "partner"
    static let summary = "The partner that keeps the points."
    static let keys: [ConfigurationKey<Self>] = [
        .init("homeCountry", \.homeCountry, .string(.country), "Where the points are kept.").role(.country),
        .init("requestHeaders", \.requestHeaders, .map(of: .string(.any), keys: .headerName), "Headers.")
            .role(.headers),
    ]
}

@Suite(.timeLimit(.minutes(1)))
struct RoleGuideTests {
    /// The rules apply to a section that gives its keys roles.
    @Test func checkKnowsWhatKeysMean() throws {
        let folder = try TestFolder()
        let market = """
            return { id = "xx", name = "X", extends = "ca", partner = { homeCountry = "US",
              requestHeaders = { ["Accept-Language"] = "pl-PL" } } }
            """
        try Data(market.utf8).write(to: folder.markets().appending(path: "xx.lua"))
        let module = MarketModule.platform.including(MarketModule("partner", sections: [PartnerConfiguration.self]))
        let run = try CommandRun(
            ["check", "xx"], of: RootCommand.self, HostSettings(module: module, mocks: Service.platformMocks),
            name: "glass-host", folder: folder.url)
        #expect(
            run.output.contains(
                "partner.homeCountry: \"US\" is not the market's country, CA (Canada) [countryMismatch]\n"), "\(run)")
        #expect(
            run.output.contains("partner.requestHeaders[\"Accept-Language\"]: requests ask for pl-PL, but "), "\(run)")
    }
}
