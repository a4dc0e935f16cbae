import Foundation
import GlassBase
public import GlassMarkets
import GlassSchema

/// The markets of a store on the device, which fall back to the markets embedded in the app.
///
/// It reads files and never uses the network, so the network cannot delay a launch. ``MarketDelivery`` fills the store.
///
/// The app's process makes the decisions: it tries new versions, counts launches, and rolls back. A process with
/// another role, such as a widget, reads the app's decisions and changes nothing.
public final class DeliveredMarkets: MarketSource {
    /// The role of a process for the store.
    public enum Role: Sendable, Hashable {
        /// The app, in the foreground: its launches count.
        case app
        /// The app, launched by the system in the background: its launch counts once it enters the foreground.
        case appInBackground
        /// An extension, or one of several servers on a shared disk: it only reads.
        case reader
    }

    /// The version of a market that this process uses.
    private struct Running: Sendable {
        var version: DeliveredVersion?
        /// Whether this launch is counted on disk as failed so far.
        var isCounted: Bool
        var isHealthy = false
    }

    private struct Process: Sendable {
        var markets: [String: Running] = [:]
        var isForeground: Bool
        /// The state whose metadata was last verified, and the error of that verification.
        var proved: (state: StoredState, error: StoreError?)?
        var problem: StoreError?
        var hasCleaned = false
        var hasScreen = false
        /// Waits until the first screen has been visible for long enough.
        var trial: Task<Void, Never>?
    }

    package let embedded: EmbeddedMarkets
    package let store: DeliveryStore
    package let clock: DeliveryClock
    package let choice: TargetChoice
    private let role: Role
    private let maximumAges: [String: MaximumAge]
    private let build:
        @Sendable (_ id: String, _ bytes: [UInt8], _ digest: @escaping @Sendable () -> String?) throws -> MarketCheck
    private let pause: @Sendable (Duration) async throws -> Void
    private let process: Lock<Process>
    private let broadcast = Broadcast<DeliveryEvent>()

    /// Opens a store with a custom function that builds a market from bytes.
    package init(
        embedded: EmbeddedMarkets, store: DeliveryStore, clock: DeliveryClock, choice: TargetChoice, role: Role = .app,
        maximumAges: [String: MaximumAge] = [:],
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        build:
            @escaping @Sendable (
                _ id: String, _ bytes: [UInt8], _ digest: @escaping @Sendable () -> String?
            ) throws -> MarketCheck
    ) {
        self.embedded = embedded
        self.store = store
        self.clock = clock
        self.choice = choice
        self.role = role
        self.maximumAges = maximumAges
        self.pause = pause
        self.build = build
        process = Lock(Process(isForeground: role == .app))
    }

    /// The ids of the markets embedded in the app.
    public var ids: [String] { embedded.versions.keys.sorted() }

    /// The events from now on.
    ///
    /// - Returns: The events in order. A consumer that falls behind loses the oldest events beyond 256; the statuses
    ///   are always complete.
    public func events() -> AsyncStream<DeliveryEvent> { broadcast.values(limit: 256) }

    // MARK: Loading

    /// Loads the version of a market to use now.
    ///
    /// The first call of a process is the market's launch: a pending version is tried, a version that failed too often
    /// is abandoned, and both are recorded on disk before anything is loaded. A version that cannot be loaded is
    /// abandoned immediately, and the next one is loaded.
    ///
    /// - Parameter id: The market's id.
    /// - Returns: The findings, sorted by position, and the market unless a finding is an error.
    /// - Throws: ``DeliveryError``, such as ``DeliveryError/embedded(_:reason:)`` if the embedded version is needed and
    ///   its metadata fails verification; `CompiledMarketError` if its file is not a compiled market.
    public func check(_ id: String) throws -> MarketCheck {
        var version = begin(id)
        if let maximum = maximumAges[id], maximum.policy != .keep {
            let (state, _) = readState()
            let since = (state ?? neverRefreshed).expiry(builtAt: clock.builtAt, maximum: maximum)
            if let since, since <= now(state) {
                guard maximum.policy == .embedded else { throw DeliveryError.expired(id, since: since.date) }
                version = nil
                process.withLock { $0.markets[id]?.version = nil }
            }
        }
        var failed: Set<String> = []
        while let candidate = version {
            let event: MarketHealth.Event
            do {
                let check = try build(id, try bytes(of: candidate), currentDigest(of: id))
                if check.market != nil { return check }
                event = .unusable(digest: candidate.digest, reason: Self.reason(check))
            } catch let error as StoreError {
                note(error)
                event = .lost(digest: candidate.digest)
            } catch let error as DeliveryError {
                throw error
            } catch {
                event = .unusable(digest: candidate.digest, reason: "\(error)")
            }
            failed.insert(candidate.digest)
            if let health = handle(event, of: id) {
                version = health.active
            } else {
                // Nothing can be written, or another process decides: the state may still name the version that failed.
                let health = readState().state?.markets[id]
                version = [health?.forReaders, health?.healthy].lazy.compactMap(\.self)
                    .first { !failed.contains($0.digest) }
            }
            if let next = version, failed.contains(next.digest) { version = nil }
            process.withLock { $0.markets[id]?.version = version }
        }
        guard let version = embedded.versions[id] else {
            guard let reason = embedded.incompatible[id] else { throw DeliveryError.noSuchMarket(id) }
            throw DeliveryError.embedded(embedded.path, reason: "\(id): \(reason)")
        }
        _ = try embedded.trusted()
        return try build(id, try embedded.bytes(of: version), currentDigest(of: id))
    }

