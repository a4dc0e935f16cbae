import Foundation
import GlassBase
import GlassContainer
import GlassMarketFiles
import GlassMarkets
import GlassPlatform

/// The app: uses the services, runs a child that is killed repeatedly, and finally compares what was acknowledged with
/// what is there.
struct Soak {
    private struct Received: Decodable {
        var requests: Int
        var batches: Int
        var events: Int
        var duplicates: Int
        var outOfOrder: Int
        var malformed: Int
    }

    let duration: Duration
    let place: SoakEnvironment
    /// The proportion of all requests that fail.
    let faultRate = 0.2

    /// Runs the soak test and prints the report.
    ///
    /// - Returns: Whether everything that was accepted was delivered.
    func run() async throws -> Bool {
        let ledger = SoakRecord()
        let market = try place.market()
        try await setFaults(faultRate, market)
        _ = try await text("remote?changing=1", market)
        let remote: any RemoteConfigurationAPI = market.container.get()
        let changes = Lock(0)
        let watching = Task { for await _ in remote.changes() { changes.withLock { $0 += 1 } } }
        defer { watching.cancel() }
        let user = SoakUser(name: "app", market: market, server: place.server) { ledger.take($0) }
        let children = ChildKeeper(place: place, ledger: ledger)
        children.start()

        let clock = ContinuousClock()
        let start = clock.now
        var files: Int?
        var number = 0
        while clock.now - start < duration {
            await user.step(number)
            number += 1
            // By then, every file that stays open is open.
            if number == 200 { files = Self.openFiles }
        }
        await children.stop()
        let filesAtEnd = Self.openFiles

        try await setFaults(0, market)
        let analytics: any Analytics = market.container.get()
        try await flush(analytics)
        let seconds = Int(duration / .seconds(1))
        // The first is the initial configuration. A change is missed if the server failed in that second, or served an
        // invalid configuration.
        let seen = changes.withLock { $0 } - 1
        print("remote: another configuration each second, \(seen) held in \(seconds) seconds")
        if seen < seconds / 3 {
            ledger.take(.wrong("remote configuration changed \(seen) times in \(seconds) seconds"))
        }
        let isGood = try await report(ledger.entries, market: market, counts: analytics.counts())
        if let files { print("files:  \(files) open after 200 rounds, \(filesAtEnd) at the end") }
        await market.container.shutdown()
        return isGood
    }

    private func report(_ promised: SoakRecord.Entries, market: Market, counts: AnalyticsCounts) async throws -> Bool {
        let received = try await get(Received.self, "collector/report", market)
        let names = try await text("collector/names", market).split(separator: "\n").map(String.init)
        let lost = promised.events.subtracting(names)

        let storage: any StorageAPI = market.container.get()
        let keys = try storage.keys(in: SoakUser.namespace)
        var unread: [String] = []
        for (key, value) in promised.values
        where try storage.value(for: StorageKey<String>(SoakUser.namespace, key)) != value { unread.append(key) }
        let counted = try storage.value(for: SoakUser.counter) ?? 0

        let done = promised.counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        print("soak:   \(duration), \(Int(faultRate * 100)) % of the requests went wrong")
        print("did:    \(done)")
        print(
            "events: \(counts.tracked) tracked = \(counts.kept) kept + \(counts.sent) delivered + "
                + "\(counts.dropped) dropped + \(counts.rejected) rejected; the server has \(received.events), "
                + "\(received.duplicates) twice, \(received.outOfOrder) out of order, "
                + "in \(received.batches) batches and \(received.requests) requests")
        let ofChildren = promised.events.count { $0.hasPrefix("child") }
        print(
            "        \(promised.events.count) were acknowledged by name, \(ofChildren) of them to children; "
                + "\(lost.count) are missing")
        print(
            "keys:   \(promised.values.count) written and acknowledged, \(promised.values.count - unread.count) read; "
                + "\(keys.count) stored = \(counted) counted")
        var wrong = promised.wrong
        func check(_ condition: Bool, _ text: String) { if !condition { wrong.append(text) } }
        check(counts.isBalanced && counts.kept == 0 && counts.sent == counts.tracked, "the outbox does not balance")
        check(received.events == counts.sent, "the server has \(received.events) events, not \(counts.sent)")
        check(received.duplicates == 0 && received.outOfOrder == 0, "events arrived twice or out of order")
        check(received.malformed == 0, "\(received.malformed) requests were not valid batches")
        check(counts.setAside.isEmpty, "set aside: \(counts.setAside)")
        check(lost.isEmpty, "lost events: \(lost.sorted().prefix(10))")
        check(unread.isEmpty, "lost or changed keys: \(unread.sorted().prefix(10))")
        check(keys.count == counted, "a transaction was only partly applied")
        check(storage.issues.isEmpty, "storage: \(storage.issues)")
        check(!promised.events.isEmpty && !promised.values.isEmpty, "nothing was done")
        for text in wrong.prefix(20) { print("WRONG:  \(text)") }
        print(wrong.isEmpty ? "in = out" : "in is not out: \(wrong.count) findings")
        return wrong.isEmpty
    }

    /// A flush that hits the last fault fails; the events are kept and sent later.
    private func flush(_ analytics: any Analytics) async throws {
        for attempt in 1... {
            do {
                return try await analytics.flush()
            } catch {
                if attempt == 20 { throw error }
                await pause(.milliseconds(500))
            }
        }
    }

    private func setFaults(_ rate: Double, _ market: Market) async throws {
        _ = try await text("faults?rate=\(rate)&seed=1", market)
    }

    private func get<Value: Decodable>(_ type: Value.Type, _ path: String, _ market: Market) async throws -> Value {
        try JSONDecoder().decode(type, from: Data(try await text(path, market).utf8))
    }

    private func text(_ path: String, _ market: Market) async throws -> String {
        guard let url = URL(string: path, relativeTo: place.server.appending(path: "/")) else {
            throw Unexpected(description: "\(path) is no path")
        }
        var request = NetworkRequest(.get, url: url.absoluteURL)
        request.isTracked = false
        return String(decoding: try await market.container.get((any Networking).self).send(request).body, as: UTF8.self)
    }

    /// The number of files that this process has open; 0 if the system does not report it.
    private static var openFiles: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0  // it only exists on Linux
    }
}
