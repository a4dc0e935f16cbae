import DeliverySupport
import Foundation
import GlassBase
@testable import GlassDelivery
import GlassMarkets
import TestSupport
import Testing

/// A phone with an app, a store, and a server in a folder.
final class Phone: Sendable {
    static let ids = ["ca", "us"]
    let folder: URL
    let time = Lock(2_000_000)

    init(embedded: String = "embedded") throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "phone-\(UUID().uuidString)")
        let repository = try repository()
        try repository.publish(Self.ids.map { TestMarkets.file($0, embedded) })
        try repository.embed(in: folder.appending(path: "app"))
    }

    deinit {
        // The system cleans up a folder that cannot be removed.
        try? FileManager.default.removeItem(at: folder)
    }

    private let released = Lock<[(release: String, revoked: [String])]>([])

    /// The repository in its current state, always with the same keys.
    private func repository() throws -> TestRepository { try TestRepository(folder.appending(path: "server")) }

    /// Publishes the given files as a release; by default, all markets.
    func publish(
        _ release: String, custom: String? = nil, revoked: [String] = [], expires: String = "2030-01-01T00:00:00Z",
        files: [TestRepository.File]? = nil
    ) throws {
        let count = released.withLock { released in
            released.append((release, revoked))
            return released.count
        }
        let repository = try repository()
        // Continues the version numbers of the last release.
        for _ in 0..<count { try repository.publish([]) }
        repository.expires = expires
        try repository.publish(
            files ?? Self.ids.map { TestMarkets.file($0, release, custom: custom) }, revoked: revoked)
    }

    func digest(_ id: String, _ release: String) -> String {
        DeliveredVersion(of: TestMarkets.file(id, release).bytes, path: "").digest
    }

    /// Launches a process of the app.
    func launch(
        app: String = "25.1", role: DeliveredMarkets.Role = .app,
        maximumAges: [String: MaximumAge] = [:],
        system: StoreSystem = StoreSystem(), embedded: String = "app",
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) throws -> DeliveredMarkets {
        try TestMarkets.open(
            folder, app: app, system: system, role: role, maximumAges: maximumAges,
            embedded: embedded,
            now: { [time] in time.withLock { $0 } }, pause: pause)
    }

    func delivery(_ markets: DeliveredMarkets, schedule: RefreshSchedule = RefreshSchedule()) -> MarketDelivery {
        MarketDelivery(
            markets, client: UpdateClient(folder: folder.appending(path: "server")), schedule: schedule, random: { 0.5 }
        )
    }

    /// Contacts the server from a separate process.
    @discardableResult
    func refresh(app: String = "25.1") async throws -> RefreshReport {
        await delivery(try launch(app: app)).refresh()
    }

    /// Launches the app; unless healthy, the launch crashes.
    @discardableResult
    func start(healthy: Bool, app: String = "25.1") throws -> String? {
        let markets = try launch(app: app)
        let name = try markets.check("ca").market?.definition.name
        if healthy { markets.markHealthy() }
        return name
    }

    func pass(_ seconds: Int) { time.withLock { $0 += seconds } }
}

/// A server whose files break off after one byte, a given number of times.
private final class BreakingTransport: UpdateTransport {
    private let server: any UpdateTransport
    private let breaks: Lock<Int>
    let requests = Lock<[UpdateRequest]>([])

    init(_ server: any UpdateTransport, breaks: Int) {
        self.server = server
        self.breaks = Lock(breaks)
    }

    func get(_ request: UpdateRequest) async throws(TransportFailure) -> UpdateResponse {
        requests.withLock { $0.append(request) }
        let response = try await server.get(request)
        guard case .content(let bytes, _) = response else { return response }
        let isBroken = breaks.withLock { breaks in
            breaks -= 1
            return breaks >= 0
        }
        guard isBroken else { return response }
        var failure = TransportFailure(.network, "broken", mayPass: false, received: 1)
        failure.partial = PartialFile(bytes: Array(bytes.prefix(1)), entityTag: "\"\(request.path)\"")
        throw failure
    }
}

