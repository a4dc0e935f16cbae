import DeliverySupport
import Foundation
import GlassBase
import GlassDelivery
import GlassMarkets
import Testing

/// A cache between the server and the phone that answers as it is told, and otherwise as the server does.
private final class Cache: UpdateTransport {
    /// What it says of a file.
    enum Answer: Sendable {
        case content([UInt8])
        case missing
        case silence
    }

    private let server: FolderTransport
    private let answers = Lock<[String: [Answer]]>([:])
    let requests = Lock<[String]>([])

    init(_ server: FolderTransport) { self.server = server }

    /// Has it give these answers, one a request; the server answers after them.
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

/// An answer that lags behind the server, as caches give them at each publish, is no attack.
@Suite(.timeLimit(.minutes(1))) struct StaleAnswerTests {
    private let phone: Phone
    private let cache: Cache
    private let delivery: MarketDelivery
    private let markets: DeliveredMarkets
    /// The timestamp of before the newest release.
    private let old: [UInt8]
    private static let expires = "1970-01-31T00:00:00Z"
    private static let validUntil = Date(timeIntervalSince1970: 30 * 86_400)

    /// A phone that has the newest of two releases, valid for some days.
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

    /// Asks once, and is given this for the timestamp.
    @discardableResult
    private func refresh(given answer: Cache.Answer) async -> MetadataError.Rule? {
        cache.answer("timestamp.json", [answer])
        guard case .metadata(let error)? = await delivery.refresh().failure else { return nil }
        return error.rule
    }

    @Test(arguments: ["older", "page", "unsigned"])
    func oneSuchAnswerLeavesThePhoneFresh(kind: String) async throws {
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

    @Test func threeInARowOverSixHoursAreFrozen() async throws {
        let since = now
        // Many at once are one cache.
        for _ in 0..<5 { await refresh(given: .content(old)) }
        #expect(freshness == .fresh(until: Self.validUntil))
        phone.pass(6 * 3600 - 1)
        await refresh(given: .content(old))
        #expect(freshness == .fresh(until: Self.validUntil))
        phone.pass(1)
        await refresh(given: .content(old))
        #expect(freshness == .frozen(since: since))
        // One that is good ends it.
        #expect(await delivery.refresh().failure == nil)
        #expect(freshness == .fresh(until: Self.validUntil))
    }

    @Test func twoOverManyHoursAreNot() async throws {
        await refresh(given: .content(old))
        phone.pass(20 * 3600)
        await refresh(given: .content(old))
        #expect(freshness == .fresh(until: Self.validUntil))
    }

    @Test func aRefusalIsOverWhenTheNetworkFails() async throws {
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
        // It begins anew.
        await refresh(given: .content(old))
        #expect(freshness == .fresh(until: Self.validUntil))
        phone.pass(60 * 86_400)
        await refresh(given: .silence)
        #expect(freshness == .stale(since: Self.validUntil))
        let since = now
        await refresh(given: .content(old))
        #expect(freshness == .frozen(since: since))
    }

    @Test func aPhoneThatKnowsNothingIsNotFrozenByOneAnswer() async throws {
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
            Issue.record("it is not told")
            return
        }
    }

    /// What an app of before this rule wrote: that it was refused so often, and not in a row.
    @Test func whatAnEarlierAppWroteIsRead() throws {
        var state = StoredState(install: "a")
        state.failure = .init(since: UpdateTime(secondsSince1970: 9), count: 4, refusals: 3, text: "x")
        let text = String(decoding: state.bytes(), as: UTF8.self)
        let members = text.replacing("\"refusals\":3,", with: "")
        #expect(members != text)
        #expect(try StoredState(reading: Array(text.utf8)).failure?.refusals == 3)
        #expect(try StoredState(reading: Array(members.utf8)).failure?.refusals == 1)
    }

    // MARK: The next root

    /// The keys of the timestamp are changed, and the cache has the new timestamp and no new root yet.
    private func rotate() throws -> TestRepository {
        let repository = try TestRepository(phone.folder.appending(path: "server"))
        // The versions go on from where the last release was.
        for _ in 0..<3 { try repository.publish([]) }
        repository.expires = Self.expires
        try repository.rotate()
        try repository.publish(Phone.ids.map { TestMarkets.file($0, "three") })
        return repository
    }

    @Test func theNextRootIsLookedForOnceMoreBeforeATimestampIsRefused() async throws {
        _ = try rotate()
        cache.answer("2.root.json", [.missing])
        #expect(await delivery.refresh().failure == nil)
        #expect(freshness == .fresh(until: Self.validUntil))
        #expect(markets.readState().state?.versions["root"] == 2)
    }

    @Test func whereThereIsNoNextRootTheTimestampIsRefused() async throws {
        _ = try rotate()
        cache.answer("2.root.json", [.missing, .missing, .missing])
        cache.requests.withLock { $0 = [] }
        guard case .metadata(let error)? = await delivery.refresh().failure else {
            Issue.record("it was taken")
            return
        }
        #expect(error.role == "timestamp" && error.rule == .unsigned)
        #expect(cache.requests.withLock { $0 } == ["2.root.json", "timestamp.json", "2.root.json"])
    }

    @Test func whereTheNextRootCannotBeAskedForTheNetworkFailed() async throws {
        _ = try rotate()
        cache.answer("2.root.json", [.missing, .silence])
        guard case .metadata(let error)? = await delivery.refresh().failure else {
            Issue.record("it was taken")
            return
        }
        #expect(error.role == "root" && error.rule == .network)
    }
}
