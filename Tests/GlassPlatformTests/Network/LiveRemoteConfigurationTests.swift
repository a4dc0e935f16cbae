import Foundation
import GlassBase
import GlassContainer
@testable import GlassPlatform
import GlassPlatformMocks
import GlassSchema
import Testing

/// A configuration that sets the number of retries.
private func retries(_ count: Int) -> RemoteConfiguration {
    let retry = ConfigurationValue.map(values: ["retry": .map(values: ["maxRetries": .integer(count)])])
    return RemoteConfiguration(sections: ["platform": .map(values: ["networking": retry])])
}

/// A received configuration applies, survives a restart, reaches requests, and is ignored where required.
@Suite(.timeLimit(.minutes(1)))
final class LiveRemoteConfigurationTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "remote-\(UUID().uuidString)")
    private var file: RemoteConfigurationFile { RemoteConfigurationFile(folder: folder, timeout: .seconds(5)) }

    deinit { try? FileManager.default.removeItem(at: folder) }  // the system empties the temporary folder

    private func used(_ remote: LiveRemoteConfiguration) -> Int {
        remote.current.applied(to: PlatformConfig()).networking.retry.maxRetries
    }

    private func live(
        _ source: (any RemoteConfigurationSource)?, digest: String? = nil
    ) -> LiveRemoteConfiguration {
        LiveRemoteConfiguration(source: source, .init(market: [sampleConfig()], digest: digest, file: file))
    }

    @Test func receivedConfigurationAppliesAndIsObserved() async throws {
        let remote = live(ScriptedSource { number in retries(number) })
        var observer = remote.changes().makeAsyncIterator()
        #expect(await observer.next() == RemoteConfiguration())
        try await remote.refresh()
        #expect(await observer.next() == retries(1))
        try await remote.refresh()
        #expect(await observer.next() == retries(2))
        #expect(used(remote) == 2 && remote.problem == nil)
    }

    @Test func receivedConfigurationSurvivesRestartWithoutServer() async throws {
        try await live(ScriptedSource { _ in retries(8) }).refresh()
        let away = ScriptedSource { _ throws(RemoteConfigurationError) in throw .foreign(host: "evil.org") }
        let remote = live(away)
        #expect(used(remote) == 8 && away.fetches == 0)
        await #expect(throws: RemoteConfigurationError.self) { try await remote.refresh() }
        #expect(used(remote) == 8)
        #expect(
            remote.problem
                == "the remote configuration is not used: it came from evil.org, which is not an https host of the market"
        )
    }

    @Test func invalidConfigurationChangesNothing() async throws {
        let remote = live(
            ScriptedSource { number in number == 1 ? retries(4) : retries(40) })
        try await remote.refresh()
        await #expect(throws: RemoteConfigurationError.self) { try await remote.refresh() }
        #expect(used(remote) == 4)
        #expect(
            remote.problem == "the remote configuration is not used: platform.networking.retry.maxRetries: "
                + "expected an integer from 0 to 10, got 40")
        #expect(try file.read()?.configuration == retries(4))
    }

    @Test func keysRemovedByAppUpdateAreIgnored() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(
            #"{"schema":1,"earlier":[],"configuration":{"platform":{"networking":{"gone":1}}}}"#.utf8
        ).write(to: folder.appending(path: "remote-configuration.json"))
        let remote = live(ScriptedSource { _ in retries(1) })
        #expect(remote.current == RemoteConfiguration())
        #expect(remote.problem == "the remote configuration is not used: platform.networking.gone: unknown key")
        try await remote.refresh()
        #expect(remote.problem == nil && used(remote) == 1)
    }

    @Test func corruptFileIsReportedAndReplaced() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("{".utf8).write(to: folder.appending(path: "remote-configuration.json"))
        let remote = live(ScriptedSource { _ in retries(1) })
        #expect(remote.problem?.contains("it is not in the format of this version") == true)
        try await remote.refresh()
        #expect(try file.read()?.configuration == retries(1))
    }

    @Test func unstorableConfigurationAppliesUntilExit() async throws {
        // A file in place of the folder.
        try Data().write(to: folder)
        let remote = live(ScriptedSource { _ in retries(6) })
        try await remote.refresh()
        #expect(used(remote) == 6)
        #expect(remote.problem?.contains("cannot be stored in") == true)
    }

    @Test func configurationIsIgnoredAfterRollback() async throws {
        let source = ScriptedSource { _ in retries(9) }
        _ = live(source, digest: "a")
        try await live(source, digest: "b").refresh()
        // The device or the publisher rolled back to the first market.
        let back = live(source, digest: "a")
        #expect(used(back) == PlatformConfig().networking.retry.maxRetries)
        let fetches = source.fetches
        back.refreshIfOld()
        _ = await back.latest()
        await #expect(throws: RemoteConfigurationError.self) { try await back.refresh() }
        #expect(source.fetches == fetches)
        #expect(
            back.problem == "no remote configuration: this market was replaced by a newer one, which was rolled back")
        // Forward again, and then to a third market.
        #expect(used(live(source, digest: "b")) == 9)
        #expect(used(live(source, digest: "c")) == 9)
        #expect(used(live(source, digest: "b")) == PlatformConfig().networking.retry.maxRetries)
        // A market of Lua files is edited rather than rolled back.
        #expect(used(live(source)) == 9)
    }

    @Test func nothingAppliesWithoutSource() async throws {
        try await live(ScriptedSource { _ in retries(9) }).refresh()
        let none = live(nil)
        #expect(none.current == RemoteConfiguration() && none.problem == nil)
        let error = await #expect(throws: RemoteConfigurationError.self) { try await none.refresh() }
        #expect(error?.description == "no remote configuration: the market names no service that provides it")
    }

    @Test func shutDownContainerStopsRequests() async throws {
        let server = try RawServer { _, _ in answer(200, #"{"platform":{"networking":{"tracking":false}}}"#) }
        defer { server.stop() }
        var config = sampleConfig()
        config.environment.environments["production"]?.services["api"] = server.url.absoluteString
        config.quimby.service = "api"
        let container = Container()
        container.setupPlatformDependencies(with: config, host: .inMemory)
        let remote: any RemoteConfigurationAPI = container.get()
        try await remote.refresh()
        await container.shutdown()
        // The identity is read first, from a storage that was also shut down.
        await #expect(throws: RemoteConfigurationError.self) { try await remote.refresh() }
        #expect(server.requests.count == 1)
        #expect(!remote.current.applied(to: config).networking.tracking)
    }

    @Test func responseFromOtherHostIsRejected() async throws {
        let other = try RawServer { _, _ in answer(200, "{}") }
        defer { other.stop() }
        // The same machine under a different name: a host that the market does not list.
        let elsewhere = other.url.absoluteString.replacingOccurrences(of: "127.0.0.1", with: "localhost")
        let server = try RawServer { _, _ in answer(302, "", ["Location": elsewhere + "/ccm"]) }
        defer { server.stop() }
        let source = HTTPRemoteConfigurationSource(
            networking: LiveNetworking(server.url).networking,
            environment: EnvironmentAPIMock(baseURLs: ["api": server.url]), auth: QuimbyAuthProvidingMock(),
            cart: QuimbyCartProvidingMock(), service: "api", path: "ccm")
        do throws(RemoteConfigurationError) {
            _ = try await source.fetch()
            Issue.record("it was accepted")
        } catch {
            if case .foreign("localhost") = error { return }
            Issue.record("\(error)")
        }
    }
}
