import GlassBase
package import GlassContainer
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

/// What outlives a market when another replaces it: the app's situation, what testers have forced, which values were
/// exposed already, and the registered listeners.
package final class FlagSession: Sendable {
    /// Called after a change, with its cause and the flags that it is about; nil if that may be any.
    package typealias Listener = @Sendable (_ cause: FlagChange.Cause, _ flags: Set<String>?) -> Void

    private let state = Lock(State())

    private struct State: Sendable {
        /// The situation that the app has set, and the number of that change.
        var live: (context: MarketContext, number: Int)?
        var forced: [String: ConfigurationValue] = [:]
        var exposed: Set<Exposure> = []
        var warned: Set<String> = []
        var listeners = ListenerList<Listener>()
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
    /// The largest number of warnings that are remembered. Beyond it, nothing is logged any more.
    private static let maximumWarnings = 1_000

    /// The situation that the app has set, without the defaults of a market; nil before any is known.
    package var live: MarketContext? { state.withLock { $0.live?.context } }

    /// Changes the situation, unless a later change came first.
    func update(_ context: MarketContext, number: Int) {
        state.withLock { state in
            if number >= state.live?.number ?? number { state.live = (context, number) }
        }
        // Also if nothing differs: the thread that made the same change may not have told the listeners yet, and the
        // caller must not read an older value afterward.
        notify(.context)
    }

    /// The forced values by flag.
    package var forced: [String: ConfigurationValue] { state.withLock { $0.forced } }

    /// Forces the value of a flag, or no longer if the value is nil.
    package func force(_ value: ConfigurationValue?, for flag: String) {
        state.withLock { $0.forced[flag] = value }
        notify(.forced, [flag])  // also if nothing differs, as in `update`
    }

    /// Whether an exposure is the first of its kind. From then on it is known.
    package func isNew(_ exposure: Exposure) -> Bool {
        state.withLock { state in
            if state.exposed.count >= Self.maximumExposures { state.exposed = [] }
            return state.exposed.insert(exposure).inserted
        }
    }

    /// Whether a warning is the first about its subject. From then on it is known.
    package func isFirstWarning(about subject: String) -> Bool {
        state.withLock { $0.warned.count < Self.maximumWarnings && $0.warned.insert(subject).inserted }
    }

    /// Calls a closure after each change, until ``stopObserving(_:)`` with the number that this returns.
    package func observe(_ listener: @escaping Listener) -> Int { state.withLock { $0.listeners.add(listener) } }

    /// Stops calling a closure.
    package func stopObserving(_ number: Int) {
        // Released outside the lock, because releasing may run arbitrary code.
        _ = state.withLock { $0.listeners.remove(number) }
    }

    /// Tells the listeners about a change, after it has happened. Without the lock, because listeners read the state.
    package func notify(_ cause: FlagChange.Cause, _ flags: Set<String>? = nil) {
        for listener in state.withLock({ $0.listeners.all }) { listener(cause, flags) }
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
    /// The attributes that a situation can have.
    package let attributes: [ContextAttribute]
    private let entries: [String: Entry]
    private let kinds: [String: ContextValue.Kind]
    /// The container of the market. It is not retained, because it retains the flags.
    package weak let container: Container?
    private let start: MarketContext
    private let complete: @Sendable (MarketContext) -> MarketContext
    private let state = Lock(State())

    /// A flag that is found without being copied, because counting its references takes longer than evaluating it.
    package final class Entry: Sendable {
        /// The flag.
        package let flag: FlagSet.Flag

        init(_ flag: FlagSet.Flag) { self.flag = flag }
    }

    private struct State {
        var session = FlagSession()
        /// The flags of the market that has replaced this one.
        var successor: MarketFlags?
    }

    /// Creates the flags of a market.
    ///
    /// - Parameters:
    ///   - set: The flags.
    ///   - context: The situation that the market was read in, with its defaults.
    ///   - container: The container of the market.
    ///   - complete: Adds the defaults of the market to a situation.
    package init(
        _ set: FlagSet = FlagSet(), attributes: [ContextAttribute] = ContextAttribute.builtIn,
        context: MarketContext = MarketContext(), market: String = "", revision: String = "",
        container: Container?, complete: @escaping @Sendable (MarketContext) -> MarketContext = { $0 }
    ) {
        self.set = set
        self.attributes = attributes
        self.market = market
        self.revision = revision
        self.container = container
        entries = set.flags.mapValues { Entry($0) }
        kinds = Dictionary(attributes.map { ($0.name, $0.type.kind) }) { first, _ in first }
        start = context
        self.complete = complete
    }

    /// The app's situation, with the defaults of the market.
    package var context: MarketContext { session.live.map(complete) ?? start }

    /// What outlives the market.
    package var session: FlagSession { state.withLock { $0.session } }

    /// The flags of the market that is in use now: these, or those of the market that has replaced theirs.
    package var newest: MarketFlags {
        var newest = self
        while let next = newest.state.withLock({ $0.successor }) { newest = next }
        return newest
    }

    /// Goes on with what is left of the market that this one replaces. Call it before readers can get the market.
    package func takeOver(_ session: FlagSession) { state.withLock { $0.session = session } }

    /// Whoever has the flags of this market reads those of a newer one from now on. Call it when readers can get the
    /// newer one, and notify the session afterward.
    package func precede(_ newer: MarketFlags) { state.withLock { $0.successor = newer } }

    /// The flag with a name.
    package func entry(_ name: String) -> Entry? { entries[name] }

    /// A situation that a caller gives, over the app's. It has a locale for its languages.
    package func resolved(_ context: MarketContext) -> MarketContext {
        guard !context.languages.isEmpty, context["locale"] == nil,
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

    /// Whether a situation has only attributes of the market, with values of their kinds.
    package func isValid(_ context: MarketContext) -> Bool {
        context.values.allSatisfy { name, value in kinds[name] == value.kind }
    }

    /// The first attribute of a situation that the market does not have, or whose value is of another kind. Its text
    /// does not say the value, which may be a person's.
    package func problem(with context: MarketContext) -> String? {
        for name in context.values.keys.sorted() {
            do throws(MarketContextError) {
                let attribute = try attributes.attribute(named: name)
                guard let value = context.values[name], attribute.accepts(value) else {
                    return "\(name) is \(attribute.expectation)"
                }
            } catch {
                return error.description
            }
        }
        return nil
    }
}
