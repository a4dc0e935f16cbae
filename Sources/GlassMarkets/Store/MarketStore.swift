import GlassBase
public import Foundation
public import Observation
import GlassContainer
import GlassDeepLinking
import GlassSchema

/// Keeps markets and replaces them while they are in use.
///
/// A market is loaded beside the one in use and replaces it as a whole, or not at all: files with errors change nothing.
/// Reading never waits for a load. A market lives as long as somebody holds it, so a link that is being opened finishes
/// with the market it began with. When it is released, its container is shut down, service by service, and its Lua state
/// is closed.
///
/// ```swift
/// let loader = MarketLoader(.platform, folder: MarketFolder(path: "markets"))
/// let store = MarketStore(loader)
/// let watch = try store.watch(loader.folder)
/// store.market("ca")?.open("walmart.ca://myaccount")
/// for await event in store.events() { print(event.id) }
/// ```
///
/// In an app one market is active: `Container.shared` is that market wherever no task says otherwise, now and after each
/// reload. In a server or a command line nothing is active, and each request binds the market that it is for with
/// ``Market/withShared(_:)`` or ``Market/open(_:)``.
public final class MarketStore: Sendable, Observable {
    /// Loads the markets.
    private let source: any MarketSource
    private let prepare: @Sendable (Market, Market?) throws -> Void
    private let now: @Sendable () -> Date
    private let published = Lock<[String: Market]>([:])
    private let retirement = MarketRetirement()
    /// Sends under the lock of `state`, so that every subscriber sees the same order.
    private let broadcast = Broadcast<MarketEvent>()
    private let registrar = ObservationRegistrar()
    private let state = Lock(State())

    /// What a change let go of. Releasing it may run code of services.
    private typealias Released = (markets: [String: Market], followed: [AnyObject])

    fileprivate struct State: Sendable {
        var tickets = 0
        /// The market that `Container.shared` follows.
        var active: String?
        /// The ticket of the last load that took effect, by market.
        var decided: [String: Int] = [:]
        var statuses: [String: MarketStatus] = [:]
    }

    /// Creates a store without markets.
    ///
    /// - Parameters:
    ///   - source: Loads the markets.
    ///   - prepare: Called with each new market before readers can get it, and with the market that it replaces. Set the
    ///     hooks of the deep linker and register an app's own services and routables here. Preconditions that hold in the
    ///     old market already hold in the new one. A market for which it throws is rejected with the error as a finding.
    ///   - now: The clock for events and statuses.
    public init(
        _ source: any MarketSource,
        prepare: @escaping @Sendable (_ market: Market, _ previous: Market?) throws -> Void = { _, _ in },
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.source = source
        self.prepare = prepare
        self.now = now
    }

    // MARK: Reading

    /// The market that is in use under an id.
    ///
    /// Never waits for a load.
    /// - Parameter id: The market's id.
    /// - Returns: The market; nil when none could be loaded yet.
    public func market(_ id: String) -> Market? { markets[id] }

    /// All markets in use, by id, as of one moment.
    public var markets: [String: Market] { published.withLock { $0 } }

    /// The status of each market that the store loaded or tried to load, by id.
    public var statuses: [MarketStatus] {
        state.withLock { $0.statuses }.sorted { $0.key < $1.key }.map { withDelivery($0.value) }
    }

    /// The status of a market.
    ///
    /// - Parameter id: The market's id.
    /// - Returns: The status; nil when the market was never asked for.
    public func status(of id: String) -> MarketStatus? { state.withLock { $0.statuses[id] }.map(withDelivery) }

    /// Asks the source outside the lock: it may read files.
    private func withDelivery(_ status: MarketStatus) -> MarketStatus {
        var status = status
        status.delivery = source.deliveryStatus(of: status.id)
        return status
    }

    /// The number of markets that are out of use but not shut down yet, because somebody still holds them.
    public var retiredCount: Int { retirement.count }

    /// Waits until all markets that are out of use are shut down.
    package func retiredAreGone() async { await retirement.finished() }

    /// The events from now on.
    ///
    /// - Returns: The events in the order in which they took effect. A subscriber that does not read loses the oldest
    ///   of more than 256; the statuses are always complete.
    public func events() -> AsyncStream<MarketEvent> {
        broadcast.values(limit: 256)
    }

