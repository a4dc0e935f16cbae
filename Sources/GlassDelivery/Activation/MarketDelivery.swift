import Crypto
import GlassBase
import GlassMarkets

/// Fetches markets from a server into the store of ``markets``: refreshes the metadata, then downloads new versions,
/// verifies them, and builds each one once. A version that passes is pending until the next launch of the app.
///
/// An app can launch without it, and no failure here affects a market that is in use.
public final class MarketDelivery: Sendable {
    /// The markets of the store.
    public let markets: DeliveredMarkets
    private let client: UpdateClient
    private let schedule: RefreshSchedule
    private let ids: [String]
    private let random: @Sendable () -> Double
    /// The bytes of each market whose download was interrupted, by market id, and the digest of the file.
    private let begun = Lock<[String: (digest: String, file: PartialFile)]>([:])
    /// Only one refresh runs at a time; concurrent callers get the same report.
    private let running = Lock<Task<RefreshReport, Never>?>(nil)

    /// Creates a delivery with a custom client.
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

    /// Refreshes if a refresh is due: an hour after the last one, give or take a fifth, or later after failures.
    ///
    /// Call it when the app launches and whenever it enters the foreground.
    ///
    /// - Returns: The result, or `nil` if no refresh is due.
    @discardableResult
    public func refreshIfDue() async -> RefreshReport? {
        let (state, _) = markets.readState()
        guard schedule.isDue(now: markets.now(state), state: state) else { return nil }
        return await refresh()
    }

    /// Refreshes now.
    ///
    /// - Returns: The result.
    @discardableResult
    public func refresh() async -> RefreshReport {
        let task = running.withLock { running in
            if let running { return running }
            let task = Task {
                var report = await self.run()
                report.movedAside = self.markets.store.takeMovedAside()
                return report
            }
            running = task
            return task
        }
        let report = await task.value
        running.withLock { if $0 == task { $0 = nil } }
        return report
    }

    // MARK: A refresh

    private func run() async -> RefreshReport {
        // Another process may store newer metadata in the meantime, or remove files that no state refers to yet. If so,
        // start over.
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
        // With the tag of a timestamp other than the trusted one, the server would respond "unchanged" for the wrong
        // file.
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

    /// The state, or `nil` if it is missing or unreadable. An unreadable state is replaced.
    private func readable() throws(StoreError) -> StoredState? {
        do throws(StoreError) {
            return try markets.store.state()
        } catch {
            guard error.isMalformed else { throw error }
            return nil
        }
    }

    /// The starting point of a refresh: the stored metadata, unless its root fails verification or the app embeds a
    /// newer one.
    private func start(from stored: [String: [UInt8]]) throws(StoreError) -> TrustedSet {
        // Stored metadata that fails verification is treated as missing.
        if let trusted = try? TrustedSet(remembering: stored, limits: markets.embedded.limits),
            trusted.root.version >= markets.embedded.rootVersion
        {
            return trusted
        }
        return try markets.verifiedEmbeddedMetadata()
    }

    /// The possible paths of the markets. Delegated roles are fetched to find them.
    private var paths: [String] {
        ids.flatMap { id in
            ["\(CompiledMarket.format)/\(id).json", "\(CompiledMarket.format)/\(id).next.json"]
        }
    }

    /// Stores the verified metadata and the result of the refresh.
    private func store(
        _ outcome: RefreshOutcome, over base: [String: [UInt8]], at now: UpdateTime
    ) throws(StoreError) {
        // Drop roles that no market's search reaches anymore; the snapshot lists their versions, so they cannot be
        // downgraded.
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

    /// Downloads the versions that the metadata lists for this app and that are not stored yet. Valid ones become
    /// pending.
    private func download(from trusted: TrustedSet, into report: inout RefreshReport) async throws(StoreError) {
        markets.makeRoom()
        let (state, _) = markets.readState()
        let choice = TargetChoice(app: markets.choice.app, install: state?.install)
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
                    admitted.append((id, .admitted(version)))  // reports that it is ignored
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

    /// Adds the bytes of a version to the store, unless they are there already.
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
        // A refresh in the background may have only a few seconds; the next one resumes here.
        if let partial = outcome.partial { begun.withLock { $0[id] = (version.digest, partial) } }
        if let error = outcome.error { throw error }
        guard let bytes = outcome.bytes else { return nil }
        try object.write(bytes)
        // Build before naming the file, so that every pending version has been built once.
        if let problem = markets.problem(building: id, bytes) { return problem }
        try object.finish()
        report.downloaded.append(version.path)
        return nil
    }
}

/// The result of a refresh.
public struct RefreshReport: Sendable {
    /// The reason why a refresh ended early.
    public enum Failure: Sendable {
        /// A file was rejected, or the server did not respond.
        case metadata(MetadataError)
        /// The store could not be read or written.
        case store(StoreError)
    }

    /// The reason why the refresh ended early, or `nil` if it completed.
    public let failure: Failure?
    /// Whether the server had nothing new.
    public internal(set) var isUnchanged = false
    /// The paths of the downloaded markets.
    public internal(set) var downloaded: [String] = []
    /// The reasons why markets could not be downloaded or stored, by id; the next refresh retries.
    public internal(set) var problems: [String: String] = [:]
    /// The new paths of folders that were moved aside because they had the names of store files.
    public internal(set) var movedAside: [String] = []
    /// The events of the markets.
    public internal(set) var events: [DeliveryEvent] = []
}
