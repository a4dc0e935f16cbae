import Crypto
import GlassBase
import GlassMarkets

/// Fetches markets from a server into the store of ``markets``: refreshes what is known, downloads what is new, proves it and
/// builds it once. What passes waits for the next start of the app.
///
/// Nothing here is needed for an app to start; nothing that fails here stops a market that runs.
public final class MarketDelivery: Sendable {
    /// The markets of the store.
    public let markets: DeliveredMarkets
    private let client: UpdateClient
    private let schedule: RefreshSchedule
    private let ids: [String]
    private let random: @Sendable () -> Double
    /// What came of each market's file before its download broke off, by the market's id, and of which file.
    private let begun = Lock<[String: (digest: String, file: PartialFile)]>([:])
    /// One refresh at a time; who asks meanwhile gets the same report.
    private let running = Lock<Task<RefreshReport, Never>?>(nil)

    /// Creates a delivery with a client.
    package init(
        _ markets: DeliveredMarkets, client: UpdateClient, schedule: RefreshSchedule = RefreshSchedule(),
        ids: [String] = [], random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        self.markets = markets
        self.client = client
        self.schedule = schedule
        self.ids = Set(markets.ids + ids).sorted()
        self.random = random
    }

    /// Asks the server if it is time to: an hour after the last refresh, up to a fifth more or less, later after failures.
    ///
    /// Call it when the app starts and whenever it comes to the foreground.
    ///
    /// - Returns: What came of it; nil when it is too early.
    @discardableResult
    public func refreshIfDue() async -> RefreshReport? {
        let (state, _) = markets.readState()
        guard schedule.isDue(now: markets.now(state), state: state) else { return nil }
        return await refresh()
    }

    /// Asks the server now.
    ///
    /// - Returns: What came of it.
    @discardableResult
    public func refresh() async -> RefreshReport {
        let task = running.withLock { running in
            if let running { return running }
            let task = Task { await self.run() }
            running = task
            return task
        }
        let report = await task.value
        running.withLock { if $0 == task { $0 = nil } }
        return report
    }

    // MARK: A refresh

    private func run() async -> RefreshReport {
        // Another process may store newer metadata meanwhile, or remove what is not named by a state yet; then this one
        // begins again.
        for _ in 0..<3 {
            do throws(StoreError) {
                return try await attempt()
            } catch {
                switch error {
                case .superseded, .missingObject: continue
                default:
                    markets.note(error)
                    return RefreshReport(failure: .store(error))
                }
            }
        }
        return RefreshReport(failure: .store(.superseded))
    }

    private func attempt() async throws(StoreError) -> RefreshReport {
        try markets.adopt()
        let state = try readable()
        let base = try markets.store.metadata()
        let trusted = try start(from: base)
        let now = markets.now(state)
        let tag = state?.timestampTag
        // A tag of another timestamp than the one that is trusted would be answered with "unchanged".
        let stamp = trusted.received["timestamp.json"].map { SHA256.hexadecimal(of: $0) }
        let isTagged = tag != nil && tag?.digest == stamp
        let outcome = await client.refresh(
            from: trusted, now: now, entityTag: isTagged ? tag?.value : nil, lookingFor: paths)

        try store(outcome, over: base, at: now)
        if let error = outcome.error { return RefreshReport(failure: .metadata(error)) }
        var report = RefreshReport(failure: nil)
        report.isUnchanged = outcome.isUnchanged
        try await download(from: outcome.trusted, into: &report)
        markets.clearProblem()
        return report
    }

    /// The state, nil where there is none or none that can be read: that one is replaced.
    private func readable() throws(StoreError) -> StoredState? {
        do throws(StoreError) {
            return try markets.store.state()
        } catch {
            guard error.isMalformed else { throw error }
            return nil
        }
    }

    /// What a refresh begins with: what is stored, unless its root does not prove itself or the app has a newer one.
    private func start(from stored: [String: [UInt8]]) throws(StoreError) -> TrustedSet {
        if let trusted = try? TrustedSet(remembering: stored, limits: markets.embedded.limits),
            trusted.root.version >= markets.embedded.rootVersion
        {
            return trusted
        }
        return try markets.verifiedEmbeddedMetadata()
    }

    /// The paths at which the markets can be: delegated roles are fetched on the way to them.
    private var paths: [String] {
        ids.flatMap { id in
            (1...markets.choice.generation).flatMap { ["\($0)/\(id).json", "\($0)/\(id).next.json"] }
        }
    }