    // MARK: The active market

    /// The market that `Container.shared` follows; nil when none is active, or it was retired.
    ///
    /// It can be observed: `RootView().id(store.active?.revision)` rebuilds a view that holds services of the previous
    /// market.
    public var active: Market? {
        registrar.access(self, keyPath: \.active)
        return state.withLock { state in state.active.flatMap { id in published.withLock { $0[id] } } }
    }

    /// Makes a market what `Container.shared` is wherever no task has bound another container, now and after each reload.
    ///
    /// What the app registered in `Container.shared` itself wins over the market's registrations, and does not reach into
    /// what the market's services are made of. What `Container.shared` kept of the market before is dropped; singletons
    /// and what is bound to a task stay.
    ///
    /// This is for a process with one app: of several stores the last one to activate a market has it. Tests bind a
    /// market's container instead, in parallel.
    ///
    /// - Parameter id: The market's id.
    /// - Returns: The market, loaded if it was not yet.
    /// - Throws: ``MarketError/invalid(_:findings:)`` when it cannot be loaded; the active market stays what it was.
    @discardableResult
    public func activate(_ id: String) throws -> Market {
        if market(id) == nil { reload(id) }
        let (activated, _): (Market?, [AnyObject]) = changing(id) { state in
            guard let market = published.withLock({ $0[id] }) else { return (nil, []) }
            state.active = id
            return (market, Container.root.follow(market.container))
        }
        guard let activated else {
            throw MarketError.invalid(id, findings: status(of: id)?.lastRejected?.findings ?? [])
        }
        return activated
    }

    // MARK: Changing

    /// Loads a market and puts it to use unless it has errors. The caller waits for the load; readers do not.
    ///
    /// - Parameters:
    ///   - id: The market's id.
    ///   - force: Whether to load even when no file has changed, for example because a secret has.
    /// - Returns: What happened; nil when nothing did, because the files are those in use or those rejected before, or
    ///   because a load that began later finished first.
    @discardableResult
    public func reload(_ id: String, force: Bool = false) -> MarketEvent? {
        let (ticket, status) = state.withLock { state in
            state.tickets += 1
            return (state.tickets, state.statuses[id])
        }
        let before = market(id)
        if !force, let before, status?.isCurrent == true, before.origin.isCurrent() { return nil }
        let check: MarketCheck
        do {
            check = try source.check(id)
        } catch {
            return reject(id, ticket, revision: nil, [Finding(.unreadable, at: nil, subject: id, "\(error)")])
        }
        guard let market = check.market else { return reject(id, ticket, revision: check.revision, check.findings) }
        if !force, status?.applied?.revision == check.revision {
            market.retire(retirement)
            return restore(id, ticket, check.revision)
        }
        before.map { market.preconditions.take(from: $0.preconditions) }
        do {
            try prepare(market, before)
        } catch {
            market.retire(retirement)
            let message = "the app could not prepare this market: \(error)"
            return reject(id, ticket, revision: check.revision, [Finding(.runtime, at: nil, subject: id, message)])
        }
        let difference = before.map { MarketDifference(from: $0, to: market) }
        return apply(market, ticket, check, difference)
    }

    /// Takes a market out of use.
    ///
    /// - Parameter id: The market's id.
    /// - Returns: What happened; nil when there is no such market.
    @discardableResult
    public func retire(_ id: String) -> MarketEvent? {
        let time = now()
        // Keep the old markets alive past the lock: releasing one may run code of services.
        let (event, _): (MarketEvent?, Released?) = changing(id) { state in
            state.tickets += 1
            state.decided[id] = state.tickets
            guard let applied = state.statuses.removeValue(forKey: id)?.applied else { return (nil, nil) }
            let old = replaceMarkets { $0[id] = nil }
            old[id]?.retire(retirement)
            var followed: [AnyObject] = []
            if state.active == id {
                state.active = nil
                // Another store may have activated a market meanwhile.
                if Container.root.parent === old[id]?.container { followed = Container.root.follow(nil) }
            }
            let event = MarketEvent.retired(id: id, revision: applied.revision, at: time)
            broadcast.send(event)
            return (event, (old, followed))
        }
        return event
    }

    // MARK: Deciding