@Suite struct DeliveredMarketsTests {
    /// The download resumes with the same file, but not with another release's.
    @Test func interruptedDownloadResumesInNextRefresh() async throws {
        let phone = try Phone()
        try phone.publish("one")
        let server = phone.folder.appending(path: "server")
        let files = BreakingTransport(FolderTransport(server.appending(path: "targets")), breaks: 2)
        let client = UpdateClient(metadata: FolderTransport(server.appending(path: "metadata")), files: files)
        let delivery = MarketDelivery(try phone.launch(), client: client, random: { 0.5 })
        #expect(await delivery.refresh().problems.keys.sorted() == ["ca", "us"])
        try phone.publish("two", files: [TestMarkets.file("ca", "one"), TestMarkets.file("us", "two")])
        #expect(await delivery.refresh().downloaded == ["4/ca.json", "4/us.json"])
        let requests = files.requests.withLock { $0 }
        #expect(requests.map { $0.resuming?.bytes.count } == [nil, nil, 1, nil])
        #expect(requests[2].resuming?.entityTag == "\"\(requests[0].path)\"")
        // Nothing is left over from completed downloads.
        try phone.publish("three")
        _ = await delivery.refresh()
        #expect(files.requests.withLock { $0.dropFirst(4).map(\.resuming) } == [nil, nil])
    }

    @Test func embeddedMarketsRunBeforeFirstRefresh() throws {
        let phone = try Phone()
        let markets = try phone.launch()
        #expect(try markets.check("ca").market?.definition.name == "embedded")
        #expect(markets.ids == ["ca", "us"])
        let status = try #require(markets.deliveryStatus(of: "ca"))
        #expect(status.health == .embedded)
        #expect(status.freshness == .embedded(builtAt: Date(timeIntervalSince1970: 1_000_000)))
        #expect(throws: DeliveryError.self) { try markets.check("br") }
    }

    @Test func newVersionIsTriedAtNextLaunchAndBecomesHealthy() async throws {
        let phone = try Phone()
        try phone.publish("one", custom: "{\"serial\":118}")
        let first = try phone.launch()
        #expect(try first.check("ca").market?.definition.name == "embedded")
        let report = await phone.delivery(first).refresh()
        #expect(report.failure == nil && report.downloaded == ["4/ca.json", "4/us.json"])
        // The running process keeps its version.
        #expect(try first.check("ca").market?.definition.name == "embedded")
        #expect(first.deliveryStatus(of: "ca")?.pending?.serial == 118)

        let second = try phone.launch()
        #expect(try second.check("ca").market?.definition.name == "one")
        #expect(second.deliveryStatus(of: "ca")?.health == .trial(starts: 1))
        // A second load in the same process does not count as another launch.
        #expect(try second.check("ca").market?.definition.name == "one")
        #expect(second.deliveryStatus(of: "ca")?.health == .trial(starts: 1))
        second.markHealthy("ca")
        let status = try #require(second.deliveryStatus(of: "ca"))
        #expect(status.health == .healthy && status.lastHealthy == status.active && status.pending == nil)
        #expect(status.active?.digest == phone.digest("ca", "one"))
        #expect(status.freshness == .fresh(until: Date(timeIntervalSince1970: 1_893_456_000)))
        #expect(await phone.delivery(second).refresh().isUnchanged)
    }

