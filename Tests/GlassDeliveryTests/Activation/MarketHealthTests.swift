@testable import GlassDelivery
import Testing

@Suite struct MarketHealthTests {
    private static let embedded = DeliveredVersion("embedded").digest
    private static let first = DeliveredVersion("first", serial: 1)
    private static let second = DeliveredVersion("second", serial: 2)
    private static let time = UpdateTime(secondsSince1970: 1_000)
    private static let start = MarketHealth.Event.appStarted(isForeground: true)
    private static let background = MarketHealth.Event.appStarted(isForeground: false)

    /// A row of the state table: the events, and the resulting state.
    struct Row: CustomTestStringConvertible, Sendable {
        let claim: String
        let events: [MarketHealth.Event]
        var active: DeliveredVersion?
        var healthy: DeliveredVersion?
        var pending: DeliveredVersion?
        var trial: Int?
        var unhealthy = 0
        var quarantined: [DeliveredVersion] = []

        var testDescription: String { claim }
    }

    private static func healthy(_ version: DeliveredVersion) -> [MarketHealth.Event] {
        [.admitted(version), start, .healthy(digest: version.digest)]
    }

    static let rows: [Row] = [
        Row(claim: "nothing happened", events: []),
        Row(claim: "a new version waits", events: [.admitted(first)], pending: first),
        Row(claim: "a newer one takes its place", events: [.admitted(first), .admitted(second)], pending: second),
        Row(
            claim: "the next start tries it, and counts before it is loaded", events: [.admitted(first), start],
            active: first, trial: 1, unhealthy: 1),
        Row(
            claim: "at once where that is asked for", events: [.admitted(first), .activated], active: first, trial: 0),
        Row(
            claim: "a launch in the background tries nothing", events: [.admitted(first), background], pending: first),
        Row(
            claim: "a launch in the background counts nothing", events: [.admitted(first), start, background],
            active: first, trial: 1, unhealthy: 1),
        Row(claim: "it works", events: healthy(first), active: first, healthy: first),
        Row(
            claim: "it works, says a process that has another one",
            events: [.admitted(first), start, .healthy(digest: second.digest), .healthy(digest: nil)], active: first,
            trial: 1, unhealthy: 1),
        Row(
            claim: "going to the background was no crash",
            events: [.admitted(first), start, .left(digest: first.digest)],
            active: first, trial: 0),
        Row(
            claim: "coming back counts again",
            events: [.admitted(first), start, .left(digest: first.digest), .returned(digest: first.digest)],
            active: first, trial: 1, unhealthy: 1),
        Row(
            claim: "a process with another version counts nothing",
            events: [.admitted(first), start, .left(digest: second.digest), .returned(digest: nil)], active: first,
            trial: 1, unhealthy: 1),
        Row(
            claim: "three starts are three chances", events: [.admitted(first), start, start, start], active: first,
            trial: 3, unhealthy: 3),
        Row(
            claim: "the fourth goes back to the embedded one", events: [.admitted(first), start, start, start, start],
            unhealthy: 4, quarantined: [first]),
        Row(
            claim: "the fourth goes back to the last healthy one",
            events: healthy(first) + [.admitted(second), start, start, start, start], active: first, healthy: first,
            unhealthy: 4, quarantined: [second]),
        Row(
            claim: "a launch in the background goes back, too",
            events: healthy(first) + [.admitted(second), start, start, start, background], active: first,
            healthy: first, unhealthy: 3, quarantined: [second]),
        Row(
            claim: "a version that waits is tried in its place",
            events: [.admitted(first), start, start, start, .admitted(second), start], active: second, trial: 1,
            unhealthy: 1, quarantined: [first]),
        Row(
            claim: "six in a row are the chances of a healthy one",
            events: healthy(first) + Array(repeating: start, count: 6), active: first, healthy: first, unhealthy: 6),
        Row(
            claim: "the seventh goes to the embedded one",
            events: healthy(first) + Array(repeating: start, count: 7), unhealthy: 7, quarantined: [first]),
        Row(
            claim: "a trial's starts and those of the one it goes back to are one row",
            events: healthy(first) + [.admitted(second)] + Array(repeating: start, count: 7), unhealthy: 7,
            quarantined: [first, second]),
        Row(
            claim: "one start that ends well begins the row anew",
            events: healthy(first) + Array(repeating: start, count: 5) + [.healthy(digest: first.digest)]
                + Array(repeating: start, count: 6), active: first, healthy: first, unhealthy: 6),
        Row(
            claim: "the embedded one is the last resort", events: Array(repeating: start, count: 20), unhealthy: 20),
        Row(
            claim: "the embedded one works", events: [start, start, .healthy(digest: nil)]),
        Row(
            claim: "the next version after the embedded one is tried",
            events: healthy(first) + Array(repeating: start, count: 7) + [.admitted(second), start], active: second,
            trial: 1, unhealthy: 1, quarantined: [first]),
        Row(
            claim: "what cannot be built is given up at once",
            events: healthy(first) + [.admitted(second), start, .unusable(digest: second.digest, reason: "?")],
            active: first, healthy: first, unhealthy: 1, quarantined: [second]),
        Row(
            claim: "what cannot be built before it waits never waits",
            events: [.unusable(digest: first.digest, reason: "?"), .admitted(first)], quarantined: [first]),
        Row(
            claim: "a healthy one that this app cannot build leaves the embedded one",
            events: healthy(first) + [.unusable(digest: first.digest, reason: "?")], quarantined: [first]),
        Row(
            claim: "a quarantined one that is offered again is ignored",
            events: [.admitted(first), start, start, start, start, .admitted(first), start], unhealthy: 5,
            quarantined: [first]),
        Row(
            claim: "lost bytes are no fault of the version",
            events: healthy(first) + [.admitted(second), start, .lost(digest: second.digest)], active: first,
            healthy: first, unhealthy: 1),
        Row(
            claim: "lost bytes of a version that waits",
            events: healthy(first) + [.admitted(second), .lost(digest: second.digest)], active: first, healthy: first),
        Row(
            claim: "a revoked version on trial",
            events: healthy(first) + [.admitted(second), start, .revoked([second.digest])], active: first,
            healthy: first, unhealthy: 1),
        Row(
            claim: "a revoked version that waits", events: [.admitted(first), .revoked([first.digest])]),
        Row(
            claim: "a revoked version that is healthy", events: healthy(first) + [.revoked([first.digest])]),
        Row(
            claim: "a revoked last resort of a trial",
            events: healthy(first) + [.admitted(second), start, .revoked([first.digest])], active: second, trial: 1,
            unhealthy: 1),
        Row(
            claim: "both revoked",
            events: healthy(first) + [.admitted(second), start, .revoked([first.digest, second.digest])],
            unhealthy: 1),
        Row(
            claim: "revoked is not quarantined: it may be offered again",
            events: [.admitted(first), .revoked([first.digest]), .admitted(first)], pending: first),
        Row(
            claim: "the publisher goes back to what works",
            events: healthy(first) + [.admitted(second), start, .admitted(first), start], active: first,
            healthy: first, unhealthy: 1),
        Row(
            claim: "the publisher takes back what waits",
            events: healthy(first) + [.admitted(second), .admitted(first)], active: first, healthy: first),
        Row(
            claim: "the publisher goes back to what the app has",
            events: healthy(first) + [.admitted(DeliveredVersion("embedded")), start], unhealthy: 1),
        Row(
            claim: "the publisher has what the app has", events: [.admitted(DeliveredVersion("embedded"))]),
        Row(
            claim: "the app brings newer markets",
            events: healthy(first) + [.admitted(second), start, .embeddedIsNewer]),
        Row(
            claim: "the app brings newer markets, and what did not work stays away",
            events: [.admitted(first), start, start, start, start, .embeddedIsNewer, .admitted(first)],
            quarantined: [first]),
        Row(
            claim: "another app may read what the old one could not",
            events: [.unusable(digest: first.digest, reason: "?"), .otherApp, .admitted(first)], pending: first),
        Row(
            claim: "another app does not cure what crashed",
            events: [.admitted(first), start, start, start, start, .otherApp, .admitted(first)], unhealthy: 4,
            quarantined: [first]),
    ]