    private func apply(
        _ market: Market, _ ticket: Int, _ check: MarketCheck, _ difference: MarketDifference?
    ) -> MarketEvent? {
        let id = market.id
        let time = now()
        // Keep the old markets alive past the lock: releasing one may run code of services.
        let (event, released): (MarketEvent?, Released?) = changing(id) { state in
            guard state.decide(id, ticket) else { return (nil, nil) }
            var status = state.statuses[id] ?? MarketStatus(id: id)
            let change = MarketChange(
                id: id, before: status.applied?.revision, after: check.revision, difference: difference,
                warnings: market.warnings, time: time)
            status.applied = MarketStatus.Applied(
                revision: check.revision, serial: (status.applied?.serial ?? 0) + 1, time: time)
            status.onDisk = check.revision
            state.statuses[id] = status
            let old = replaceMarkets { $0[id] = market }
            old[id]?.retire(retirement)
            // Before anybody hears of it, so that who does finds the new market in `Container.shared`.
            let followed = state.active == id ? Container.root.follow(market.container) : []
            broadcast.send(.applied(change))
            return (.applied(change), (old, followed))
        }
        guard event != nil else {
            market.retire(retirement)
            return nil
        }
        if let before = released?.markets[id] {
            // What became true while the new market was loaded, and the links that still wait for something.
            market.preconditions.take(from: before.preconditions)
            for link in before.deepLinker.takeWaitingLinks() { market.open(link) }
        }
        return event
    }

    /// Changes the state; who observes ``active`` hears of it, outside the lock, when the market is the active one before
    /// or afterwards.
    private func changing<Result>(_ id: String, _ change: (inout State) -> Result) -> Result {
        let (result, isActive) = state.withLock { state in
            let wasActive = state.active == id
            let result = change(&state)
            return (result, wasActive || state.active == id)
        }
        if isActive { registrar.withMutation(of: self, keyPath: \.active) {} }
        return result
    }

    /// Changes the markets in use.
    private func replaceMarkets(_ change: (inout [String: Market]) -> Void) -> [String: Market] {
        published.withLock { markets in
            let old = markets
            change(&markets)
            return old
        }
    }

    private func restore(_ id: String, _ ticket: Int, _ revision: MarketRevision) -> MarketEvent? {
        let time = now()
        return state.withLock { state in
            guard state.decide(id, ticket), var status = state.statuses[id], status.onDisk != revision else {
                return nil
            }
            status.onDisk = revision
            state.statuses[id] = status
            let event = MarketEvent.restored(id: id, revision: revision, at: time)
            broadcast.send(event)
            return event
        }
    }

    private func reject(
        _ id: String, _ ticket: Int, revision: MarketRevision?, _ findings: [Finding]
    ) -> MarketEvent? {
        let time = now()
        return state.withLock { state in
            guard state.decide(id, ticket) else { return nil }
            var status = state.statuses[id] ?? MarketStatus(id: id)
            let isKnown =
                !status.isCurrent && status.onDisk == revision && status.lastRejected?.revision == revision
                && status.lastRejected?.findings == findings
            status.onDisk = revision
            if !isKnown {
                status.lastRejected = MarketRejection(
                    id: id, revision: revision, findings: findings, kept: status.applied?.revision, time: time)
            }
            state.statuses[id] = status
            guard !isKnown, let rejection = status.lastRejected else { return nil }
            broadcast.send(.rejected(rejection))
            return .rejected(rejection)
        }
    }
}

extension MarketStore.State {
    /// Whether a load may take effect: a load that began later has read later files.
    fileprivate mutating func decide(_ id: String, _ ticket: Int) -> Bool {
        guard (decided[id] ?? 0) < ticket else { return false }
        decided[id] = ticket
        return true
    }
}

extension MarketPreconditions {
    /// Satisfies what the app satisfied in the market that this one replaces.
    ///
    /// What the module answers itself is asked anew: it may depend on what the market says.
    fileprivate func take(from other: MarketPreconditions) {
        let unmet = Set(other.unmet)
        let own = setByApp.intersection(self.unmet)
        for name in other.names where !unmet.contains(name) && own.contains(name) {
            try? satisfy(name)  // the names are this market's own, so none is unknown
        }
    }
}
