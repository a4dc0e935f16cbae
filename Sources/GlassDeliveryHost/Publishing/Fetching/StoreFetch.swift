import GlassBase
import GlassDelivery
import GlassMarkets

/// Downloads a publication into a store, the way a phone does, and reports each step.
///
/// An app can embed the resulting folder: it contains the metadata as received, and the markets named by their digests.
struct StoreFetch: Sendable {
    /// The result of a fetch.
    struct Report: Sendable {
        /// The steps in order, with the rules that were checked.
        var steps: [String] = []
        /// The versions of the metadata in the store, by role.
        var versions: [String: Int] = [:]
        /// The markets that the store contains now, by id.
        var markets: [String: DeliveredVersion] = [:]
        /// Why the installation gets the version that it gets, by id.
        var reasons: [String: String] = [:]
        /// The reasons why markets were rejected, by id.
        var problems: [String: String] = [:]
        /// The error that ended the refresh, if any.
        var error: MetadataError?
        /// The number of requests and of received bytes.
        var (requests, bytes) = (0, 0)
    }

    let store: DeliveryStore
    let client: UpdateClient
    let app: AppVersion?
    let now: UpdateTime
    /// The installation; `nil` for that of the store.
    var install: String?
    let build: @Sendable (_ id: String, _ bytes: [UInt8]) -> String?

    /// A placeholder version, for fetches that ignore version ranges.
    private static let anyApp: AppVersion = {
        guard let version = AppVersion("1") else { preconditionFailure("1 is a version") }
        return version
    }()

    func run(from root: [UInt8]) async throws -> Report {
        var report = Report()
        let base = try store.metadata()
        let trusted = try Self.trusted(base, root, &report)
        let outcome = await client.refresh(from: trusted, now: now)
        (report.requests, report.bytes) = (outcome.requests, outcome.bytes)
        describe(outcome, since: trusted, &report)
        report.error = outcome.error
        let files = outcome.trusted.received
        let change = files == base ? nil : DeliveryStore.MetadataChange(base: base, files: files)
        report.versions = outcome.trusted.versions
        let state = try update(change, outcome)
        guard outcome.error == nil else { return report }
        try await download(outcome.trusted, install: install ?? state.install, into: &report)
        return report
    }

    /// The known metadata: that of the store, unless the given root is newer or the store fails verification.
    private static func trusted(
        _ stored: [String: [UInt8]], _ root: [UInt8], _ report: inout Report
    ) throws(MetadataError) -> TrustedSet {
        let given = try TrustedSet(root: root)
        report.steps.append("root \(given.root.version): signed by its own keys")
        guard !stored.isEmpty else { return given }
        do throws(MetadataError) {
            let known = try TrustedSet(remembering: stored)
            guard known.root.version >= given.root.version else { return given }
            let versions = known.versions.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            report.steps.append("the store has \(versions.joined(separator: ", "))")
            return known
        } catch {
            report.steps.append("the store is not used: \(error)")
            return given
        }
    }

    private func describe(_ outcome: RefreshOutcome, since before: TrustedSet, _ report: inout Report) {
        let trusted = outcome.trusted
        for file in outcome.received {
            switch file.role {
            case "root":
                report.steps.append(
                    "root \(file.version): signed by enough keys of root \(file.version - 1) and of its own; "
                        + "has the next version")
            case "timestamp":
                report.steps.append(
                    "timestamp \(file.version): signed; not older than \(before.timestamp?.version ?? 0); lists snapshot "
                        + "\(trusted.timestamp?.snapshot.version ?? 0), which is not older; valid until "
                        + "\(trusted.timestamp.map { "\($0.expires)" } ?? "")")
            case "snapshot":
                report.steps.append(
                    "snapshot \(file.version): length and hashes as listed; signed; version as listed; no role is "
                        + "older or missing; valid until \(trusted.snapshot.map { "\($0.expires)" } ?? "")")
            default:
                report.steps.append(
                    "\(file.role) \(file.version): length and hashes as listed; signed; version as listed; not expired")
            }
        }
        if outcome.hasForgotten {
            report.steps.append("the keys of timestamp or snapshot were replaced; the stored versions are discarded")
        }
        if let error = outcome.error {
            report.steps.append("rejected: \(error)")
        } else if outcome.isUnchanged {
            report.steps.append("nothing new; timestamp, snapshot and targets are still valid")
        }
    }