    @Test(arguments: rows) func eventsLeadToState(row: Row) {
        var health = MarketHealth()
        for event in row.events { _ = health.handle(event, embedded: Self.embedded, at: Self.time) }
        #expect(health.active == row.active)
        #expect(health.healthy == row.healthy)
        #expect(health.pending == row.pending)
        #expect(health.trialStarts == row.trial)
        #expect(health.unhealthyStarts == row.unhealthy)
        #expect(Set(health.quarantined.keys) == Set(row.quarantined.map(\.digest)))
    }

    @Test func noticesHaveReasons() {
        var health = MarketHealth()
        func notes(_ event: MarketHealth.Event) -> [MarketHealth.Notice] {
            health.handle(event, embedded: Self.embedded, at: Self.time)
        }
        #expect(notes(.admitted(Self.first)) == [.pending(Self.first)])
        #expect(notes(.admitted(Self.first)) == [])
        #expect(notes(Self.start) == [.onTrial(Self.first)])
        #expect(notes(.healthy(digest: Self.first.digest)) == [.healthy(Self.first)])
        #expect(notes(.healthy(digest: Self.first.digest)) == [])
        _ = notes(.admitted(Self.second))
        for _ in 1...3 { _ = notes(Self.start) }
        let reason = "3 consecutive launches failed"
        #expect(notes(Self.start) == [.wentBack(from: Self.second, to: Self.first, reason: reason)])
        let quarantine = MarketHealth.Quarantine(since: Self.time, reason: reason, isUnusable: false)
        #expect(notes(.admitted(Self.second)) == [.ignored(Self.second, quarantine)])
        #expect(
            notes(.revoked([Self.first.digest])) == [.wentBack(from: Self.first, to: nil, reason: "it is revoked")])
    }

    @Test func launchesEndingInBackgroundAreNoReasonForRollback() {
        var health = MarketHealth()
        _ = health.handle(.admitted(Self.first), embedded: nil, at: Self.time)
        for _ in 1...1_000 {
            #expect(
                health.handle(Self.start, embedded: nil, at: Self.time).contains {
                    if case .wentBack = $0 { true } else { false }
                } == false)
            #expect(health.active == Self.first)
            _ = health.handle(.left(digest: Self.first.digest), embedded: nil, at: Self.time)
        }
        #expect(health.trialStarts == 0)
    }

    @Test func widgetUsesVersionOfNextAppLaunch() {
        var health = MarketHealth()
        for event in Self.healthy(Self.first) + [.admitted(Self.second), Self.start, Self.start] {
            _ = health.handle(event, embedded: nil, at: Self.time)
        }
        #expect(health.forReaders == Self.second)
        _ = health.handle(Self.start, embedded: nil, at: Self.time)
        #expect(health.forReaders == Self.first)
    }
}
