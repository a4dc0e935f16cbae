import DeliverySupport
import Foundation
import GlassBase
@testable import GlassDelivery
import GlassMarkets
import Testing

/// A cache between the server and the phone that returns given responses, and otherwise the server's.
private final class Cache: UpdateTransport {
    /// A response for a file.
    enum Answer: Sendable {
        case content([UInt8])
        case missing
        case silence
    }

    private let server: FolderTransport
    private let answers = Lock<[String: [Answer]]>([:])
    let requests = Lock<[String]>([])

    init(_ server: FolderTransport) { self.server = server }

    /// Returns the given responses for the next requests; after them, the server responds.
    func answer(_ path: String, _ given: [Answer]) { answers.withLock { $0[path] = given } }

    func get(_ request: UpdateRequest) async throws(TransportFailure) -> UpdateResponse {
        requests.withLock { $0.append(request.path) }
        let answer: Answer? = answers.withLock { answers in
            guard let next = answers[request.path]?.first else { return nil }
            answers[request.path]?.removeFirst()
            return next
        }
        switch answer {
        case .content(let bytes): return .content(bytes, entityTag: nil)
        case .missing: return .missing(status: 404)
        case .silence: throw TransportFailure(.network, "nothing came")
        case nil: return try await server.get(request)
        }
    }
}

