import GlassBase
public import Foundation
public import Observation
import GlassContainer
import GlassDeepLinking
public import GlassSchema

/// Keeps markets and replaces them while they are in use.
///
/// A market is loaded while the current one remains in use, and replaces it as a whole or not at all: files with errors
/// change nothing. Readers never wait for a load. A market lives as long as something holds it, so a link that is being
/// opened finishes with the market that it started with. When a market is released, its container shuts down, service
/// by service, and its Lua state closes.
///
/// ```swift
/// let loader = MarketLoader(.platform, folder: MarketFolder(path: "markets"))
/// let store = MarketStore(loader)
/// let watch = try store.watch(loader.folder)
/// store.market("ca")?.open("walmart.ca://myaccount")
/// for await event in store.events() { print(event.id) }
/// ```
///
/// In an app, one market is active: `Container.shared` is that market unless a task binds another, now and after each
/// reload. In a server or a command line, no market is active. Each request binds its market with
/// ``Market/withShared(_:)`` or ``Market/open(_:)``.
public final class MarketStore: Sendable, Observable {
    /// Loads the markets.
    private let source: any MarketSource
    let prepare: @Sendable (Market, Market?) throws -> Void
    /// The situation of the app, and the timer for its next change.
    let situation: Lock<StoreSituation>
    private let now: @Sendable () -> Date
    /// Waits for the next date at which a value changes.
    let pause: @Sendable (Duration) async throws -> Void
    /// The markets in use. This lock may be taken inside `state`, never the other way around, which could deadlock.
    private let published = Lock<[String: Market]>([:])
    let retirement = MarketRetirement()
    private let broadcast = Broadcast<MarketEvent>()
    private let registrar = ObservationRegistrar()
    /// No code of an app runs under this lock. Observers, subscribers, `autoRegister` and releases of markets come
    /// after it, because they may call the store.
    private let state = Lock(State())

    /// The objects that a change releases. Releasing them may run code of services.
    private typealias Released = (markets: [String: Market], followed: [AnyObject])

    fileprivate struct State: Sendable {
        var tickets = 0
        /// The market that `Container.shared` follows.
        var active: String?
        /// The ticket of the last load that took effect, by market.
        var decided: [String: Int] = [:]
        var statuses: [String: MarketStatus] = [:]
        /// The states of preconditions that the app has set, by market. Each new market with the id takes them over.
        var registries: [String: PreconditionRegistry] = [:]
        /// What outlives the flags of a market, by market.
        var flagSessions: [String: FlagSession] = [:]
        /// Events that took effect but are not sent yet, oldest first.
        var unsent: [MarketEvent] = []
        /// Whether a thread is sending events.
        var isSending = false
    }

    /// Creates a store without markets.
    ///
    /// - Parameters:
    ///   - source: Loads the markets.
    ///   - prepare: Called with each new market before readers can get it, and with the market that it replaces. Set
    ///     the hooks of the deep linker and register an app's own services and routables here. Preconditions that are
    ///     satisfied in the old market are already satisfied in the new one. If it throws, the market is rejected, with
    ///     the error as a finding.
    ///   - context: The situation of the app, as far as it is known at start: the build, the versions, the device. Values
    ///     that an app takes once, such as the suite of a store, keep this situation; ``update(context:)`` changes it for
    ///     all others.
    ///   - now: The clock for events, statuses and dates in conditions.
    public convenience init(
        _ source: any MarketSource, context: MarketContext = MarketContext(),
        prepare: @escaping @Sendable (_ market: Market, _ previous: Market?) throws -> Void = { _, _ in },
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.init(
            source, context: context, prepare: prepare, now: now,
            pause: { try await Task.sleep(for: $0, tolerance: .seconds(1)) })
    }

    /// Creates a store with a clock of its own for dates in conditions.
    package init(
        _ source: any MarketSource, context: MarketContext,
        prepare: @escaping @Sendable (_ market: Market, _ previous: Market?) throws -> Void = { _, _ in },
        now: @escaping @Sendable () -> Date, pause: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.source = source
        self.prepare = prepare
        self.now = now
        self.pause = pause
        var start = context
        if start["date"] == nil { start["date"] = .date(ContextDate(now())) }
        situation = Lock(StoreSituation(given: MarketSituation(start: start, live: context)))
    }

    deinit { situation.withLock { $0.timer }?.cancel() }

    /// The current time, for dates in conditions.
    var date: ContextDate { ContextDate(now()) }

    // MARK: Reading

    /// The market in use under an id.
    ///
    /// Never waits for a load.
    /// - Parameter id: The market's id.
    /// - Returns: The market; nil if none has loaded yet.
    public func market(_ id: String) -> Market? { markets[id] }