    /// The reason why a version that was just downloaded cannot be used, or `nil` if it can.
    package func problem(building id: String, _ bytes: [UInt8]) -> String? {
        do {
            let check = try build(id, bytes) { nil }
            // Built for validation only; the market and its objects are released at the end of this scope.
            return check.market == nil ? Self.reason(check) : nil
        } catch {
            return "\(error)"
        }
    }

    /// The version of a market that this process should use. Counts the launch first.
    private func begin(_ id: String) -> DeliveredVersion? {
        let (isFirst, isForeground) = process.withLock { ($0.markets[id] == nil, $0.isForeground) }
        var version: DeliveredVersion?
        var isCounted = false
        let (state, problem) = readState()
        if isFirst, let problem { note(problem) }
        if role == .reader || (problem.map { !$0.isMalformed } ?? false) {
            version = problem == nil ? state?.markets[id]?.forReaders : nil
        } else if isFirst {
            cleanOnce()
            if let health = handle(.appStarted(isForeground: isForeground), of: id) {
                version = health.active
                isCounted = isForeground
            } else {
                version = state?.markets[id]?.forReaders
            }
        } else {
            version = state?.markets[id]?.active
        }
        process.withLock { process in
            if isFirst {
                process.markets[id] = Running(version: version, isCounted: isCounted)
            } else if process.markets[id]?.version != version {
                process.markets[id]?.version = version
                process.markets[id]?.isHealthy = false
            }
        }
        return version
    }

    private func bytes(of version: DeliveredVersion) throws -> [UInt8] {
        if embedded.digests.contains(version.digest) { return try embedded.bytes(of: version) }
        return try store.bytes(of: version)
    }

    /// The digest of the version that a load would return now, from which a `MarketStore` sees that a reload is
    /// unnecessary.
    private func currentDigest(of id: String) -> @Sendable () -> String? {
        { [weak self] in
            guard let self else { return nil }
            let (state, problem) = readState()
            let version = problem == nil ? state?.markets[id]?.active : nil
            return version?.digest ?? embedded.versions[id]?.digest
        }
    }

    private static func reason(_ check: MarketCheck) -> String {
        check.findings.first { $0.severity == .error }.map { "\($0)" } ?? "it cannot be built"
    }

    // MARK: Health

    /// Reports that a market is healthy: the app showed its first screen with it and stayed in the foreground for about
    /// ten seconds.
    ///
    /// Later rollbacks return to this version. Files that are no longer used are removed from disk.
    ///
    /// - Parameter id: The market's id.
    public func markHealthy(_ id: String) {
        guard let running = process.withLock({ $0.markets[id] }), !running.isHealthy else { return }
        guard handle(.healthy(digest: running.version?.digest), of: id) != nil else { return }
        process.withLock { process in
            process.markets[id]?.isHealthy = true
            process.markets[id]?.isCounted = false
        }
        do {
            try store.collect(now: clock.systemTime)
        } catch {
            note(error)
        }
    }

    /// Reports that all markets that this process loaded are healthy.
    public func markHealthy() {
        for id in process.withLock({ $0.markets.keys.sorted() }) { markHealthy(id) }
    }

    /// Reports that the app showed its first screen. After ten seconds in the foreground, ``markHealthy()`` is called
    /// automatically. The ten seconds restart whenever the app returns to the foreground.
    public func firstScreenAppeared() {
        process.withLock { $0.hasScreen = true }
        beginTrial()
    }

    private func beginTrial() {
        process.withLock { process in
            guard process.hasScreen, process.isForeground, process.trial == nil else { return }
            process.trial = Task { [weak self, pause] in
                do { try await pause(.seconds(10)) } catch { return }  // the app entered the background
                guard let self, self.process.withLock({ $0.isForeground }) else { return }
                markHealthy()
            }
        }
    }

