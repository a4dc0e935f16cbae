import Foundation
import Testing

@testable import GlassPlatform

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Processes that are killed while they track and send.
struct AnalyticsCrashTests {
    /// `GLASS_KILL_ROUNDS=200` runs a thorough test.
    private static let rounds = ProcessInfo.processInfo.environment["GLASS_KILL_ROUNDS"].flatMap { Int($0) } ?? 8

    @Test(.timeLimit(.minutes(30)))
    func eventsAcknowledgedBeforeKillAreDeliveredExactlyOnce() async throws {
        let folder = try TestFolder()
        let acknowledged = folder.url.appending(path: "acknowledged").path
        let server = CollectorServer()
        var own: [String] = []
        try await server.run { url in
            // This process continuously tracks and sends from the same outbox.
            let analytics = AsyncAnalyticsManager(
                outboxFile: folder.outbox, sinks: [HTTPAnalyticsSink(url: url, configuration: .ephemeral)],
                host: eagerHost())
            for round in 0..<Self.rounds {
                if round % 4 == 3 { server.answer(.takeAndFail(500), .fail(503)) }
                own.append("own-\(round)")
                try analytics.track(AnalyticsEvent("own-\(round)"))
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [
                        outbox = folder.outbox.path as String, collector = url.absoluteString as String,
                        acknowledged = acknowledged as String, round = round as Int
                    ] in
                    try Self.trackUntilKilled(
                        outbox: outbox, collector: collector, acknowledged: acknowledged, round: round)
                }
            }
            try await flushAtLast(analytics)
            let counts = try analytics.counts()
            #expect(counts.isBalanced && counts.kept == 0 && counts.dropped == 0 && counts.rejected == 0)
            #expect(counts.sent == server.events.count)
            await analytics.dispose()
        }
        let promised = try String(contentsOfFile: acknowledged, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(promised.count >= Self.rounds, "the children must have made progress")
        let delivered = server.events
        #expect(Set(delivered.map(\.id)).count == delivered.count, "an event was accepted twice")
        let names = delivered.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(Set(promised + own).subtracting(names) == [])
        // There may be one more event per round, whose acknowledgment the kill prevented.
        #expect(names.count - promised.count - own.count <= Self.rounds)
        for (_, events) in Dictionary(grouping: delivered, by: \.process) {
            #expect(events.map(\.sequence) == Array(1...events.count), "events are out of order or missing")
        }
        print(
            "\(Self.rounds) rounds: \(promised.count) acknowledged, \(names.count) delivered,",
            "\(server.requests.count) requests, \(Set(server.requests.map(\.key)).count) batches")
    }

    /// The child's work: tracks events, records each acknowledged one, sends, and is killed.
    private static func trackUntilKilled(outbox: String, collector: String, acknowledged: String, round: Int) throws {
        guard let url = URL(string: collector) else { throw TestFailure() }
        let descriptor = open(acknowledged, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        let analytics = AsyncAnalyticsManager(
            outboxFile: URL(filePath: outbox),
            sinks: [HTTPAnalyticsSink(url: url, configuration: .ephemeral)], host: eagerHost())
        for number in 0... {
            let name = "\(round)-\(number)"
            try analytics.track(AnalyticsEvent(name))
            let line = Array("\(name)\n".utf8)
            guard line.withUnsafeBytes({ write(descriptor, $0.baseAddress, $0.count) }) == line.count else { return }
            if number == 0 {
                // After the first acknowledgment, the kill happens at any moment, a different one in each round.
                Thread.detachNewThread {
                    usleep(UInt32(round * 7_919 % 60) * 1_000 + UInt32.random(in: 0..<1_000))
                    kill(getpid(), SIGKILL)
                }
            }
        }
    }
}