    /// All markets in use, by id, at one moment.
    public var markets: [String: Market] { published.withLock { $0 } }

    /// The status of each market that the store has loaded or tried to load, sorted by id.
    public var statuses: [MarketStatus] {
        state.withLock { $0.statuses }.sorted { $0.key < $1.key }.map { withDelivery($0.value) }
    }

    /// The status of a market.
    ///
    /// - Parameter id: The market's id.
    /// - Returns: The status; nil if the market was never requested.
    public func status(of id: String) -> MarketStatus? { state.withLock { $0.statuses[id] }.map(withDelivery) }

    /// Queries the source without the lock, because the source may read files.
    private func withDelivery(_ status: MarketStatus) -> MarketStatus {
        var status = status
        status.delivery = source.deliveryStatus(of: status.id)
        return status
    }

    /// The number of retired markets that are not shut down yet, because something still holds them.
    public var retiredCount: Int { retirement.count }

    /// Waits until all retired markets are shut down.
    package func waitForRetiredMarkets() async { await retirement.finished() }

    /// The events from now on.
    ///
    /// - Returns: The events in the order in which they took effect. A subscriber that does not read loses the oldest
    ///   of more than 256; the statuses are always complete.
    public func events() -> AsyncStream<MarketEvent> {
        broadcast.values(limit: 256)
    }

    // MARK: The active market

    /// The market that `Container.shared` follows; nil if none is active, or it was retired.
    ///
    /// This property is observable: `RootView().id(store.active?.revision)` rebuilds a view that holds services of the
    /// previous market.
    public var active: Market? {
        registrar.access(self, keyPath: \.active)
        return state.withLock { state in state.active.flatMap { id in published.withLock { $0[id] } } }
    }

    /// Makes a market the content of `Container.shared` unless a task binds another container, now and after each
    /// reload.
    ///
    /// Registrations of the app in `Container.shared` itself override those of the market, but do not affect the
    /// dependencies of the market's services. Instances of the previous market in `Container.shared` are dropped.
    /// Singletons and containers bound to a task stay.
    ///
    /// Use this in a process with one app: the last store that activates a market wins. Tests bind a market's container
    /// instead, and run in parallel.
    ///
    /// - Parameter id: The market's id.
    /// - Returns: The market, loaded if it was not yet.
    /// - Throws: ``MarketError/invalid(_:findings:)`` if it cannot be loaded; the active market does not change.
    @discardableResult
    public func activate(_ id: String) throws -> Market {
        if market(id) == nil { reload(id) }
        while let market = market(id) {
            market.container.prepareForFollowing()
            let followed: [AnyObject]? = changing(id) { state in
                // Another market may have been applied in the meantime, and it is not prepared.
                guard published.withLock({ $0[id] === market }) else { return nil }
                state.active = id
                return Container.root.follow(market.container, isPrepared: true)
            }
            if followed != nil { return market }
        }
        throw MarketError.invalid(id, findings: status(of: id)?.lastRejected?.findings ?? [])
    }

    // MARK: Changing

    /// Loads a market and applies it unless it has errors. The caller waits for the load; readers do not.
    ///
    /// - Parameters:
    ///   - id: The market's id.
    ///   - force: Whether to load even if no file has changed, for example because a secret has.
    /// - Returns: The event; nil if nothing happened, because the files are those in use or those rejected before, or
    ///   because a load that began later finished first.
    @discardableResult
    public func reload(_ id: String, force: Bool = false) -> MarketEvent? {
        let (ticket, status) = (nextTicket(), state.withLock { $0.statuses[id] })
        let before = market(id)
        if !force, let before, status?.isCurrent == true, before.origin.isCurrent(),
            decide(id, ticket, keeping: before) != nil
        {
            return nil
        }
        let check: MarketCheck
        do {
            check = try source.check(id)
        } catch {
            return reject(id, ticket, revision: nil, [Finding(.unreadable, at: nil, subject: id, "\(error)")])
        }
        guard let checked = check.market else { return reject(id, ticket, revision: check.revision, check.findings) }
        let market: Market
        do throws(MarketError) {
            market = try checked.read(in: given)
        } catch {
            return reject(id, ticket, revision: check.revision, error.findings)
        }
        if !force, let before, before.revision == check.revision, let isNewest = decide(id, ticket, keeping: before) {
            market.retire(retirement)
            return isNewest ? restore(id, ticket, check.revision) : nil
        }
        handOnPreconditions(to: market, from: before)
        handOnFlags(to: market)
        do {
            try prepare(market, before)
        } catch {
            market.retire(retirement)
            let message = "the app could not prepare this market: \(error)"
            return reject(id, ticket, revision: check.revision, [Finding(.runtime, at: nil, subject: id, message)])
        }
        let difference = before.map { MarketDifference(from: $0, to: market) }
        return apply(market, .load(ticket), check.revision, difference)
    }

