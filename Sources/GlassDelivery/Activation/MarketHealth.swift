/// The version of a market that a device runs, and its health. A value that changes only through events.
///
/// A new version is *pending* until the app launches, then on *trial*, and *healthy* once the app reports so. A version
/// on trial whose launches failed is rolled back to the last healthy one, and if that does not help, to the embedded
/// one. This type accesses no clock, files, or network.
package struct MarketHealth: Sendable, Equatable {
    /// The number of failed launches after which a version on trial is abandoned.
    package static let maximumTrialStarts = 3
    /// The number of consecutive failed launches after which all delivered versions are abandoned for the embedded one.
    package static let maximumUnhealthyStarts = 6

    /// An event that can change the health of the market.
    package enum Event: Sendable, Equatable {
        /// A version was downloaded, verified, and built once.
        case admitted(DeliveredVersion)
        /// The pending version should be used from now on.
        case activated
        /// The app is launching, and nothing has been loaded yet.
        case appStarted(isForeground: Bool)
        /// The app returns to the foreground with a version; `nil` is the embedded one.
        case returned(digest: String?)
        /// The app enters the background or exits cleanly with a version, so the launch did not crash.
        case left(digest: String?)
        /// The app is healthy with a version.
        case healthy(digest: String?)
        /// A version cannot be loaded or built, and this version of the app will never be able to.
        case unusable(digest: String, reason: String)
        /// The bytes of a version are missing, but may be downloaded again.
        case lost(digest: String)
        /// Fresh metadata revokes these versions.
        case revoked(Set<String>)
        /// The app was updated and embeds newer markets.
        case embeddedIsNewer
        /// The app has another version, but its embedded markets are not newer.
        case otherApp
    }

    /// A change to report.
    package enum Notice: Sendable, Equatable {
        /// A version is pending until the next launch.
        case pending(DeliveredVersion)
        /// A version is on trial.
        case onTrial(DeliveredVersion)
        /// A version is known to be healthy; `nil` for the embedded one.
        case healthy(DeliveredVersion?)
        /// A version was abandoned for another one; `nil` for the embedded one.
        case wentBack(from: DeliveredVersion, to: DeliveredVersion?, reason: String)
        /// A quarantined version was offered again.
        case ignored(DeliveredVersion, Quarantine)
        /// A version was rejected before it was ever used.
        case refused(digest: String, reason: String)
    }

    /// The reason why a version is not used again.
    package struct Quarantine: Sendable, Hashable {
        /// The time at which the quarantine started.
        package let since: UpdateTime
        /// The reason.
        package let reason: String
        /// Whether this version of the app cannot use it at all; otherwise, it failed in use.
        package let isUnusable: Bool

        /// Creates a quarantine.
        package init(since: UpdateTime, reason: String, isUnusable: Bool) {
            self.since = since
            self.reason = reason
            self.isUnusable = isUnusable
        }
    }

    /// The version in use; `nil` for the embedded one.
    package var active: DeliveredVersion?
    /// The last healthy version, to which a failed trial returns; `nil` for the embedded one.
    package var healthy: DeliveredVersion?
    /// The version that the next launch tries, if any.
    package var pending: DeliveredVersion?
    /// The number of failed launches of the active version during its trial so far; `nil` if it is not on trial.
    package var trialStarts: Int?
    /// The number of consecutive failed launches so far, with any version.
    package var unhealthyStarts = 0
    /// The versions that are not used again, by digest.
    package var quarantined: [String: Quarantine] = [:]

    /// Creates the initial state: the embedded version is in use.
    package init() {}

    /// Applies an event and returns the changes to report.
    package mutating func handle(_ event: Event, embedded: String?, at time: UpdateTime) -> [Notice] {
        switch event {
        case .admitted(let version): return admit(version, embedded)
        case .activated: return activate(embedded)
        case .appStarted(let isForeground):
            var notes = giveUp(at: time)
            guard isForeground else { return notes }
            notes += activate(embedded)
            count(1)
            return notes
        case .returned(let digest):
            if digest == active?.digest { count(1) }
            return []
        case .left(let digest):
            if digest == active?.digest { count(-1) }
            return []
        case .healthy(let digest):
            // Another process may have changed the version since this one loaded it.
            guard digest == active?.digest else { return [] }
            let isNews = trialStarts != nil
            (healthy, trialStarts, unhealthyStarts) = (active, nil, 0)
            return isNews ? [.healthy(active)] : []
        case .unusable(let digest, let reason):
            quarantined[digest] = Quarantine(since: time, reason: reason, isUnusable: true)
            let notes = drop([digest], reason: reason)
            return notes.isEmpty ? [.refused(digest: digest, reason: reason)] : notes
        case .lost(let digest): return drop([digest], reason: "its file is missing or damaged")
        case .revoked(let digests): return drop(digests, reason: "it is revoked")
        case .embeddedIsNewer:
            let previous = active
            let quarantined = quarantined.filter { !$0.value.isUnusable }
            self = MarketHealth()
            self.quarantined = quarantined
            return previous.map { [.wentBack(from: $0, to: nil, reason: "the app embeds newer markets")] } ?? []
        case .otherApp:
            quarantined = quarantined.filter { !$0.value.isUnusable }
            return []
        }
    }

    /// The digests of the files that must stay in the store.
    package var digests: Set<String> { Set([active, healthy, pending].compactMap { $0?.digest }) }

    /// The version for a process that does not take part in trials, such as a widget; `nil` for the embedded one.
    package var forReaders: DeliveredVersion? {
        if (trialStarts ?? 0) >= Self.maximumTrialStarts { return healthy }
        return unhealthyStarts >= Self.maximumUnhealthyStarts ? nil : active
    }

    private mutating func admit(_ version: DeliveredVersion, _ embedded: String?) -> [Notice] {
        if let quarantine = quarantined[version.digest] { return [.ignored(version, quarantine)] }
        let current = active?.digest ?? embedded
        if version.digest == current {
            // The publisher withdrew the pending version by listing the current one.
            pending = nil
            if active != nil { active = version }
            return []
        }
        let isNews = pending?.digest != version.digest
        pending = version
        return isNews ? [.pending(version)] : []
    }

    private mutating func activate(_ embedded: String?) -> [Notice] {
        guard let next = pending else { return [] }
        pending = nil
        // A new version starts from zero: the failures of its predecessor say nothing about it.
        unhealthyStarts = 0
        if next.digest == embedded {
            (active, healthy, trialStarts) = (nil, nil, nil)
            return [.healthy(nil)]
        }
        if next.digest == healthy?.digest {
            (active, healthy, trialStarts) = (next, next, nil)
            return [.healthy(next)]
        }
        (active, trialStarts) = (next, 0)
        return [.onTrial(next)]
    }

    /// Abandons a version that failed too often. Called at each launch.
    private mutating func giveUp(at time: UpdateTime) -> [Notice] {
        guard let failed = active else { return [] }
        if let starts = trialStarts, starts >= Self.maximumTrialStarts {
            let reason = "\(starts) consecutive launches failed"
            quarantined[failed.digest] = Quarantine(since: time, reason: reason, isUnusable: false)
            (active, trialStarts) = (healthy, nil)
            return [.wentBack(from: failed, to: active, reason: reason)]
        }
        if unhealthyStarts >= Self.maximumUnhealthyStarts {
            let reason = "\(unhealthyStarts) consecutive launches failed"
            quarantined[failed.digest] = Quarantine(since: time, reason: reason, isUnusable: false)
            (active, healthy, trialStarts) = (nil, nil, nil)
            return [.wentBack(from: failed, to: nil, reason: reason)]
        }
        return []
    }

    private mutating func count(_ change: Int) {
        unhealthyStarts = max(0, unhealthyStarts + change)
        trialStarts = trialStarts.map { max(0, $0 + change) }
    }

    /// Stops using versions: the last healthy one replaces them, unless it is one of them.
    private mutating func drop(_ digests: Set<String>, reason: String) -> [Notice] {
        if let pending, digests.contains(pending.digest) { self.pending = nil }
        let previous = active
        if let healthy, digests.contains(healthy.digest) { self.healthy = nil }
        guard let previous, digests.contains(previous.digest) else { return [] }
        (active, trialStarts) = (healthy, nil)
        return [.wentBack(from: previous, to: active, reason: reason)]
    }
}
