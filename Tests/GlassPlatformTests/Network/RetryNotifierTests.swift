import GlassBase
import Foundation
import GlassContainer
import GlassDeepLinking
@testable import GlassPlatform
import GlassPlatformMocks
import GlassSchema
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RetryNotifierTests {
    struct Broken: Error, Equatable {}

    @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300, -1]) func anyPolicyNumbersGiveAPause(number: Double) {
        var policy = RetryPolicy()
        policy.initialDelaySeconds = number
        policy.maximumDelaySeconds = number
        policy.multiplier = number
        policy.jitter = number
        #expect(policy.pause(beforeRetry: 3, random: 0.5) >= .zero)
        var jittery = RetryPolicy()
        jittery.jitter = number
        #expect((.zero...Duration.seconds(2)).contains(jittery.pause(beforeRetry: 3, random: 0.5)))
        #expect(policy.pause(beforeRetry: 3, random: 0.5, retryAfter: .seconds(1)) != .zero)
    }

    private func policy(_ retries: Int) -> RetryPolicy {
        var policy = RetryPolicy()
        policy.maxRetries = retries
        policy.jitter = 0
        return policy
    }

    private func notifier(_ retries: Int, _ clock: ImmediateClock = ImmediateClock()) -> RetryNotifier {
        RetryNotifier(name: "checkout", timing: RetryTiming(clock: clock, random: { 0 })) { [self] in policy(retries) }
    }

    @Test func failureIsRetriedAndReportedToListeners() async throws {
        let clock = ImmediateClock()
        let notifier = notifier(3, clock)
        var listeners = [notifier.notifications().makeAsyncIterator(), notifier.notifications().makeAsyncIterator()]
        let result = try await notifier.run { attempt in
            if attempt < 3 { throw Broken() }
            return attempt
        }
        #expect(result == 3)
        #expect(clock.pauses == [.seconds(0.5), .seconds(1)])
        for index in listeners.indices {
            for (retry, pause) in [(1, 0.5), (2, 1.0)] {
                let heard = await listeners[index].next()
                #expect(heard?.notifier == "checkout" && heard?.retry == retry && heard?.maxRetries == 3)
                #expect(heard?.pause == .seconds(pause))
                #expect(heard?.error is Broken)
            }
        }
    }

    @Test func lastFailureIsThrown() async throws {
        let attempts = Lock(0)
        await #expect(throws: Broken()) {
            try await notifier(2).run { _ in
                attempts.withLock { $0 += 1 }
                throw Broken()
            }
        }
        #expect(attempts.withLock { $0 } == 3)
    }

    @Test func permanentFailureIsNotRetried() async throws {
        let url = try #require(URL(string: "https://e.org/"))
        let request = NetworkingError.Request(method: "GET", url: url, attempts: 1)
        let errors: [(any Error, Int)] = [
            (CancellationError(), 1), (NetworkingError.cancelled(request), 1),
            (NetworkingError.status(request, NetworkResponse(status: 404, url: url), retryAfter: nil), 1),
            (NetworkingError.status(request, NetworkResponse(status: 503, url: url), retryAfter: .seconds(9)), 2),
            (NetworkingError.status(request, NetworkResponse(status: 503, url: url), retryAfter: .seconds(99)), 1),
            (NetworkingError.transport(request, cause: URLError(.timedOut)), 2),
        ]
        for (error, expected) in errors {
            let attempts = Lock(0)
            await #expect(throws: (any Error).self) {
                try await notifier(1).run { _ in
                    attempts.withLock { $0 += 1 }
                    throw error
                }
            }
            #expect(attempts.withLock { $0 } == expected, "\(error)")
        }
    }

    @Test func cancelledTaskIsNotRetried() async throws {
        let attempts = Lock(0)
        let notifier = notifier(5)
        let task = Task {
            try await notifier.run { _ in
                attempts.withLock { $0 += 1 }
                withUnsafeCurrentTask { $0?.cancel() }
                throw Broken()
            }
        }
        await #expect(throws: Broken()) { try await task.value }
        #expect(attempts.withLock { $0 } == 1)
    }

    @Test func streamsEndWithNotifier() async {
        var notifier: RetryNotifier? = notifier(1)
        var stream = notifier?.notifications().makeAsyncIterator()
        notifier = nil
        #expect(await stream?.next() == nil)
    }

    @Test func remoteConfigurationOverridesMarket() async throws {
        let json =
            #"{"other": 1, "retry": {"default": {"maxRetries": 5, "jitter": 0}, "checkout": {"maxRetries": 1}}}"#
        let source = ScriptedSource { _ throws(RemoteConfigurationError) in
            try RemoteConfiguration(json: Data(json.utf8), origin: "test")
        }
        let factory = RetryNotifierFactory(
            ccmSource: LiveRemoteConfiguration(source: source, .init(market: [PlatformConfig()])))
        let checkout = await factory.makeNotifier(named: "checkout").policy
        #expect(checkout.maxRetries == 1 && checkout.jitter == 0 && checkout.initialDelaySeconds == 0.5)
        #expect(await factory.makeNotifier(named: "other").policy.maxRetries == 5)
        #expect(source.fetches == 1)
        #expect(factory.remoteProblem == nil)
        let market = RetryNotifierFactory(ccmSource: nil)
        #expect(await market.makeNotifier(named: "checkout").policy == RetryPolicy())
    }

    @Test(
        arguments: [
            ("[]", "expected an object, got a list"), ("nonsense", "it is not valid JSON, or a list contains null"),
            (
                #"{"retry":3}"#,
                "retry: expected a table, each value a table with keys such as maxRetries and initialDelaySeconds, got 3"
            ),
            (
                #"{"retry":{"a":{"maxRetries":11,"jiter":1}}}"#,
                "retry.a.jiter: unknown key; retry.a.maxRetries: expected an integer from 0 to 10, got 11"
            ),
            (#"{"retry":{"a":{"maxAttempts":1}}}"#, "retry.a.maxAttempts: this key was renamed to maxRetries"),
        ])
    func malformedConfigurationListsProblems(json: String, problems: String) {
        let error = #expect(throws: RemoteConfigurationError.self) {
            try RemoteConfiguration(json: Data(json.utf8), origin: "ccm.json")
        }
        #expect(error?.description == "the remote configuration from ccm.json is not used: \(problems)")
    }

    @Test func contradictingConfigurationKeepsMarketPolicy() async throws {
        let source = ScriptedSource { _ throws(RemoteConfigurationError) in
            try RemoteConfiguration(json: Data(#"{"retry":{"a":{"initialDelaySeconds":50}}}"#.utf8), origin: "test")
        }
        let factory = RetryNotifierFactory(
            ccmSource: LiveRemoteConfiguration(source: source, .init(market: [PlatformConfig()])))
        #expect(await factory.makeNotifier(named: "a").policy == RetryPolicy())
        #expect(
            factory.remoteProblem
                == "the remote configuration is not used: retry.a.initialDelaySeconds: 50 is more than "
                + "maximumDelaySeconds, 30")
    }

    @Test func lastValidConfigurationIsKeptAndRefreshedWhenOld() async throws {
        let time = Lock(Date(timeIntervalSince1970: 1000))
        let source = ScriptedSource { number throws(RemoteConfigurationError) in
            if number == 2 { throw .malformed(origin: "test", problems: ["broken"]) }
            return try RemoteConfiguration(
                json: Data(#"{"retry":{"default":{"maxRetries":\#(number)}}}"#.utf8), origin: "test")
        }
        let timing = RetryTiming(now: { time.withLock { $0 } })
        let factory = RetryNotifierFactory(
            ccmSource: LiveRemoteConfiguration(source: source, .init(lifetime: .seconds(100), timing: timing)))
        let notifier = factory.makeNotifier(named: "a")
        #expect(await notifier.policy.maxRetries == 1)
        time.withLock { $0 += 99 }
        #expect(await notifier.policy.maxRetries == 1)
        #expect(source.fetches == 1)
        time.withLock { $0 += 1 }
        #expect(await notifier.policy.maxRetries == 1)
        #expect(factory.remoteProblem == "the remote configuration from test is not used: broken")
        time.withLock { $0 += 9 }
        #expect(await notifier.policy.maxRetries == 1)
        #expect(source.fetches == 2)
        time.withLock { $0 += 1 }
        #expect(await notifier.policy.maxRetries == 3)
        #expect(factory.remoteProblem == nil)
        time.withLock { $0 -= 500 }
        #expect(await notifier.policy.maxRetries == 4)
    }

    @Test func concurrentRefreshesShareOneRequest() async throws {
        let gate = Lock(false)
        let source = ScriptedSource { _ in
            while !gate.withLock({ $0 }) { await Task.yield() }
            return RemoteConfiguration()
        }
        let factory = RetryNotifierFactory(
            ccmSource: LiveRemoteConfiguration(source: source, .init(market: [PlatformConfig()])))
        await withTaskGroup { group in
            for _ in 0..<10 { group.addTask { _ = await factory.makeNotifier(named: "a").policy } }
            gate.withLock { $0 = true }
        }
        #expect(source.fetches == 1)
    }

    @Test func requestHasCustomerIdentityAndEntityTag() async throws {
        let server = try RawServer { request, _ in
            request.headers["if-none-match"] == "\"7\""
                ? .bytes("HTTP/1.1 304 X\r\nConnection: close\r\n\r\n")
                : answer(200, #"{"retry":{"default":{"maxRetries":7}}}"#, ["ETag": "\"7\""])
        }
        defer { server.stop() }
        let source = HTTPRemoteConfigurationSource(
            networking: LiveNetworking(server.url).networking,
            environment: EnvironmentAPIMock(baseURLs: ["api": server.url]),
            auth: QuimbyAuthProvidingMock(identity: QuimbyIdentity(accessToken: "t", customerID: "c")),
            cart: QuimbyCartProvidingMock(cartID: "k"), service: "api", path: "ccm/v1")
        let first = try await source.fetch()
        #expect(try await source.fetch() == first)
        #expect(server.requests.map(\.path) == ["/base/ccm/v1", "/base/ccm/v1"])
        for request in server.requests {
            #expect(request.headers["authorization"] == "Bearer t")
            #expect(request.headers["wm-customer-id"] == "c" && request.headers["wm-cart-id"] == "k")
        }
    }

    @Test func unavailableOrInvalidServiceIsReported() async throws {
        let server = try RawServer { _, number in number == 1 ? answer(503) : answer(200, "<html>") }
        defer { server.stop() }
        let source = HTTPRemoteConfigurationSource(
            networking: LiveNetworking(server.url).networking,
            environment: EnvironmentAPIMock(baseURLs: ["api": server.url]), auth: QuimbyAuthProvidingMock(),
            cart: QuimbyCartProvidingMock(), service: "api", path: "ccm")
        var texts: [String] = []
        for _ in 1...2 {
            do throws(RemoteConfigurationError) { _ = try await source.fetch() } catch { texts.append("\(error)") }
        }
        #expect(
            texts == [
                "no remote configuration: GET \(server.url)/ccm returned 503",
                "the remote configuration from \(server.url)/ccm is not used: it is not valid JSON, or a list contains null",
            ])
    }

    @Test func fileIsReadEachTime() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "ccm-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }  // the system empties the temporary folder
        let source = FileRemoteConfigurationSource(file: file)
        #expect(try await source.fetch() == RemoteConfiguration())
        try Data(#"{"retry":{"default":{"maxRetries":0}}}"#.utf8).write(to: file)
        #expect(try await source.fetch().retry.keys.sorted() == ["default"])
        try FileManager.default.removeItem(at: file)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        await #expect(throws: RemoteConfigurationError.self) { try await source.fetch() }
    }

    @Test func containerUsesSourceOfProgram() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "ccm-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }  // the system empties the temporary folder
        try Data(#"{"retry":{"default":{"maxRetries":9}}}"#.utf8).write(to: file)
        let container = Container()
        var host = PlatformHost()
        host.remoteConfiguration = .file(file)
        container.setupPlatformDependencies(with: sampleConfig(), host: host)
        let factory: any RetryNotifyingFactory = container.get()
        guard case .map(let policy) = try await call(factory.scriptMethods, "policy", ["x"]) else {
            return #expect(Bool(false))
        }
        #expect(policy["maxRetries"] == 9)
        #expect(try await call(factory.scriptMethods, "remoteProblem") == nil)
    }
}