    /// Reports that the app is entering the background or exiting: a launch that ends this way did not crash.
    public func enterBackground() {
        process.withLock { process in
            process.isForeground = false
            process.trial?.cancel()
            process.trial = nil
        }
        for (id, running) in process.withLock({ $0.markets }) where running.isCounted {
            guard handle(.left(digest: running.version?.digest), of: id) != nil else { continue }
            process.withLock { $0.markets[id]?.isCounted = false }
        }
    }

    /// Reports that the app is entering the foreground. The launch counts as failed again until the market is reported
    /// healthy.
    public func enterForeground() {
        process.withLock { $0.isForeground = true }
        beginTrial()
        for (id, running) in process.withLock({ $0.markets }) where !running.isCounted && !running.isHealthy {
            guard handle(.returned(digest: running.version?.digest), of: id) != nil else { continue }
            process.withLock { $0.markets[id]?.isCounted = true }
        }
    }

    /// Tries a pending version without waiting for the next launch. For servers and tools.
    ///
    /// The next load returns it: call `MarketStore.reload` with the same id.
    ///
    /// - Parameter id: The market's id.
    /// - Returns: Whether the version changed.
    @discardableResult
    public func activate(_ id: String) -> Bool {
        let before = readState().state?.markets[id]?.active
        guard let health = handle(.activated, of: id), health.active != before else { return false }
        // A launch that was counted for the previous version counts for this version from now on.
        if process.withLock({ $0.markets[id]?.isCounted ?? false }) {
            handle(.returned(digest: health.active?.digest), of: id)
        }
        return true
    }

    /// Changes a market's health on disk.
    @discardableResult
    private func handle(_ event: MarketHealth.Event, of id: String) -> MarketHealth? {
        guard role != .reader else { return nil }
        let survivesPowerCut =
            switch event {
            case .appStarted, .left, .returned, .healthy: false
            default: true
            }
        do throws(StoreError) {
            let (health, events) = try update(survivesPowerCut: survivesPowerCut) { state, now in
                var health = state.markets[id] ?? MarketHealth()
                // If the event may activate the app's embedded version, that version has to pass verification first.
                let own = embedded.versions[id]?.digest
                let isNext = own != nil && health.pending?.digest == own
                let notes = health.handle(event, embedded: isNext ? embedded.trustedDigest(of: id) : own, at: now)
                if health != MarketHealth() || state.markets[id] != nil { state.markets[id] = health }
                return (health, notes.map { DeliveryEvent(id, $0) })
            }
            events.forEach(broadcast.send)
            return health
        } catch {
            note(error)
            return nil
        }
    }

    /// Changes the state after adapting it to this app.
    package func update<Result>(
        metadata: DeliveryStore.MetadataChange? = nil, survivesPowerCut: Bool = true,
        _ change: (inout StoredState, UpdateTime) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try adopt()
        return try store.update(metadata: metadata, elsewhere: embedded.digests, survivesPowerCut: survivesPowerCut) {
            state throws(StoreError) in
            try change(&state, now(state))
        }
    }

    /// Sends events.
    package func send(_ events: [DeliveryEvent]) { events.forEach(broadcast.send) }

    /// Adapts the store to this app. If the app's embedded metadata is newer than the store's, the embedded markets
    /// replace the delivered ones, and nothing older is accepted from then on. Embedded metadata that fails
    /// verification replaces nothing.
    package func adopt() throws(StoreError) {
        let stored: StoredState?
        do throws(StoreError) {
            stored = try store.state()
        } catch {
            guard error.isMalformed else { throw error }
            stored = nil
        }
        let newest = embedded.version
        var trusted: TrustedSet?
        if newest > stored?.versions["targets"] ?? 0 {
            do throws(StoreError) {
                trusted = try verifiedEmbeddedMetadata()
            } catch {
                // The delivered markets stay in use, and launches and refreshes continue to apply to them.
                guard stored != nil else { throw error }
                note(error)
            }
        }
        let isNewer = trusted != nil
        guard isNewer || stored?.app != choice.app.description else { return }
        var change: DeliveryStore.MetadataChange?
        var replacement: (versions: [String: Int], revoked: Set<String>)?
        if let trusted {
            let base = try store.metadata()
            var (files, versions) = (trusted.received, trusted.versions)
            // Metadata that fails verification is treated as missing.
            let known = try? TrustedSet(remembering: base, limits: embedded.limits)
            if let known, known.targets.map({ $0.version > newest }) ?? false {
                // A writer was killed after it had stored newer metadata, but before it wrote the state.
                (files, versions) = (known.received, known.versions)
            } else if let known, known.root.version > trusted.root.version {
                // A delivered root may have revoked keys, so a newer one is kept.
                files["root.json"] = base["root.json"]
                versions["root"] = known.root.version
            }
            change = DeliveryStore.MetadataChange(base: base, files: files)
            replacement = (versions, trusted.revoked)
        }
        let app = choice.app.description
        let events = try store.update(metadata: change, elsewhere: embedded.digests) {
            state throws(StoreError) -> [DeliveryEvent] in
            guard isNewer && newest > state.versions["targets"] ?? 0 || state.app != app else { return [] }
            var events: [DeliveryEvent] = []
            let time = now(state)
            for (id, health) in state.markets.sorted(by: { $0.key < $1.key }) {
                var health = health
                let notes = health.handle(
                    isNewer ? .embeddedIsNewer : .otherApp, embedded: embedded.versions[id]?.digest, at: time)
                state.markets[id] = health
                events += notes.map { DeliveryEvent(id, $0) }
            }
            if let replacement {
                state.versions = replacement.versions
                (state.verified, state.validUntil, state.failure, state.timestampTag) = (nil, nil, nil, nil)
                (state.nextCheck, state.revoked, state.incompatible) = (nil, replacement.revoked, [:])
            }
            state.app = app
            return events
        }
        send(events)
    }

