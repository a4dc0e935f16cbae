import Foundation
import GlassContainer
import GlassMarkets
@testable import GlassPlatform
import GlassPlatformMocks
import GlassSchema
import Testing

/// The keys of remote configuration, and the validation of its values.
struct RemoteConfigurationTests {
    /// All remotely configurable keys of the platform: rates and limits, never identities or addresses.
    static let keys = [
        "platform.urlSession.requestTimeoutSeconds", "platform.urlSession.resourceTimeoutSeconds",
        "platform.urlSession.maximumConnectionsPerHost", "platform.networking.retry.maxRetries",
        "platform.networking.retry.initialDelaySeconds", "platform.networking.retry.maximumDelaySeconds",
        "platform.networking.retry.multiplier", "platform.networking.retry.jitter",
        "platform.networking.retry.statuses", "platform.networking.retry.retriesNonIdempotent",
        "platform.networking.tracking", "platform.networking.trackingSampleRate",
        "platform.networking.media.maximumConcurrentDownloads",
    ]

    @Test func remoteKeysAreListed() {
        let schema = MarketSchema(.platform)
        #expect(schema.declaration.remoteKeys().map(\.description) == Self.keys)
    }

    @Test func secretsAreNotRemoteKeys() throws {
        let schema = MarketSchema(.platform)
        for path in schema.declaration.remoteKeys() {
            let key = try #require(schema.declaration.key(at: path))
            if case .secret = key.type { Issue.record("\(path) is a secret") }
        }
    }

    @Test(
        arguments: [
            (#"{"platform":{"networking":{"retry":{"maxRetries":5},"tracking":false}}}"#, nil),
            (#"{"platform":{},"later":{"unknown":true}}"#, nil),
            (#"{"platform":{"networking":{"retry":{}}}}"#, nil),
            (
                #"{"platform":{"networking":{"retry":{"maxRetires":5}}}}"#,
                "platform.networking.retry.maxRetires: unknown key"
            ),
            (
                #"{"platform":{"networking":{"retry":{"maxRetries":11}}}}"#,
                "platform.networking.retry.maxRetries: expected an integer from 0 to 10, got 11"
            ),
            (
                #"{"platform":{"networking":{"retry":{"maxAttempts":1}}}}"#,
                "platform.networking.retry.maxAttempts: this key was renamed to maxRetries"
            ),
            (#"{"platform":3}"#, "platform: expected a table with keys"),
            (
                #"{"platform":{"environment":{"default":"staging"}}}"#,
                "platform.environment.default: remote configuration cannot change this key"
            ),
            (
                #"{"platform":{"environment":{"environments":{"e":{"services":{"api":"https://evil.org"}}}}}}"#,
                "platform.environment.environments: remote configuration cannot change this key"
            ),
            (
                #"{"platform":{"networking":{"headers":{"A":"b"}}}}"#,
                "platform.networking.headers: remote configuration cannot change this key"
            ),
            (
                #"{"platform":{"permissions":{"locationLevel":"always"}}}"#,
                "platform.permissions.locationLevel: remote configuration cannot change this key"
            ),
            (
                #"{"platform":{"appInfo":{"bundleIdentifier":"com.evil"}}}"#,
                "platform.appInfo.bundleIdentifier: remote configuration cannot change this key"
            ),
            (
                #"{"platform":{"quimby":{"service":"evil"}}}"#,
                "platform.quimby.service: remote configuration cannot change this key"
            ),
            (
                #"{"platform":{"cookieStorage":{"acceptPolicy":"always"}}}"#,
                "platform.cookieStorage.acceptPolicy: remote configuration cannot change this key"
            ),
        ] as [(String, String?)])
    func remoteValuesAreValidatedLikeFiles(json: String, problem: String?) throws {
        do throws(RemoteConfigurationError) {
            _ = try RemoteConfiguration(json: Data(json.utf8), origin: "ccm")
            #expect(problem == nil)
        } catch {
            let text = "\(error)"
            let expected = try #require(problem, "\(text)")
            #expect(text.contains(expected), "\(text)")
        }
    }

    @Test func secretKeepsValueWhenSectionChanges() throws {
        var config = PlatformConfig()
        config.networking.consumerKey = Secret(name: "GLASS_KEY", value: "hidden")
        let remote = try remote(#"{"platform":{"networking":{"retry":{"maxRetries":7},"tracking":false}}}"#)
        let changed = remote.applied(to: config)
        #expect(changed.networking.retry.maxRetries == 7 && !changed.networking.tracking)
        #expect(try changed.networking.consumerKey?.reveal() == "hidden")
        #expect(changed.networking.retry.jitter == config.networking.retry.jitter)
    }

    @Test func contradictionWithMarketIsRejectedWithPath() throws {
        var config = sampleConfig()
        config.networking.retry.maximumDelaySeconds = 5
        let remote = try remote(#"{"platform":{"networking":{"retry":{"initialDelaySeconds":9}}}}"#)
        let findings = remote.findings(over: [config])
        #expect(findings.map(\.path.description) == ["platform.networking.retry.initialDelaySeconds"])
        #expect(findings.map(\.code) == [.inconsistent])
    }

    @Test func existingFindingsOfMarketAreNotReported() throws {
        // The market is empty, so many keys are missing.
        let remote = try remote(#"{"platform":{"networking":{"retry":{"maxRetries":9}}}}"#)
        #expect(remote.findings(over: [PlatformConfig()]).isEmpty)
    }

    @Test func appSectionChangesOnlyItsRemoteKeys() throws {
        let remote = try remote(#"{"loyalty":{"pointsPerDollar":3}}"#)
        #expect(remote.findings(over: [Loyalty()]).isEmpty)
        #expect(remote.applied(to: Loyalty()).pointsPerDollar == 3)
        let refused = try self.remote(#"{"loyalty":{"partner":"other"}}"#)
        let finding = try #require(refused.findings(over: [Loyalty()]).first)
        #expect(finding.code == .notRemote && finding.path.description == "loyalty.partner")
        #expect(finding.hint == "changeable keys: pointsPerDollar")
    }

    private struct Loyalty: MarketSection {
        var pointsPerDollar = 1
        var partner = "us"
        static let key = "loyalty"
        static let summary = "Points."
        static let keys: [ConfigurationKey<Self>] = [
            .init("pointsPerDollar", \.pointsPerDollar, .integer(0...10), remote: true, "Points."),
            .init("partner", \.partner, .string(.identifier), "Who."),
        ]
    }

    private func remote(_ json: String) throws -> RemoteConfiguration {
        try RemoteConfiguration(json: Data(json.utf8), origin: "test")
    }
}
