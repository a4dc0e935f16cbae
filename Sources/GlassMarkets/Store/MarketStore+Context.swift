import Foundation
import GlassBase
public import GlassSchema

/// The situation of a store's app.
struct StoreSituation: Sendable {
    /// The attributes that the app has set.
    var given: MarketSituation
    /// How often the app has set them.
    var number = 0
    /// Waits for the next date at which a value changes.
    var timer: Task<Void, Never>?
    /// The date for which the timer waits.
    var next: ContextDate?
}

extension MarketStore {
    /// The situation of the app, as it was last set.
    public var context: MarketContext { situation.withLock { $0.given.live } }

    /// Changes the situation of the app: somebody signed in, a store was selected, a setting changed.
    ///
    /// Each market whose values change is replaced, as after a change of its files; the others stay. Values that an app
    /// takes once keep the situation of the start. Values that depend on the date change by themselves.
    ///
    /// ```swift
    /// var context = store.context
    /// context["region"] = .text("CA-QC")
    /// try store.update(context: context)
    /// ```
    ///
    /// - Parameter context: All attributes that the app knows.
    /// - Returns: The events of the markets that changed.
    /// - Throws: ``MarketContextError`` if an attribute does not exist or has another type; the situation stays.
    @discardableResult
    public func update(context: MarketContext) throws -> [MarketEvent] {
        let all = markets.values
        for (name, value) in context.values {
            // An attribute that one market declares may be unknown to the others.
            let knowing = all.filter { market in market.attributes.contains { $0.name == name } }
            for market in knowing.isEmpty ? Array(all) : knowing {
                try market.attributes.check(MarketContext([name: value]))
            }
        }
        situation.withLock { situation in
            situation.given.live = context
            situation.number += 1
        }
        return refresh()
    }

    /// Replaces each market whose values are others in the current situation.
    @discardableResult
    func refresh() -> [MarketEvent] {
        updateFlags()
        let events = markets.keys.sorted().compactMap { refresh($0) }
        scheduleNextChange()
        return events
    }

    /// Replaces a market if its values are others in the current situation.
    @discardableResult
    func refresh(_ id: String) -> MarketEvent? {
        // Each repetition follows a change by another thread, whose market may be of an older situation.
        while let before = market(id) {
            let given = given
            // If only flags have other values, they need no other market.
            guard before.differs(in: given) else { return nil }
            do {
                let market = try before.read(in: given)
                handOnPreconditions(to: market, from: before)
                handOnFlags(to: market)
                do {
                    try prepare(market, before)
                } catch {
                    market.retire(retirement)
                    throw error
                }
                let difference = MarketDifference(from: before, to: market)
                if let event = apply(market, .situation(of: before), before.revision, difference) { return event }
            } catch let error as MarketError {
                return reject(before, error.findings)
            } catch {
                let message = "the app could not prepare this market: \(error)"
                return reject(before, [Finding(.runtime, at: nil, subject: id, message)])
            }
        }
        return nil
    }

    /// The attributes that the app has set, and the time.
    var given: MarketSituation {
        var given = situation.withLock { $0.given }
        given.live = dated(given.live)
        return given
    }

    /// A situation with the current time, unless it has one.
    func dated(_ context: MarketContext) -> MarketContext {
        guard context["date"] == nil else { return context }
        var context = context
        context["date"] = .date(date)
        return context
    }

    /// Waits for the next date at which a value changes: with one timer, however many conditions there are.
    func scheduleNextChange() {
        let now = date
        let old = situation.withLock { situation in
            let old = situation.timer
            // Under the lock, so that the thread that comes last sees the markets of all others.
            let next = markets.values.compactMap { $0.origin.situations?.nextChange(after: now) }.min()
            // Most changes of the situation do not change the date, and leave the timer alone.
            guard next != situation.next else { return nil as Task<Void, Never>? }
            situation.next = next
            situation.timer = next.map { next in
                Task { [weak self, pause] in
                    do {
                        try await pause(.seconds(next.secondsSince1970 - now.secondsSince1970))
                    } catch {
                        return  // another timer replaces this one
                    }
                    self?.situation.withLock { if $0.next == next { $0.next = nil } }
                    // If the clock was set back in the meantime, nothing differs, and the wait begins again.
                    self?.refresh()
                }
            }
            return old
        }
        old?.cancel()
    }
}

extension Market {
    /// Whether any value is another one in a situation.
    func differs(in given: MarketSituation) -> Bool {
        guard let situations = origin.situations else { return false }
        if given == self.given { return false }
        let live = situations.completed(given.live)
        if zip(situations.deciding, decided).contains(where: { $0.holds(in: live) != $1 }) { return true }
        // The start of a process is one situation for as long as it runs.
        guard given.start != self.given.start else { return false }
        let start = situations.completed(given.start)
        return situations.deciding.contains { $0.holds(in: start) != $0.holds(in: situation.start) }
    }
}
