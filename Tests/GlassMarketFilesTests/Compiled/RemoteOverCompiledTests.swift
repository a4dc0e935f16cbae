import Foundation
import GlassContainer
@testable import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema
import Testing
import MarketTesting

/// Remote configuration over compiled markets, as on a phone: an update, and a rollback.
@Suite(.timeLimit(.minutes(1)))
struct RemoteOverCompiledTests {
    private struct Source: RemoteConfigurationSource {
        func fetch() async throws(RemoteConfigurationError) -> RemoteConfiguration {
            let json = #"{"platform":{"networking":{"retry":{"maxRetries":9}}}}"#
            return try RemoteConfiguration(json: Data(json.utf8), origin: "test")
        }
    }

    /// The Canadian market compiled with a given version.
    private func compiled(version: Int) throws -> [UInt8] {
        let fixture = try MarketFixture([
            "v.lua": "return { id = \"v\", name = \"Version \(version)\", extends = \"ca\" }"
        ])
        return try CompiledMarketWriter(try fixture.loader().load("v")).market
    }

    private func market(_ bytes: [UInt8], state: URL) throws -> Market {
        var host = PlatformHost(stateFolder: state)
        host.remoteConfiguration = .source(Source())
        let module = MarketModule.platform.overriding(services: [.host(host)])
        return try CompiledMarkets(module, secrets: { _ in "s" }, reading: { _ in bytes }).load("v")
    }

    private func retries(of market: Market) -> Int {
        let remote: any RemoteConfigurationAPI = market.container.get()
        return remote.current.applied(to: market.config).networking.retry.maxRetries
    }

    @Test func marketIsUnchangedAfterRollback() async throws {
        let state = FileManager.default.temporaryDirectory.appending(path: "phone-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: state) }  // the system cleans up if this fails
        let (first, second) = (try compiled(version: 1), try compiled(version: 2))
        let old = try market(first, state: state)
        #expect(retries(of: old) == 4)
        let new = try market(second, state: state)
        try await new.container.get((any RemoteConfigurationAPI).self).refresh()
        #expect(retries(of: new) == 9)
        // After a failed trial, or a publisher's rollback: the first version again, with the state of the second.
        let back = try market(first, state: state)
        #expect(retries(of: back) == 4)
        #expect(back.container.get((any RemoteConfigurationAPI).self).problem?.contains("rolled back") == true)
        #expect(retries(of: try market(second, state: state)) == 9)
    }

    /// Remote configuration changes the values of the situation that holds, and none but those that it names.
    @Test func remoteConfigurationAppliesAfterSituation() async throws {
        let state = FileManager.default.temporaryDirectory.appending(path: "phone-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: state) }  // the system cleans up if this fails
        let fixture = try MarketFixture([
            "v.lua": """
            return {
              id = "v", name = "V", extends = "ca",
              overlays = {
                { name = "calm", when = { build = "debug" },
                  platform = { networking = { retry = { maxRetries = 1, jitter = 0 } } } },
              },
            }
            """
        ])
        let bytes = try CompiledMarketWriter(try fixture.loader().load("v")).market
        let debug = try market(bytes, state: state).with(MarketContext(["build": .text("debug")]))
        #expect(retries(of: debug) == 1)
        let remote: any RemoteConfigurationAPI = debug.container.get()
        try await remote.refresh()
        let retry = remote.current.applied(to: debug.config).networking.retry
        #expect(retry.maxRetries == 9 && retry.jitter == 0)
    }
}
