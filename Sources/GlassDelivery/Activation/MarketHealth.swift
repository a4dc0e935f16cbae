/// Which version of a market a device runs, and what it knows about its health: a value that events change.
///
/// A new version waits as *pending* until the app starts, runs on *trial*, and is *healthy* once the app says so. A version
/// on trial whose starts did not end well goes back to the last healthy one; when that does not help, to the one in the
/// app. Nothing here reads a clock, a file or the network.
package struct MarketHealth: Sendable, Equatable {
    /// Unhealthy starts after which a version on trial is given up.
    package static let maximumTrialStarts = 3
    /// Unhealthy starts in a row after which the delivered versions are given up for the one in the app.
    package static let maximumUnhealthyStarts = 6

    /// Something that happened to the market.
    package enum Event: Sendable, Equatable {
        /// A version was downloaded, verified and built once.
        case admitted(DeliveredVersion)
        /// The pending version is to be used from now on.
        case activated
        /// The app starts; before anything is loaded.
        case appStarted(isForeground: Bool)
        /// The app comes back to the foreground with a version, which nil says is the embedded one.
        case returned(digest: String?)
        /// The app goes to the background or ends cleanly with a version: that start was no crash.
        case left(digest: String?)
        /// The app works with a version.
        case healthy(digest: String?)
        /// A version cannot be loaded or built, and never will be by this app.
        case unusable(digest: String, reason: String)
        /// The bytes of a version are lost; they may come back.
        case lost(digest: String)
        /// Fresh metadata revokes these versions.
        case revoked(Set<String>)
        /// The app is a newer one, which brings newer markets.
        case embeddedIsNewer
        /// The app is another one, whose markets are not newer.
        case otherApp
    }

    /// Something worth telling.
    package enum Notice: Sendable, Equatable {
        /// A version waits for the next start.
        case pending(DeliveredVersion)
        /// A version is on trial.
        case onTrial(DeliveredVersion)
        /// A version, the embedded one for nil, is known to work.
        case healthy(DeliveredVersion?)
        /// A version was given up for another one, the embedded one for nil.
        case wentBack(from: DeliveredVersion, to: DeliveredVersion?, reason: String)
        /// A version that is quarantined was offered again.
        case ignored(DeliveredVersion, Quarantine)
        /// A version that could not be used never came into use.
        case refused(digest: String, reason: String)
    }

    /// Why a version is not used again.
    package struct Quarantine: Sendable, Hashable {
        /// Since when.
        package let since: UpdateTime
        /// Why.
        package let reason: String
        /// Whether only another app could use it; otherwise it did not work in use.
        package let isUnusable: Bool

        /// Describes a quarantine.
        package init(since: UpdateTime, reason: String, isUnusable: Bool) {
            self.since = since
            self.reason = reason
            self.isUnusable = isUnusable
        }
    }

    /// The version in use; nil for the embedded one.
    package var active: DeliveredVersion?
    /// The last version known to work, to which a trial goes back; nil for the embedded one.
    package var healthy: DeliveredVersion?
    /// The version that the next start tries; nil for none.
    package var pending: DeliveredVersion?
    /// How many starts the active version had on trial that did not end well so far; nil when it is on no trial.
    package var trialStarts: Int?
    /// Starts in a row that did not end well so far, of whichever version.
    package var unhealthyStarts = 0
    /// Versions that are not used again, by digest.
    package var quarantined: [String: Quarantine] = [:]

    /// The embedded version, in use.
    package init() {}

    /// Changes the state.
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
            // Another process may have changed the version since this one loaded its own.
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
            return previous.map { [.wentBack(from: $0, to: nil, reason: "the app brings newer markets")] } ?? []
        case .otherApp:
            quarantined = quarantined.filter { !$0.value.isUnusable }
            return []
        }
    }

    /// The digests whose bytes have to stay in the store.
    package var digests: Set<String> { Set([active, healthy, pending].compactMap { $0?.digest }) }

    /// The version that a process uses which does not take part in trials, such as a widget; nil for the embedded one.
    package var forReaders: DeliveredVersion? {
        if (trialStarts ?? 0) >= Self.maximumTrialStarts { return healthy }
        return unhealthyStarts >= Self.maximumUnhealthyStarts ? nil : active
    }

    private mutating func admit(_ version: DeliveredVersion, _ embedded: String?) -> [Notice] {
        if let quarantine = quarantined[version.digest] { return [.ignored(version, quarantine)] }
        let current = active?.digest ?? embedded
        if version.digest == current {
            // What was pending is no longer what the publisher wants.
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
        // A new version begins anew: what its predecessor did says nothing about it.
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

    /// Gives up what had its chances, before a start.
    private mutating func giveUp(at time: UpdateTime) -> [Notice] {
        guard let failed = active else { return [] }
        if let starts = trialStarts, starts >= Self.maximumTrialStarts {
            let reason = "\(starts) starts in a row did not end well"
            quarantined[failed.digest] = Quarantine(since: time, reason: reason, isUnusable: false)
            (active, trialStarts) = (healthy, nil)
            return [.wentBack(from: failed, to: active, reason: reason)]
        }
        if unhealthyStarts >= Self.maximumUnhealthyStarts {
            let reason = "\(unhealthyStarts) starts in a row did not end well"
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

    /// Stops using versions: the last healthy one takes their place, unless it is one of them.
    private mutating func drop(_ digests: Set<String>, reason: String) -> [Notice] {
        if let pending, digests.contains(pending.digest) { self.pending = nil }
        let previous = active
        if let healthy, digests.contains(healthy.digest) { self.healthy = nil }
        guard let previous, digests.contains(previous.digest) else { return [] }
        (active, trialStarts) = (healthy, nil)
        return [.wentBack(from: previous, to: active, reason: reason)]
    }
}