    private func update(
        _ change: DeliveryStore.MetadataChange?, _ outcome: RefreshOutcome
    ) throws(StoreError) -> StoredState {
        let (now, app) = (now, app)
        return try store.update(metadata: change) { (state: inout StoredState) throws(StoreError) -> StoredState in
            state.versions = outcome.trusted.versions
            state.app = app?.description ?? ""
            state.checked = now
            if let error = outcome.error {
                var failure = state.failure ?? StoredState.Failure(since: now)
                failure.add(error, at: now)
                state.failure = failure
            } else {
                state.failure = nil
                state.verified = now
                state.validUntil = outcome.trusted.timestamp?.expires
                state.revoked = outcome.trusted.revoked
            }
            return state
        }
    }

    private func download(
        _ trusted: TrustedSet, install: String, into report: inout Report
    ) async throws {
        let choice = TargetChoice(app: app ?? Self.anyApp, install: install)
        var targets = trusted.listedTargets
        if app == nil {
            targets = targets.map { target in
                ListedTarget(
                    path: target.path, length: target.length, digest: target.digest,
                    custom: target.custom?.replacing([("app", nil)]))
            }
        }
        var events: [(id: String, event: MarketHealth.Event)] = []
        var incompatible: [String: String] = [:]
        for id in choice.markets(in: targets) {
            switch choice.version(of: id, in: targets, revoked: trusted.revoked) {
            case .unlisted: continue
            case .incompatible(let reason):
                incompatible[id] = reason
                report.problems[id] = reason
                report.steps.append("market \(id): not compatible with this app: \(reason)")
            case .version(let version):
                report.reasons[id] = Self.reason(for: version, of: id, in: targets, install)
                if let problem = try await fetch(version, of: id, trusted, &report) {
                    report.problems[id] = problem
                    report.steps.append("market \(id): rejected: \(problem)")
                    events.append((id, .unusable(digest: version.digest, reason: problem)))
                } else {
                    report.markets[id] = version
                    events.append((id, .admitted(version)))
                }
            }
        }
        let (revoked, now) = (trusted.revoked, now)
        try store.update { [incompatible] (state: inout StoredState) throws(StoreError) in
            state.incompatible = incompatible
            for (id, event) in events {
                var health = state.markets[id] ?? MarketHealth()
                _ = health.handle(.revoked(revoked), embedded: nil, at: now)
                _ = health.handle(event, embedded: nil, at: now)
                state.markets[id] = health
            }
        }
    }

    /// Why an installation gets a version: the percentage of a rollout, and where the installation is in it.
    private static func reason(
        for version: DeliveredVersion, of id: String, in targets: [ListedTarget], _ install: String
    ) -> String {
        // A file whose metadata cannot be read is for nobody, and was not chosen.
        guard let next = targets.first(where: { $0.path == PublishedMarket.path(of: id, ".next") }),
            let terms = try? TargetCustomMetadata(next.custom), let rollout = terms.rollout
        else { return "for all installations" }
        let share = TargetsDraft.percent(rollout.share)
        let place = TargetsDraft.percent(Rollout.bucket(of: install, salt: rollout.salt))
        if next.path == version.path {
            return "rolled out to \(share) of installations; this one is at \(place), below it"
        }
        let newer = terms.serial.map { "version \($0)" } ?? "a newer version"
        return rollout.includes(install)
            ? "for all installations; \(newer), of which this one would be in the \(share), cannot be used here"
            : "for all installations; \(newer) is rolled out to \(share), and this one is at \(place), not below it"
    }

    /// Downloads a market into the store. Returns the reason if that fails.
    private func fetch(
        _ version: DeliveredVersion, of id: String, _ trusted: TrustedSet, _ report: inout Report
    ) async throws -> String? {
        guard let object = try store.object(for: version), let file = trusted.target(version.path) else {
            report.steps.append("market \(id): \(version.digest.prefix(12))… is already in the store")
            return nil
        }
        let outcome = await client.download(file, of: trusted)
        guard let bytes = outcome.bytes else { return outcome.error.map { "\($0)" } ?? "the server does not have it" }
        try object.write(bytes)
        if let problem = build(id, bytes) { return problem }
        try object.finish()
        report.bytes += bytes.count
        report.requests += 1
        report.steps.append(
            "market \(id): \(bytes.count) bytes and the SHA-256 \(version.digest.prefix(12))… as listed; it can be built"
        )
        return nil
    }
}