    /// The number of a change: of two, the one that began later wins.
    func nextTicket() -> Int {
        state.withLock { state in
            state.tickets += 1
            return state.tickets
        }
    }

    /// Retires a market.
    ///
    /// - Parameter id: The market's id.
    /// - Returns: The event; nil if there is no such market.
    @discardableResult
    public func retire(_ id: String) -> MarketEvent? {
        let time = now()
        // Keep the old markets alive past the lock: releasing one may run code of services.
        let (event, _): (MarketEvent?, Released?) = changing(id) { state in
            state.tickets += 1
            state.decided[id] = state.tickets
            state.registries[id] = nil
            state.flagSessions[id] = nil
            guard let applied = state.statuses.removeValue(forKey: id)?.applied else { return (nil, nil) }
            let old = replaceMarkets { $0[id] = nil }
            old[id]?.retire(retirement)
            var followed: [AnyObject] = []
            if state.active == id {
                state.active = nil
                // Another store may have activated a market in the meantime.
                if Container.root.parent === old[id]?.container { followed = Container.root.follow(nil) }
            }
            let event = MarketEvent.retired(id: id, revision: applied.revision, at: time)
            state.unsent.append(event)
            return (event, (old, followed))
        }
        return event
    }

    // MARK: Deciding

    /// Why a market is applied.
    enum Cause {
        /// It was loaded. A load that began later has read newer files.
        case load(_ ticket: Int)
        /// Its files are those of a market that is still in use, in another situation. This decides nothing about
        /// loads that are running, because it has read no files.
        case situation(of: Market)
    }

    func apply(
        _ market: Market, _ cause: Cause, _ revision: MarketRevision, _ difference: MarketDifference?
    ) -> MarketEvent? {
        let id = market.id
        let time = now()
        market.container.prepareForFollowing()
        // Keep the old markets alive past the lock: releasing one may run code of services.
        let (event, released): (MarketEvent?, Released?) = changing(id) { state in
            switch cause {
            case .load(let ticket): guard state.decide(id, ticket) else { return (nil, nil) }
            case .situation(let before): guard published.withLock({ $0[id] === before }) else { return (nil, nil) }
            }
            var status = state.statuses[id] ?? MarketStatus(id: id)
            let change = MarketChange(
                id: id, before: status.applied?.revision, after: revision, difference: difference,
                warnings: market.warnings, time: time)
            status.applied = MarketStatus.Applied(
                revision: revision, serial: (status.applied?.serial ?? 0) + 1, time: time)
            if case .load = cause { status.onDisk = revision }
            state.statuses[id] = status
            let old = replaceMarkets { $0[id] = market }
            old[id]?.retire(retirement)
            // Under the lock, so that a change of the situation that finds this market also reaches whoever has the flags
            // of the old one.
            old[id]?.flags.precede(market.flags)
            // Before the event is sent, so that a subscriber finds the new market in `Container.shared`.
            let followed = state.active == id ? Container.root.follow(market.container, isPrepared: true) : []
            state.unsent.append(.applied(change))
            return (.applied(change), (old, followed))
        }
        guard event != nil else {
            market.retire(retirement)
            return nil
        }
        if released?.markets[id] != nil {
            switch cause {
            case .load: market.flags.session.notify(.market)
            case .situation: market.flags.session.notify(.context)
            }
        }
        // Hand over the waiting links of the old market, and links that are opened in it from now on.
        released?.markets[id]?.deepLinker.handOverWaitingLinks { [weak self] link in self?.market(id)?.open(link) }
        scheduleNextChange()
        // The situation may have changed while the market was loading.
        if case .load = cause { refresh(id) }
        return event
    }

    /// Gives a loaded market the precondition registry of its id. Both markets share the registry, so a change through
    /// either one is neither lost nor undone.
    func handOnPreconditions(to market: Market, from before: Market?) {
        guard let own = market.deepLinker.preconditionRegistry else {
            before.map { market.preconditions.take(from: $0.preconditions) }
            return
        }
        let registry = state.withLock { state in
            let registry = state.registries[market.id] ?? own
            state.registries[market.id] = registry
            return registry
        }
        if registry !== own { market.deepLinker.preconditionRegistry = registry }
    }

