import Foundation
import GlassContainer
import GlassDeepLinking
@testable import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import Testing
import MarketTesting

/// The Swift example in the README, line by line except for the folder, because tests do not run in the repository, and
/// for the place of the data, because tests leave none.
struct ReadmeExampleTests {
    @Test func appEmbedsLibraries() throws {
        let markets = MarketLoader(
            .platformInMemory, folder: MarketFolder(path: MarketFixture.repository.appending(path: "markets").path))
        let canada = try markets.load("ca")
        canada.preconditions.satisfyAll()
        let result = canada.open("walmart.ca://ip/42")
        let environment: any EnvironmentAPI = canada.container.get()
        print(result.outcome.name, try environment.baseURL(for: "orchestra"))
        #expect(result.routableID == "item")
        #expect(try environment.baseURL(for: "orchestra").absoluteString == "https://www.walmart.ca/orchestra")
    }
}