    /// The rule for the next format: an app that does not read it says so, and keeps what it has. So it does with a former
    /// one.
    @Test(arguments: [5, 1]) func appKeepsMarketThatIsListedInAnotherFormatOnly(format: Int) async throws {
        let phone = try Phone()
        func start() async throws -> (name: String?, report: RefreshReport, state: StoredState?) {
            let markets = try phone.launch()
            let name = try markets.check("ca").market?.definition.name
            markets.markHealthy()
            let report = await phone.delivery(markets).refresh()
            return (name, report, try markets.store.state())
        }
        let us = TestMarkets.file("us", "embedded")
        let reason = "it has the format \(format), and this app reads 4"
        try phone.publish("one", files: [TestMarkets.file("ca", "one"), us])
        #expect(try await start().report.downloaded == ["4/ca.json"])
        let custom = "{\"schema\":\(format)}"
        try phone.publish(
            "two", files: [TestMarkets.file("ca", "other", path: "\(format)/ca.json", custom: custom), us])
        let told = try await start()
        #expect(told.name == "one" && told.report.failure == nil && told.report.downloaded.isEmpty)
        #expect(
            told.report.events.map(\.description)
                == ["ca: the newest version is not compatible with this app: \(reason)"])
        #expect(told.state?.incompatible == ["ca": reason])
        let later = try await start()
        #expect(later.name == "one" && later.report.events.isEmpty)
        // The format that it reads is there again.
        try phone.publish("three", files: [TestMarkets.file("ca", "three"), us])
        let again = try await start()
        #expect(again.report.downloaded == ["4/ca.json"] && again.state?.incompatible == [:])
        #expect(try await start().name == "three")
    }

    /// An app whose build embeds a market in a format that it does not read.
    @Test func embeddedMarketOfAnotherFormatIsNamed() throws {
        let phone = try Phone()
        let repository = try TestRepository(phone.folder.appending(path: "former"))
        try repository.publish([TestMarkets.file("ca", "one", path: "3/ca.json")])
        try repository.embed(in: phone.folder.appending(path: "other"))
        #expect {
            try phone.launch(embedded: "other").check("ca")
        } throws: {
            "\($0)".contains(
                "cannot be used: ca: it has the format 3, and this app reads 4; create the folder again with")
        }
    }

    @Test func crashingVersionIsTriedThreeTimes() async throws {
        let phone = try Phone()
        try phone.publish("one")
        try await phone.refresh()
        try phone.start(healthy: true)
        try phone.publish("two")
        try await phone.refresh()
        for _ in 1...3 { #expect(try phone.start(healthy: false) == "two") }
        #expect(try phone.start(healthy: true) == "one")
        let quarantine = try phone.launch().deliveryStatus(of: "ca")?.quarantined.first
        #expect(quarantine?.reason.hasPrefix("3 consecutive launches") == true)
        // It is offered again, and ignored.
        let report = try await phone.refresh()
        #expect(report.events.contains { if case .ignored = $0.kind { $0.market == "ca" } else { false } })
        for _ in 1...10 { #expect(try phone.start(healthy: true) == "one") }
        // The publisher's next release is a different one.
        try phone.publish("three")
        try await phone.refresh()
        #expect(try phone.start(healthy: true) == "three")
    }

    @Test func launchesEndingInBackgroundCauseNoRollback() async throws {
        let phone = try Phone()
        try phone.publish("one")
        try await phone.refresh()
        let count = rounds(all: 1_000, few: 100)
        for _ in 1...count {
            let markets = try phone.launch()
            #expect(try markets.check("ca").market?.definition.name == "one")
            markets.enterBackground()
        }
        #expect(try phone.launch().deliveryStatus(of: "ca")?.health == .trial(starts: 0))
        print("delivery: \(count) starts that ended in the background, none went back")
    }

    @Test func crashAfterReturningToForegroundCounts() async throws {
        let phone = try Phone()
        try phone.publish("one")
        try await phone.refresh()
        for _ in 1...3 {
            let markets = try phone.launch()
            #expect(try markets.check("ca").market?.definition.name == "one")
            markets.enterBackground()
            markets.enterForeground()
        }
        #expect(try phone.start(healthy: true) == "embedded")
    }

    @Test func backgroundLaunchesAndWidgetsChangeNothing() async throws {
        let phone = try Phone()
        try phone.publish("one")
        try await phone.refresh()
        for role in [DeliveredMarkets.Role.reader, .appInBackground] {
            for _ in 1...10 {
                #expect(try phone.launch(role: role).check("ca").market?.definition.name == "embedded")
            }
        }
        #expect(try phone.start(healthy: false) == "one")
        for role in [DeliveredMarkets.Role.reader, .appInBackground] {
            for _ in 1...10 { #expect(try phone.launch(role: role).check("ca").market?.definition.name == "one") }
        }
        #expect(try phone.launch().deliveryStatus(of: "ca")?.health == .trial(starts: 1))
    }

    @Test func versionThatCannotBeBuiltIsNotPending() async throws {
        let phone = try Phone()
        try phone.publish("broken")
        let report = try await phone.refresh()
        #expect(report.failure == nil)
        #expect(report.events.contains { if case .refused = $0.kind { true } else { false } })
        #expect(try phone.start(healthy: true) == "embedded")
        #expect(try phone.launch().deliveryStatus(of: "ca")?.quarantined.count == 1)
        // Another version of the app may be able to build it.
        #expect(try phone.start(healthy: true, app: "26.0") == "embedded")
        #expect(try phone.launch(app: "26.0").deliveryStatus(of: "ca")?.quarantined.isEmpty == true)
    }

    @Test func revokedVersionIsNotUsedFromDiskEither() async throws {
        let phone = try Phone()
        try phone.publish("one")
        try await phone.refresh()
        try phone.start(healthy: true)
        try phone.publish("two")
        try await phone.refresh()
        #expect(try phone.start(healthy: false) == "two")
        try phone.publish("two", revoked: [phone.digest("ca", "two")])
        try await phone.refresh()
        #expect(try phone.start(healthy: true) == "one")
        #expect(try phone.launch().deliveryStatus(of: "ca")?.incompatibility == "it is revoked")
        try phone.publish("two", revoked: [phone.digest("ca", "two"), phone.digest("ca", "one")])
        try await phone.refresh()
        #expect(try phone.start(healthy: true) == "embedded")
    }

    @Test func revocationReachesRunningProcess() async throws {
        let phone = try Phone()
        try phone.publish("one")
        try await phone.refresh()
        let markets = try phone.launch()
        let store = MarketStore(markets)
        #expect(store.reload("ca") != nil)
        #expect(store.market("ca")?.definition.name == "one")
        #expect(store.reload("ca") == nil)
        try phone.publish("two", revoked: [phone.digest("ca", "one")])
        await phone.delivery(markets).refresh()
        #expect(store.reload("ca") != nil)
        #expect(store.market("ca")?.definition.name == "embedded")
        #expect(store.status(of: "ca")?.delivery?.pending?.digest == phone.digest("ca", "two"))
        #expect(store.statuses.first?.delivery?.health == .embedded)
        #expect(markets.activate("ca"))
        #expect(store.reload("ca") != nil)
        #expect(store.market("ca")?.definition.name == "two")
        #expect(store.status(of: "ca")?.delivery?.health == .trial(starts: 1))
        #expect(!markets.activate("ca"))
    }

    @Test(arguments: [("24.1", false), ("24.2", true), ("25.9", true), ("26.0", false)])
    func appOutsideVersionRangeKeepsItsMarket(app: String, isIn: Bool) async throws {
        let phone = try Phone()
        try phone.publish("one", custom: "{\"app\":{\"min\":\"24.2\",\"max\":\"25\"}}")
        let report = try await phone.refresh(app: app)
        #expect(report.failure == nil)
        #expect(report.downloaded.isEmpty == !isIn)
        #expect(try phone.start(healthy: true, app: app) == (isIn ? "one" : "embedded"))
        let status = try #require(try phone.launch(app: app).deliveryStatus(of: "ca"))
        #expect((status.incompatibility != nil) == !isIn)
    }

    @Test func percentageOfInstallationsGetsNextVersionFirst() async throws {
        let phone = try Phone()
        func publish(share: Int) throws {
            let custom = "{\"rollout\":{\"salt\":\"a\",\"share\":\(share)}}"
            try phone.publish(
                "one",
                files: [
                    TestMarkets.file("ca", "one"),
                    TestMarkets.file("ca", "two", path: "4/ca.next.json", custom: custom),
                ])
        }
        try publish(share: 0)
        try await phone.refresh()
        #expect(try phone.start(healthy: true) == "one")
        try publish(share: 10_000)
        try await phone.refresh()
        #expect(try phone.start(healthy: true) == "two")
        try publish(share: 0)
        try await phone.refresh()
        #expect(try phone.start(healthy: true) == "one")
    }

    @Test func appWithNewerMarketsReplacesStore() async throws {
        let phone = try Phone()
        try phone.publish("one")
        try await phone.refresh()
        try phone.start(healthy: true)
        try phone.publish("two")
        let server = try TestRepository(phone.folder.appending(path: "server-of-the-build"))
        for _ in 1...5 { try server.publish(Phone.ids.map { TestMarkets.file($0, "newer") }) }
        try server.embed(in: phone.folder.appending(path: "app2"))
        let markets = try phone.launch(app: "26.0", embedded: "app2")
        #expect(try markets.check("ca").market?.definition.name == "newer")
        #expect(markets.deliveryStatus(of: "ca")?.health == .embedded)
        // From then on, versions older than the app's are rejected.
        let report = await phone.delivery(markets).refresh()
        guard case .metadata(let error)? = report.failure else {
            Issue.record("\(report)")
            return
        }
        #expect(error.rule == .rollback)
        #expect(try phone.launch(app: "26.0", embedded: "app2").check("ca").market?.definition.name == "newer")
    }

    @Test func appWithOlderMarketsKeepsStore() async throws {
        let phone = try Phone()
        try phone.publish("one")
        try await phone.refresh()
        try phone.start(healthy: true)
        #expect(try phone.start(healthy: true, app: "26.0") == "one")
    }

    @Test func missingAndCorruptBytesAreDownloadedAgain() async throws {
        let phone = try Phone()
        try phone.publish("one")
        try await phone.refresh()
        try phone.start(healthy: true)
        let file = phone.folder.appending(path: "store/objects/\(phone.digest("ca", "one"))")
        try Data("x".utf8).write(to: file)
        #expect(try phone.start(healthy: true) == "embedded")
        #expect(try await phone.refresh().downloaded == ["4/ca.json"])
        #expect(try phone.start(healthy: true) == "one")
    }

    @Test(arguments: ["state", "root.json", "targets.json", "timestamp.json"])
    func unreadableStoreFallsBackToEmbeddedMarkets(file: String) async throws {
        let phone = try Phone()
        try phone.publish("one")
        try await phone.refresh()
        try phone.start(healthy: true)
        let url = phone.folder.appending(path: "store/\(file)")
        var bytes = Array(try Data(contentsOf: url))
        bytes[bytes.count / 2] ^= 1
        bytes[3] ^= 1
        try Data(bytes).write(to: url)
        let markets = try phone.launch()
        #expect(try markets.check("ca").market?.definition.name == "embedded")
        #expect(markets.deliveryStatus(of: "ca")?.problem != nil)
        // The next refresh repairs it.
        let report = await phone.delivery(markets).refresh()
        #expect(report.failure == nil, "\(report)")
        #expect(try phone.start(healthy: true) == "one")
        #expect(try phone.launch().deliveryStatus(of: "ca")?.problem == nil)
    }

    @Test(arguments: [ENOSPC, EROFS, EACCES])
    func unwritableStoreDoesNotPreventUse(code: CInt) async throws {
        let phone = try Phone()
        try phone.publish("one")
        let system = StoreSystem { _ in .failure(code) }
        for _ in 1...5 {
            let markets = try phone.launch(system: system)
            #expect(try markets.check("ca").market?.definition.name == "embedded")
            let report = await phone.delivery(markets).refresh()
            guard case .store? = report.failure else {
                Issue.record("\(report)")
                return
            }
            markets.markHealthy("ca")
            #expect(markets.deliveryStatus(of: "ca")?.problem?.contains("cannot") == true)
        }
        try await phone.refresh()
        try phone.start(healthy: true)
        let markets = try phone.launch(system: system)
        #expect(try markets.check("ca").market?.definition.name == "one")
    }

    @Test func refreshInterruptedByFullDiskCompletesLater() async throws {
        let phone = try Phone()
        try phone.publish("one")
        for limit in stride(from: 1, to: 80, by: 3) {
            let count = Lock(0)
            let markets = try phone.launch(
                system: StoreSystem { step in
                    guard step == .write || step == .open else { return .none }
                    return count.withLock {
                        $0 += 1
                        return $0 > limit ? .failure(ENOSPC) : .none
                    }
                })
            await phone.delivery(markets).refresh()
            #expect(try phone.launch(role: .reader).check("ca").market != nil)
        }
        try await phone.refresh()
        #expect(try phone.start(healthy: true) == "one")
        #expect(try phone.start(healthy: true) == "one")
    }

    // MARK: Time

    @Test func marketRunsWithoutServer() async throws {
        let phone = try Phone()
        try phone.publish("one", expires: "1970-01-31T00:00:00Z")
        try await phone.refresh()
        try phone.start(healthy: true)
        let until = Date(timeIntervalSince1970: 30 * 86_400)
        func freshness() throws -> MarketFreshness? { try phone.launch().deliveryStatus(of: "ca")?.freshness }
        #expect(try freshness() == .fresh(until: until))
        try FileManager.default.moveItem(
            at: phone.folder.appending(path: "server"), to: phone.folder.appending(path: "gone"))
        let report = try await phone.refresh()
        guard case .metadata(let error)? = report.failure else {
            Issue.record("\(report)")
            return
        }
        #expect(error.rule == .network)
        #expect(try freshness() == .fresh(until: until))
        #expect(try phone.launch().deliveryStatus(of: "ca")?.failedRefreshes == 1)
        phone.pass(400 * 86_400)
        try await phone.refresh()
        #expect(try freshness() == .stale(since: until))
        #expect(try phone.launch().deliveryStatus(of: "ca")?.failedRefreshes == 2)
        #expect(try phone.start(healthy: true) == "one")
        // The server returns after 400 days.
        try FileManager.default.moveItem(
            at: phone.folder.appending(path: "gone"), to: phone.folder.appending(path: "server"))
        try phone.publish("two")
        #expect(try await phone.refresh().failure == nil)
        #expect(try phone.start(healthy: true) == "two")
    }

    @Test func serverSendingOldMetadataIsFrozen() async throws {
        let phone = try Phone()
        try phone.publish("one", expires: "1970-01-31T00:00:00Z")
        try await phone.refresh()
        try phone.start(healthy: true)
        phone.pass(30 * 86_400)
        let report = try await phone.refresh()
        guard case .metadata(let error)? = report.failure else {
            Issue.record("\(report)")
            return
        }
        #expect(error.rule == .expired)
        let since = Date(timeIntervalSince1970: TimeInterval(phone.time.withLock { $0 }))
        phone.pass(60)
        try await phone.refresh()
        #expect(try phone.launch().deliveryStatus(of: "ca")?.freshness == .frozen(since: since))
        #expect(try phone.start(healthy: true) == "one")
    }

    /// Background refreshes fetch release after release, none of which is ever launched.
    @Test func releasesNeverLaunchedMakeRoomForNext() async throws {
        let phone = try Phone()
        for number in 0..<12 {
            try phone.publish("\(number)" + String(repeating: "x", count: 250_000))
            let report = try await phone.refresh()
            #expect(report.failure == nil && report.problems == [:], "release \(number): \(report.problems)")
        }
        #expect(try phone.start(healthy: true)?.hasPrefix("11x") == true)
    }

    @Test func clockSetBackDoesNotReviveOldReleases() async throws {
        let phone = try Phone()
        try phone.publish("one", expires: "1970-01-31T00:00:00Z")
        phone.pass(100 * 86_400)
        try phone.publish("two", expires: "1970-12-31T00:00:00Z")
        try await phone.refresh()
        try phone.start(healthy: true)
        // Back to when the first release was valid, with a server that sends the metadata that expired with it.
        phone.time.withLock { $0 = 2_000_000 }
        try phone.publish("three", expires: "1970-01-31T00:00:00Z")
        let report = try await phone.refresh()
        guard case .metadata(let error)? = report.failure else {
            Issue.record("\(report)")
            return
        }
        #expect(error.rule == .expired)
        #expect(try phone.start(healthy: true) == "two")
    }

    @Test func clockInFutureOnlyStopsRefreshes() async throws {
        let phone = try Phone()
        try phone.publish("one")
        try await phone.refresh()
        try phone.start(healthy: true)
        let now = phone.time.withLock { $0 }
        phone.time.withLock { $0 = 4_000_000_000 }
        try phone.publish("two")
        #expect(try await phone.refresh().failure != nil)
        #expect(try phone.start(healthy: true) == "one")
        phone.time.withLock { $0 = now }
        #expect(try await phone.refresh().failure == nil)
        #expect(try phone.start(healthy: true) == "two")
    }

    @Test func appDecidesAboutMarketThatIsTooOld() async throws {
        let phone = try Phone()
        try phone.publish("one")
        try await phone.refresh()
        try phone.start(healthy: true)
        func launch(_ policy: MaximumAge.Policy) throws -> DeliveredMarkets {
            try phone.launch(maximumAges: ["ca": MaximumAge(.seconds(7 * 86_400), then: policy)])
        }
        phone.pass(7 * 86_400 - 1)
        #expect(try launch(.off).check("ca").market?.definition.name == "one")
        phone.pass(1)
        #expect(try launch(.keep).check("ca").market?.definition.name == "one")
        #expect(try launch(.embedded).check("ca").market?.definition.name == "embedded")
        #expect(try launch(.off).check("us").market?.definition.name == "one")
        let error = #expect(throws: DeliveryError.self) { try launch(.off).check("ca") }
        #expect(error?.localizedDescription == error?.description)
        #expect("\(try #require(error))".contains("older than the app allows"))
        let since = Date(timeIntervalSince1970: 2_000_000 + 7 * 86_400)
        #expect(try launch(.keep).deliveryStatus(of: "ca")?.freshness == .expired(since: since))
    }

    // MARK: Schedule

    @Test func serverIsContactedOncePerHour() async throws {
        let phone = try Phone()
        try phone.publish("one")
        let delivery = phone.delivery(try phone.launch())
        #expect(await delivery.refreshIfDue() != nil)
        #expect(await delivery.refreshIfDue() == nil)
        phone.pass(3_599)
        #expect(await delivery.refreshIfDue() == nil)
        phone.pass(1)
        #expect(await delivery.refreshIfDue() != nil)
        // A time farther away than any pause comes from a wrong clock.
        #expect(
            RefreshSchedule().isDue(now: UpdateTime(secondsSince1970: 0), state: try phone.launch().readState().state))
    }

    @Test(
        arguments: [
            (0, 0.0, nil, 2_880), (0, 0.999_999, nil, 4_319), (1, 0.0, nil, 2), (1, 1.0, nil, 0), (3, 0.0, nil, 8),
            (40, 0.0, nil, 3_600), (1, 0.0, 120, 120), (1, 0.0, 1_000_000, 86_400), (0, 0.5, 7_200, 7_200),
        ] as [(Int, Double, Int?, Int)])
    func pausesGrowWithFailuresAndRespectRetryAfter(failures: Int, random: Double, retryAfter: Int?, pause: Int) {
        let start = UpdateTime(secondsSince1970: 1_000)
        let next = RefreshSchedule().next(
            after: start, failures: failures, retryAfter: retryAfter.map { .seconds($0) }, random: random)
        #expect(next.secondsSince1970 - 1_000 == pause)
    }
}