    /// Gives a loaded market what outlives the flags of its id: what testers have forced, and which values were exposed.
    func handOnFlags(to market: Market) {
        let own = market.flags.session
        let session = state.withLock { state in
            let session = state.flagSessions[market.id] ?? own
            state.flagSessions[market.id] = session
            return session
        }
        market.flags.takeOver(session)
        // The situation may have changed since the market was read, by a thread that did not find the session yet.
        update([session])
    }

    /// The flags of every market have the values of the current situation from now on.
    func updateFlags() { update(Array(state.withLock { $0.flagSessions.values })) }

    private func update(_ sessions: [FlagSession]) {
        let (live, number) = situation.withLock { ($0.given.live, $0.number) }
        let dated = dated(live)
        for session in sessions { session.update(dated, number: number) }
    }

    /// Changes the state. If the active market is affected, observers of ``active`` are notified, without the lock.
    /// Subscribers to events come next.
    private func changing<Result>(_ id: String, _ change: (inout State) -> Result) -> Result {
        let (result, isActive) = state.withLock { state in
            let wasActive = state.active == id
            let result = change(&state)
            return (result, wasActive || state.active == id)
        }
        if isActive { registrar.withMutation(of: self, keyPath: \.active) {} }
        sendEvents()
        return result
    }

    /// Sends the events in the order in which they took effect. One thread sends at a time, without the lock, because a
    /// subscriber's executor may run code of an app. If another thread is sending, it sends these events, too.
    private func sendEvents() {
        while true {
            let event: MarketEvent? = state.withLock { state in
                guard !state.isSending, !state.unsent.isEmpty else { return nil }
                state.isSending = true
                return state.unsent.removeFirst()
            }
            guard let event else { return }
            broadcast.send(event)
            state.withLock { $0.isSending = false }
        }
    }

    /// Changes the markets in use.
    private func replaceMarkets(_ change: (inout [String: Market]) -> Void) -> [String: Market] {
        published.withLock { markets in
            let old = markets
            change(&markets)
            return old
        }
    }

    /// Records that a load read the files of the market in use. A load that began earlier can no longer replace that
    /// market with older files.
    ///
    /// - Returns: Whether this load is the newest; nil if the market is no longer in use and the load must continue.
    private func decide(_ id: String, _ ticket: Int, keeping market: Market) -> Bool? {
        state.withLock { state in
            published.withLock { $0[id] === market } ? state.decide(id, ticket) : nil
        }
    }

    private func restore(_ id: String, _ ticket: Int, _ revision: MarketRevision) -> MarketEvent? {
        let time = now()
        defer { sendEvents() }
        return state.withLock { state in
            // A load that began later may have decided in the meantime.
            guard state.decided[id] == ticket, var status = state.statuses[id], status.onDisk != revision else {
                return nil
            }
            status.onDisk = revision
            state.statuses[id] = status
            let event = MarketEvent.restored(id: id, revision: revision, at: time)
            state.unsent.append(event)
            return event
        }
    }

    /// Reports that a market cannot follow the situation and stays as it is.
    func reject(_ market: Market, _ findings: [Finding]) -> MarketEvent? {
        let time = now()
        defer { sendEvents() }
        return state.withLock { state in
            guard published.withLock({ $0[market.id] === market }), var status = state.statuses[market.id],
                // The next change of the situation fails in the same way; once is enough.
                status.lastRejected?.revision != market.revision || status.lastRejected?.findings != findings
            else { return nil }
            let rejection = MarketRejection(
                id: market.id, revision: market.revision, findings: findings, kept: market.revision, time: time)
            status.lastRejected = rejection
            state.statuses[market.id] = status
            state.unsent.append(.rejected(rejection))
            return .rejected(rejection)
        }
    }

    private func reject(
        _ id: String, _ ticket: Int, revision: MarketRevision?, _ findings: [Finding]
    ) -> MarketEvent? {
        let time = now()
        defer { sendEvents() }
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
            state.unsent.append(.rejected(rejection))
            return .rejected(rejection)
        }
    }
}

extension MarketStore.State {
    /// Whether a load may take effect. A load that began later has read newer files.
    fileprivate mutating func decide(_ id: String, _ ticket: Int) -> Bool {
        guard (decided[id] ?? 0) < ticket else { return false }
        decided[id] = ticket
        return true
    }
}

extension MarketPreconditions {
    /// Satisfies the preconditions that the app satisfied in the replaced market.
    ///
    /// For a deep linker without a `preconditionRegistry`. The module's own preconditions are evaluated again, because
    /// they may depend on the market's values.
    fileprivate func take(from other: MarketPreconditions) {
        let unmet = Set(other.unmet)
        let own = setByApp.intersection(self.unmet)
        for name in other.names where !unmet.contains(name) && own.contains(name) {
            try? satisfy(name)  // the names come from this market, so all are known
        }
    }
}