    /// The app's embedded metadata, verified.
    package func verifiedEmbeddedMetadata() throws(StoreError) -> TrustedSet {
        do throws(DeliveryError) { return try embedded.trusted() } catch { throw .embedded("\(error)") }
    }

    // MARK: Status

    /// The delivery status of a market.
    ///
    /// - Parameter id: The market's id.
    /// - Returns: The status, even for an unknown market.
    public func deliveryStatus(of id: String) -> MarketDeliveryStatus? {
        let (read, problem) = readState()
        let state = read ?? neverRefreshed
        var status = MarketDeliveryStatus(
            freshness: state.freshness(now: now(state), builtAt: clock.builtAt, maximum: maximumAges[id]))
        status.failedRefreshes = state.failure?.count ?? 0
        status.problem = (problem ?? process.withLock { $0.problem }).map { "\($0)" } ?? state.failure?.text
        status.incompatibility = state.incompatible[id]
        guard let health = state.markets[id] else { return status }
        status.active = health.active?.public
        status.pending = health.pending?.public
        status.lastHealthy = health.healthy?.public
        status.health = health.active == nil ? .embedded : health.trialStarts.map { .trial(starts: $0) } ?? .healthy
        status.quarantined = health.quarantined
            .map { .init(digest: $0.key, since: $0.value.since.date, reason: $0.value.reason) }
            .sorted { ($0.since, $0.digest) < ($1.since, $1.digest) }
        return status
    }

    /// The state, or the reason why the store cannot be used.
    ///
    /// After each refresh, the stored metadata is verified again, as of the time of the refresh.
    package func readState() -> (state: StoredState?, problem: StoreError?) {
        let state: StoredState
        do throws(StoreError) {
            guard let stored = try store.state() else { return (nil, nil) }
            state = stored
        } catch {
            return (nil, error)
        }
        guard let verified = state.verified else { return (state, nil) }
        let proved = process.withLock { $0.proved }
        if let proved, proved.state.verified == verified, proved.state.versions == state.versions {
            // A launch changes the state but not the metadata. After an error, verify again: the cause may have been
            // fixed.
            guard let error = proved.error else { return (state, nil) }
            if proved.state.generation == state.generation { return (nil, error) }
        }
        var problem: StoreError?
        do {
            try embedded.verify(store.metadata(), at: verified)
        } catch let error as StoreError {
            problem = error
        } catch {
            problem = .untrusted("\(error)")
        }
        process.withLock { [state] in $0.proved = (state, problem) }
        return (problem == nil ? state : nil, problem)
    }

    /// The current time, given a state.
    package func now(_ state: StoredState?) -> UpdateTime { clock.now(verified: state?.verified) }

    private var neverRefreshed: StoredState { StoredState(install: "") }

    /// Removes unused files before a download. A failure is ignored here: it is reported if a download does not fit.
    package func makeRoom() { _ = try? store.makeRoom(now: clock.systemTime) }

    /// Clears the recorded problem of the store, because the store was just written.
    package func clearProblem() { process.withLock { $0.problem = nil } }

    /// Records a problem of the store for the statuses.
    package func note(_ error: StoreError) {
        process.withLock { $0.problem = error }
    }

    /// Removes the files of processes that ended while writing.
    private func cleanOnce() {
        let isFirst = process.withLock { process in
            defer { process.hasCleaned = true }
            return !process.hasCleaned
        }
        // Leftover files only take up space, so a failure can wait for the next launch.
        if isFirst { _ = try? store.removeLeftovers(now: clock.systemTime) }
    }
}

extension StoreError {
    /// Whether the state should be replaced rather than kept.
    var isMalformed: Bool {
        if case .malformedState = self { true } else { false }
    }
}