    /// Stores what was verified, and how the refresh ended.
    private func store(
        _ outcome: RefreshOutcome, over base: [String: [UInt8]], at now: UpdateTime
    ) throws(StoreError) {
        // Roles that no market's search meets any more go; what the snapshot lists keeps them from getting older.
        let files = outcome.error == nil ? outcome.trusted.received(keeping: outcome.roles) : outcome.trusted.received
        let change = files == base ? nil : DeliveryStore.MetadataChange(base: base, files: files)
        let tag = outcome.entityTag.flatMap { value in
            files["timestamp.json"].map { StoredState.Tag(value: value, digest: SHA256.hexadecimal(of: $0)) }
        }
        let random = random()
        let events = try markets.update(metadata: change) { [schedule, markets] state, _ in
            state.versions = outcome.trusted.versions
            state.timestampTag = tag ?? state.timestampTag
            state.checked = now
            var events: [DeliveryEvent] = []
            if let error = outcome.error {
                var failure = state.failure ?? StoredState.Failure(since: now)
                failure.add(error, at: now)
                state.failure = failure
            } else {
                state.verified = now
                state.validUntil = outcome.trusted.timestamp?.expires
                state.failure = nil
                state.revoked = outcome.trusted.revoked
                for (id, health) in state.markets.sorted(by: { $0.key < $1.key }) {
                    var health = health
                    let notes = health.handle(
                        .revoked(state.revoked), embedded: markets.embedded.versions[id]?.digest, at: now)
                    state.markets[id] = health
                    events += notes.map { DeliveryEvent(id, $0) }
                }
            }
            state.nextCheck = schedule.next(
                after: now, failures: state.failure?.count ?? 0, retryAfter: outcome.retryAfter, random: random)
            return events
        }
        markets.send(events)
    }

    /// Downloads what the metadata lists for this app and is not here yet, and lets what is good wait for the next start.
    private func download(from trusted: TrustedSet, into report: inout RefreshReport) async throws(StoreError) {
        markets.makeRoom()
        let (state, _) = markets.readState()
        let choice = TargetChoice(
            app: markets.choice.app, generation: markets.choice.generation, install: state?.install)
        let targets = trusted.listedTargets
        var admitted: [(id: String, event: MarketHealth.Event)] = []
        var incompatible: [String: String] = [:]
        var events: [DeliveryEvent] = []
        for id in ids {
            switch choice.version(of: id, in: targets, revoked: trusted.revoked) {
            case .unlisted: continue
            case .incompatible(let reason):
                incompatible[id] = reason
                if state?.incompatible[id] != reason {
                    events.append(.init(market: id, kind: .incompatible(reason: reason)))
                }
            case .version(let version):
                if state?.markets[id]?.quarantined[version.digest] != nil {
                    admitted.append((id, .admitted(version)))  // to be told that it is ignored
                    continue
                }
                do {
                    if let problem = try await fetch(version, of: id, from: trusted, &report) {
                        admitted.append((id, .unusable(digest: version.digest, reason: problem)))
                    } else {
                        admitted.append((id, .admitted(version)))
                    }
                } catch {
                    report.problems[id] = "\(error)"
                    events.append(.init(market: id, kind: .notStored(version.public, reason: "\(error)")))
                }
            }
        }
        events += try markets.update { [markets] state, now in
            var events: [DeliveryEvent] = []
            for (id, event) in admitted {
                var health = state.markets[id] ?? MarketHealth()
                let notes = health.handle(event, embedded: markets.embedded.trustedDigest(of: id), at: now)
                if health != MarketHealth() || state.markets[id] != nil { state.markets[id] = health }
                events += notes.map { DeliveryEvent(id, $0) }
            }
            state.incompatible = incompatible
            return events
        }
        report.events = events
        markets.send(events)
    }

    /// Brings the bytes of a version into the store, unless they are there.
    private func fetch(
        _ version: DeliveredVersion, of id: String, from trusted: TrustedSet, _ report: inout RefreshReport
    ) async throws -> String? {
        if markets.embedded.digests.contains(version.digest) { return nil }
        guard let object = try markets.store.object(for: version), let file = trusted.target(version.path) else {
            return nil
        }
        let partial = begun.withLock { $0.removeValue(forKey: id) }
        let outcome = await client.download(
            file, of: trusted, resuming: partial?.digest == version.digest ? partial?.file : nil)
        // A refresh in the background may have seconds only; the next one goes on from here.
        if let partial = outcome.partial { begun.withLock { $0[id] = (version.digest, partial) } }
        if let error = outcome.error { throw error }
        guard let bytes = outcome.bytes else { return nil }
        try object.write(bytes)
        // Before it gets its name: a version that waits was built once.
        if let problem = markets.problem(building: id, bytes) { return problem }
        try object.finish()
        report.downloaded.append(version.path)
        return nil
    }
}

/// What came of a refresh.
public struct RefreshReport: Sendable {
    /// Why a refresh ended early.
    public enum Failure: Sendable {
        /// A file is not used, or the server did not answer.
        case metadata(MetadataError)
        /// The store could not be written.
        case store(StoreError)
    }

    /// Why the refresh ended early; nil when it did not.
    public let failure: Failure?
    /// Whether the server had nothing new.
    public internal(set) var isUnchanged = false
    /// The paths of the markets that were downloaded.
    public internal(set) var downloaded: [String] = []
    /// Why a market could not be downloaded or stored, by id; the next refresh tries again.
    public internal(set) var problems: [String: String] = [:]
    /// What happened to the markets.
    public internal(set) var events: [DeliveryEvent] = []

    init(failure: Failure?) {
        self.failure = failure
    }
}
