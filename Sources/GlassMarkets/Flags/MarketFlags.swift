package import GlassBase
package import GlassSchema

/// A change of the values of flags.
public struct FlagChange: Sendable, Hashable {
    /// What changed the values.
    public enum Cause: Sendable, Hashable {
        /// The app's situation: somebody signed in, a date has come.
        case context
        /// The market, which replaces another.
        case market
        /// A provider above the market.
        case provider(String)
        /// A value that a tester forced.
        case forced
    }

    /// The names of the flags whose values may have changed.
    public let flags: Set<String>
    /// What changed them.
    public let cause: Cause

    /// Creates a change.
    package init(_ flags: Set<String>, cause: Cause) {
        self.flags = flags
        self.cause = cause
    }
}

/// What outlives a market when another replaces it: what testers have forced, which values were exposed already, and who
/// waits for changes.
package final class FlagSession: Sendable {
    /// The changes of all markets of the session.
    package let changes = Broadcast<FlagChange>()
    private let state = Lock(State())

    private struct State: Sendable {
        var forced: [String: ConfigurationValue] = [:]
        var exposed: Set<Exposure> = []
    }

    /// A value that somebody was exposed to.
    package struct Exposure: Hashable, Sendable {
        let flag: String
        let variant: String
        let unit: String

        /// Creates an exposure.
        package init(flag: String, variant: String, unit: String) {
            self.flag = flag
            self.variant = variant
            self.unit = unit
        }
    }

    /// The largest number of exposures that are remembered. Beyond it, all are forgotten and sent once more.
    private static let maximumExposures = 10_000

    /// The forced values by flag.
    package var forced: [String: ConfigurationValue] { state.withLock { $0.forced } }

    /// Forces the value of a flag, or no longer if the value is nil.
    package func force(_ value: ConfigurationValue?, for flag: String) { state.withLock { $0.forced[flag] = value } }

    /// Whether an exposure is the first of its kind. From then on it is known.
    package func isNew(_ exposure: Exposure) -> Bool {
        state.withLock { state in
            if state.exposed.count >= Self.maximumExposures { state.exposed = [] }
            return state.exposed.insert(exposure).inserted
        }
    }
}

/// The flags of a market in the app's situation. Its container provides it, for the service that answers with values.
package final class MarketFlags: Sendable {
    /// The flags.
    package let set: FlagSet
    /// The market's id; empty for a container without a market.
    package let market: String
    /// The revision of the market, for events.
    package let revision: String
    private let attributes: [ContextAttribute]
    private let state: Lock<State>

    private struct State {
        var context: MarketContext
        var session = FlagSession()
        /// Called after each change, with its cause, by the number of the listener.
        var listeners = ListenerList<@Sendable (FlagChange.Cause) -> Void>()
    }

    /// Creates the flags of a market.
    ///
    /// - Parameters:
    ///   - set: The flags.
    ///   - context: The app's situation, with the defaults of the market.
    package init(
        _ set: FlagSet = FlagSet(), attributes: [ContextAttribute] = ContextAttribute.builtIn,
        context: MarketContext = MarketContext(), market: String = "", revision: String = ""
    ) {
        self.set = set
        self.attributes = attributes
        self.market = market
        self.revision = revision
        state = Lock(State(context: context))
    }

    /// The app's situation, with the defaults of the market.
    package var context: MarketContext { state.withLock { $0.context } }

    /// What outlives the market.
    package var session: FlagSession { state.withLock { $0.session } }

    /// The flags that conditions decide about have other values from now on.
    package func update(context: MarketContext) {
        state.withLock { $0.context = context }
        notify(.context)
    }

    /// Goes on with what is left of the market that this one replaces. Call it before readers can get the market.
    package func takeOver(_ session: FlagSession) { state.withLock { $0.session = session } }

    /// Tells subscribers that a newer market is in use: its flags may have other values.
    package func replaced(by newer: MarketFlags) {
        let (old, new) = (context, newer.context)
        let names = Set(set.flags.keys).union(newer.set.flags.keys)
        let changed = names.filter { name in
            set.flags[name]?.evaluate(in: old).outcome != newer.set.flags[name]?.evaluate(in: new).outcome
        }
        if !changed.isEmpty { newer.session.changes.send(FlagChange(changed, cause: .market)) }
    }

    /// Tells listeners and subscribers about a change, after it has happened.
    package func notify(_ cause: FlagChange.Cause) {
        for listener in state.withLock({ $0.listeners.all }) { listener(cause) }
    }

    /// Calls a closure after each change until the flags are released.
    package func observe(_ listener: @escaping @Sendable (FlagChange.Cause) -> Void) {
        _ = state.withLock { $0.listeners.add(listener) }
    }

    /// A situation that a caller gives, over the app's. It has a locale for its languages.
    package func resolved(_ context: MarketContext) -> MarketContext {
        guard context["locale"] == nil, !context.languages.isEmpty,
            let locale = attributes.first(where: { $0.name == "locale" }), case .locale(let offered) = locale.type,
            !offered.isEmpty
        else { return context }
        var resolved = context
        resolved["locale"] = .text(localeMatch(wanted: context.languages, offered: offered))
        return resolved
    }

    /// Evaluates a flag; nil if the market has none of the name.
    ///
    /// - Parameters:
    ///   - name: The name of the flag.
    ///   - context: Attributes that differ from the app's situation; nil for that.
    package func evaluate(_ name: String, in context: MarketContext?) -> FlagSet.Flag.Evaluation? {
        guard let flag = set.flags[name] else { return nil }
        let own = self.context
        guard let context = context.map({ resolved($0) }) else { return flag.evaluate(in: own) }
        return flag.evaluate { context.values[$0] ?? own.values[$0] }
    }
}