/// A response that lags behind the server, as caches send after each publication, is not an attack.
@Suite(.timeLimit(.minutes(1))) struct StaleAnswerTests {
    private let phone: Phone
    private let cache: Cache
    private let delivery: MarketDelivery
    private let markets: DeliveredMarkets
    /// The timestamp from before the latest release.
    private let old: [UInt8]
    private static let expires = "1970-01-31T00:00:00Z"
    private static let validUntil = Date(timeIntervalSince1970: 30 * 86_400)

    /// A phone that has the later of two releases, valid for some days.
    init() async throws {
        phone = try Phone()
        let server = phone.folder.appending(path: "server")
        cache = Cache(FolderTransport(server.appending(path: "metadata")))
        markets = try phone.launch()
        delivery = MarketDelivery(
            markets,
            client: UpdateClient(
                metadata: cache, files: FolderTransport(server.appending(path: "targets")),
                clock: UpdateClock(elapsed: { .zero }, sleep: { _ in }), random: { 0 }), random: { 0.5 })
        try phone.publish("one", expires: Self.expires)
        old = Array(try Data(contentsOf: server.appending(path: "metadata/timestamp.json")))
        try phone.publish("two", expires: Self.expires)
        #expect(await delivery.refresh().failure == nil)
    }

    private var freshness: MarketFreshness? { markets.deliveryStatus(of: "ca")?.freshness }

    private var now: Date { Date(timeIntervalSince1970: TimeInterval(phone.time.withLock { $0 })) }

    /// Refreshes once, with the given response for the timestamp.
    @discardableResult
    private func refresh(given answer: Cache.Answer) async -> MetadataError.Rule? {
        cache.answer("timestamp.json", [answer])
        guard case .metadata(let error)? = await delivery.refresh().failure else { return nil }
        return error.rule
    }

    @Test(arguments: ["older", "page", "unsigned"])
    func singleStaleResponseKeepsPhoneFresh(kind: String) async throws {
        let newest = try Data(contentsOf: phone.folder.appending(path: "server/metadata/timestamp.json"))
        let answers: [String: [UInt8]] = [
            "older": old, "page": Array("<html>Try again later</html>".utf8),
            "unsigned": Array(
                String(decoding: newest, as: UTF8.self).replacing("\"sig\":\"", with: "\"sig\":\"00").utf8),
        ]
        let rules: [String: MetadataError.Rule] = ["older": .rollback, "page": .malformed, "unsigned": .unsigned]
        #expect(await refresh(given: .content(answers[kind] ?? [])) == rules[kind])
        #expect(freshness == .fresh(until: Self.validUntil))
        let status = markets.deliveryStatus(of: "ca")
        #expect(status?.failedRefreshes == 1 && status?.problem != nil)
        #expect(await delivery.refresh().failure == nil)
        #expect(markets.deliveryStatus(of: "ca")?.failedRefreshes == 0)
    }

    @Test func threeConsecutiveStaleResponsesOverSixHoursAreFrozen() async throws {
        let since = now
        // Many in a short time come from one cache.
        for _ in 0..<5 { await refresh(given: .content(old)) }
        #expect(freshness == .fresh(until: Self.validUntil))
        phone.pass(6 * 3600 - 1)
        await refresh(given: .content(old))
        #expect(freshness == .fresh(until: Self.validUntil))
        phone.pass(1)
        await refresh(given: .content(old))
        #expect(freshness == .frozen(since: since))
        // One valid response ends the sequence.
        #expect(await delivery.refresh().failure == nil)
        #expect(freshness == .fresh(until: Self.validUntil))
    }

    @Test func twoStaleResponsesOverManyHoursAreNotFrozen() async throws {
        await refresh(given: .content(old))
        phone.pass(20 * 3600)
        await refresh(given: .content(old))
        #expect(freshness == .fresh(until: Self.validUntil))
    }

    @Test func networkFailureEndsSequenceOfRefusals() async throws {
        for _ in 0..<3 {
            await refresh(given: .content(old))
            phone.pass(6 * 3600)
        }
        guard case .frozen? = freshness else {
            Issue.record("\(String(describing: freshness))")
            return
        }
        #expect(await refresh(given: .silence) == .network)
        #expect(freshness == .fresh(until: Self.validUntil))
        // The sequence starts over.
        await refresh(given: .content(old))
        #expect(freshness == .fresh(until: Self.validUntil))
        phone.pass(60 * 86_400)
        await refresh(given: .silence)
        #expect(freshness == .stale(since: Self.validUntil))
        let since = now
        await refresh(given: .content(old))
        #expect(freshness == .frozen(since: since))
    }

    @Test func phoneWithoutStateIsNotFrozenByOneResponse() async throws {
        let other = try Phone()
        try other.publish("one", expires: Self.expires)
        let cache = Cache(FolderTransport(other.folder.appending(path: "server/metadata")))
        let markets = try other.launch()
        let client = UpdateClient(
            metadata: cache, files: cache, clock: UpdateClock(elapsed: { .zero }, sleep: { _ in }), random: { 0 })
        let delivery = MarketDelivery(markets, client: client, random: { 0.5 })
        let built = markets.deliveryStatus(of: "ca")?.freshness
        for _ in 0..<3 {
            #expect(markets.deliveryStatus(of: "ca")?.freshness == built)
            cache.answer("timestamp.json", [.content([1])])
            await delivery.refresh()
            other.pass(3 * 3600)
        }
        guard case .frozen? = markets.deliveryStatus(of: "ca")?.freshness else {
            Issue.record("it is not reported")
            return
        }
    }

    /// The state of an earlier version of the app, which counted refusals, but not consecutive ones.
    @Test func stateOfEarlierAppVersionIsRead() throws {
        var state = StoredState(install: "a")
        state.failure = .init(since: UpdateTime(secondsSince1970: 9), count: 4, refusals: 3, text: "x")
        let text = String(decoding: state.bytes(), as: UTF8.self)
        let members = text.replacing("\"refusals\":3,", with: "")
        #expect(members != text)
        #expect(try StoredState(reading: Array(text.utf8)).failure?.refusals == 3)
        #expect(try StoredState(reading: Array(members.utf8)).failure?.refusals == 1)
    }

    // MARK: The next root

    /// Replaces the keys of the timestamp; the cache has the new timestamp, but not the new root yet.
    private func rotate() throws -> TestRepository {
        let repository = try TestRepository(phone.folder.appending(path: "server"))
        // Continues the version numbers of the last release.
        for _ in 0..<3 { try repository.publish([]) }
        repository.expires = Self.expires
        try repository.rotate()
        try repository.publish(Phone.ids.map { TestMarkets.file($0, "three") })
        return repository
    }

    @Test func nextRootIsRequestedAgainBeforeTimestampIsRejected() async throws {
        _ = try rotate()
        cache.answer("2.root.json", [.missing])
        #expect(await delivery.refresh().failure == nil)
        #expect(freshness == .fresh(until: Self.validUntil))
        #expect(markets.readState().state?.versions["root"] == 2)
    }

    @Test func timestampIsRejectedWithoutNextRoot() async throws {
        _ = try rotate()
        cache.answer("2.root.json", [.missing, .missing, .missing])
        cache.requests.withLock { $0 = [] }
        guard case .metadata(let error)? = await delivery.refresh().failure else {
            Issue.record("it was accepted")
            return
        }
        #expect(error.role == "timestamp" && error.rule == .unsigned)
        #expect(cache.requests.withLock { $0 } == ["2.root.json", "timestamp.json", "2.root.json"])
    }

    @Test func unreachableNextRootIsNetworkFailure() async throws {
        _ = try rotate()
        cache.answer("2.root.json", [.missing, .silence])
        guard case .metadata(let error)? = await delivery.refresh().failure else {
            Issue.record("it was accepted")
            return
        }
        #expect(error.role == "root" && error.rule == .network)
    }
}
