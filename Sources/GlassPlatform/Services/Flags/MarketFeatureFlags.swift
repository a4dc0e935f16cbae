import GlassBase
import GlassFlags
import GlassMarkets
import GlassSchema

/// The flags of a market with the layers above it.
///
/// What a reading gives is kept by the number of the flag's name until something changes, so that the next reading takes
/// one lock and compares no texts.
final class MarketFeatureFlags: FeatureFlags {
    private let session: FlagSession
    private let providers: [any FlagProvider]
    private let exposures: FlagExposures
    private let logger = SafeLogger(label: "glass.flags")
    private let changed = Broadcast<FlagChange>()
    private let state: Lock<State>
    private let subscriptions = Lock(Subscriptions())

    private struct State: Sendable {
        var inputs: Inputs
        /// Counts the changes, so that a value that was evaluated before one is not kept.
        var number = 0
        /// By the numbers of names.
        var slots: [Slot] = []
        /// By the numbers of names. Those of flags that were only peeked at have no slot.
        var answers: [Int: Answer] = [:]
    }

    /// What is known about a reading.
    private enum Slot: Sendable {
        /// Nothing. The next reading may be an exposure.
        case unread
        /// The default in code applies.
        case code
        /// The value.
        case value(FlagContent)
    }

    /// What decides about the values, at one moment.
    private struct Inputs: Sendable {
        let market: MarketFlags
        let context: MarketContext
        let forced: [String: ConfigurationValue]
        /// Whether the values of testers count.
        let honorsForced: Bool
        /// The market for details.
        let provider: String

        /// Reads what is in effect now.
        init(_ market: MarketFlags, _ session: FlagSession) {
            self.market = market.newest
            context = self.market.context
            forced = session.forced
            honorsForced = context["build"] == .text("debug") || context["build"] == .text("beta")
            provider = "market \(self.market.market)@\(self.market.revision.prefix(12))"
        }

        /// The error for a flag that the market does not have.
        func missingFlag(_ name: String) -> FlagError {
            market.market.isEmpty
                ? FlagError(.providerNotReady, "there is no market yet, so \(name) has its default in code")
                : FlagError(
                    .flagNotFound, "\(provider) has no flag \(name.quotedForMessage), so it has its default in code")
        }
    }

    /// The value of a flag, for any type that a caller expects.
    private struct Answer: Sendable {
        var answer: FlagAnswer
        /// Whether it also answers callers who expect another type.
        var isKept = true
        /// The exposure that reading it is.
        var exposure: Exposure?
    }

    /// What an event says about an exposure.
    private struct Exposure: Sendable {
        /// The attribute that identifies the unit, and its value.
        var unit: (name: String, value: String)?
        let layer: String?
        let market: MarketFlags
    }

    private struct Subscriptions: Sendable {
        var session: Int?
        var providers: [Task<Void, Never>] = []
    }

    /// Creates the service of a market.
    init(_ market: MarketFlags, providers: [any FlagProvider]) {
        session = market.session
        self.providers = providers
        exposures = FlagExposures(logger: logger)
        state = Lock(State(inputs: Inputs(market, session)))
        let number = session.observe { [weak self] cause, flags in self?.update(cause, flags) }
        // Here and not in the tasks, so that no change is missed.
        let changes = providers.map { ($0.name, $0.changes()) }
        let tasks = changes.map { name, changes in
            Task { [weak self] in
                for await flags in changes { self?.update(.provider(name), flags) }
            }
        }
        subscriptions.withLock { $0 = Subscriptions(session: number, providers: tasks) }
        // The market may have changed before the session knew this service.
        state.withLock { $0.inputs = Inputs($0.inputs.market, session) }
    }

    deinit {
        let subscriptions = subscriptions.withLock { $0 }
        subscriptions.session.map { session.stopObserving($0) }
        for task in subscriptions.providers { task.cancel() }
    }

    /// The attributes that a situation can have.
    var attributes: [ContextAttribute] { state.withLock { $0.inputs.market.attributes } }
    var names: [String] { state.withLock { $0.inputs.market.set }.flags.keys.sorted() }
    var forced: [String: ConfigurationValue] { session.forced }
    func changes() -> AsyncStream<FlagChange> { changed.values(limit: 64) }

    /// Waits until the events of all exposures are with the analytics.
    func waitForExposures() async { await exposures.wait() }

    // MARK: Reading

    func value(of flag: FlagName, as type: FlagType) -> FlagContent? {
        let index = flag.index
        let slot = state.withLock { state in
            state.slots.indices.contains(index) ? state.slots[index] : .unread
        }
        switch slot {
        case .value(let value): return value
        case .code: return nil
        case .unread: return read(flag, as: type)
        }
    }

    /// The first reading after a change.
    private func read(_ flag: FlagName, as type: FlagType) -> FlagContent? {
        let (answer, number) = answer(to: flag, as: type)
        let value = answer.answer.content
        // A value of another type reaches nobody, so this is no reading.
        if value != nil, !answer.answer.reaches(type) { return value }
        expose(answer)
        if answer.isKept, flag.index >= 0 {
            let old = state.withLock { state -> Slot? in
                guard state.number == number else { return nil }
                if state.slots.count <= flag.index {
                    state.slots += Array(repeating: .unread, count: flag.index + 1 - state.slots.count)
                }
                let old = state.slots[flag.index]
                state.slots[flag.index] = value.map { .value($0) } ?? .code
                return old
            }
            withExtendedLifetime(old) {}
        }
        return value
    }

    func answer(
        of flag: FlagName, as type: FlagType, in context: MarketContext?, isExposure: Bool
    ) -> FlagAnswer {
        let answer: Answer
        if let context {
            let inputs = state.withLock { $0.inputs }
            answer = evaluate(flag.text, as: type, inputs, in: context)
        } else {
            answer = self.answer(to: flag, as: type).answer
        }
        if isExposure, answer.exposure != nil, answer.answer.reaches(type) { expose(answer) }
        return answer.answer
    }

    /// The answer in the app's situation, and the number of the changes before it.
    private func answer(to flag: FlagName, as type: FlagType) -> (answer: Answer, number: Int) {
        let (known, inputs, number) = state.withLock { ($0.answers[flag.index], $0.inputs, $0.number) }
        if let known { return (known, number) }
        // Without the lock, because providers are asked.
        let answer = evaluate(flag.text, as: type, inputs, in: nil)
        if answer.isKept, flag.index >= 0 {
            state.withLock { state in
                if state.number == number { state.answers[flag.index] = answer }
            }
        }
        return (answer, number)
    }

    // MARK: Evaluating

    /// A reading, and what is known about it so far.
    private struct Question {
        let name: String
        /// The type of the flag, or of the caller if the market does not have the flag.
        let type: FlagType
        let flag: FlagSet.Flag?
        let inputs: Inputs
        /// The attributes that differ from the app's situation; nil if none do.
        let context: MarketContext?
        /// What is wrong with a layer that was asked before.
        var error: FlagError?
        /// Whether the answer also counts for callers who expect another type.
        var isKept = true

        init(_ name: String, as type: FlagType, _ inputs: Inputs, in given: MarketContext?) {
            self.name = name
            self.inputs = inputs
            flag = inputs.market.entry(name)?.flag
            self.type = flag?.type ?? type
            context = given.map { inputs.market.resolved($0) }
        }

        /// The value of an attribute in the situation of the reading.
        func attribute(_ name: String) -> ContextValue? { context?.values[name] ?? inputs.context.values[name] }

        func answer(
            _ value: ConfigurationValue?, _ reason: FlagReason, _ provider: String, variant: String? = nil,
            rule: FlagRule? = nil, missingUnit: String? = nil, exposure: Exposure? = nil
        ) -> Answer {
            let ignoresForced = !inputs.honorsForced && !inputs.forced.isEmpty && inputs.forced[name] != nil
            return Answer(
                answer: FlagAnswer(
                    name, content: value.flatMap { FlagContent($0) }, reason: reason, provider: provider,
                    variant: variant, error: error, rule: rule, missingUnit: missingUnit,
                    ignoresForcedValue: ignoresForced), isKept: isKept, exposure: exposure)
        }
    }

    /// Asks the layers for a value, the strongest first.
    private func evaluate(
        _ name: String, as type: FlagType, _ inputs: Inputs, in given: MarketContext?
    ) -> Answer {
        var question = Question(name, as: type, inputs, in: given)
        return forcedAnswer(to: &question) ?? invalidAnswer(to: &question) ?? providedAnswer(to: &question)
            ?? marketAnswer(to: &question)
    }

    /// The value that a tester forced.
    private func forcedAnswer(to question: inout Question) -> Answer? {
        guard question.inputs.honorsForced, let value = question.inputs.forced[question.name] else { return nil }
        if let problem = question.flag?.problem(with: value) {
            question.error = FlagError(.typeMismatch, "the forced value no longer applies: \(problem)")
            return nil
        }
        return question.answer(value, .static, "forced", variant: question.flag?.variant(of: value, named: nil))
    }

    /// The error of a situation that the market cannot evaluate.
    private func invalidAnswer(to question: inout Question) -> Answer? {
        let market = question.inputs.market
        guard let context = question.context, !market.isValid(context) else { return nil }
        question.error = FlagError(.invalidContext, market.problem(with: context) ?? "the context is not valid")
        return question.answer(nil, .error, "code")
    }

    /// The value of the first provider that has a fitting one.
    private func providedAnswer(to question: inout Question) -> Answer? {
        guard !providers.isEmpty else { return nil }
        var merged = question.inputs.context
        if let context = question.context { merged.values.merge(context.values) { $1 } }
        for provider in providers {
            switch provider.resolve(question.name, as: question.type, in: merged) {
            case nil: continue
            case .failure(let failure):
                question.error =
                    question.error ?? FlagError(failure.code, "\(provider.name): \(failure.message)")
            case .value(let value, let variant, let reason):
                if let problem = question.flag?.problem(with: value)
                    ?? question.type.problem(with: value, of: question.name)
                {
                    recordMismatch(problem, of: provider, in: &question)
                    continue
                }
                let isTracked = question.flag?.definition.track == true
                return question.answer(
                    value, reason, provider.name, variant: question.flag?.variant(of: value, named: variant) ?? variant,
                    exposure: isTracked ? Exposure(layer: nil, market: question.inputs.market) : nil)
            }
        }
        return nil
    }

    /// Records a provider's value that does not fit the flag.
    private func recordMismatch(_ problem: String, of provider: any FlagProvider, in question: inout Question) {
        let mismatch = FlagError(.typeMismatch, "\(provider.name) gives another value: \(problem)")
        if session.isFirstWarning(about: "\(provider.name) \(question.name)") {
            logger.warning("\(mismatch.message); the next layer answers")
        }
        question.error = question.error ?? mismatch
        // Another caller may expect the type of this value.
        if question.flag == nil { question.isKept = false }
    }

    /// The value of the market: of the rule that holds, or the flag's default.
    private func marketAnswer(to question: inout Question) -> Answer {
        let inputs = question.inputs
        guard let flag = question.flag else {
            question.error = question.error ?? inputs.missingFlag(question.name)
            return question.answer(nil, .error, "code")
        }
        let evaluation =
            if question.context != nil {
                flag.evaluate { [question] in question.attribute($0) }
            } else {
                flag.evaluate(in: inputs.context)
            }
        if let unit = evaluation.missingUnit {
            question.error =
                question.error
                ?? FlagError(.targetingKeyMissing, "\(unit) is missing, so that no percentage of it can decide")
        }
        let rule = evaluation.rule.map { flag.rules[$0] }
        var exposure: Exposure?
        if evaluation.isExposed {
            let unit = rule?.unit ?? flag.slots?.bucketing.unit
            exposure = Exposure(
                unit: unit.map { ($0, question.attribute($0)?.description ?? "") }, layer: flag.definition.layer,
                market: inputs.market)
        }
        return question.answer(
            evaluation.outcome.value, evaluation.reason, inputs.provider, variant: evaluation.outcome.variant,
            rule: rule.map { FlagRule(name: $0.name, position: $0.position) }, missingUnit: evaluation.missingUnit,
            exposure: exposure)
    }

    /// Sends the event of an exposure, unless it was sent before.
    private func expose(_ answer: Answer) {
        guard let exposure = answer.exposure, let value = answer.answer.content?.flagValue else { return }
        let details = answer.answer
        let known = FlagSession.Exposure(
            flag: details.name, variant: details.variant ?? value.found, unit: exposure.unit?.value ?? "")
        guard session.isNew(known) else { return }
        // OpenTelemetry writes reasons in lower case.
        var attributes: [String: ConfigurationScalar] = [
            "feature_flag.key": .string(details.name),
            "feature_flag.result.reason": .string(details.reason.rawValue.lowercased()),
            "feature_flag.set.id": .string(exposure.market.market),
            "feature_flag.version": .string(String(exposure.market.revision.prefix(12))),
            "feature_flag.provider.name": .string(details.provider),
        ]
        if let variant = details.variant {
            attributes["feature_flag.result.variant"] = .string(variant)
        } else {
            attributes["feature_flag.result.value"] = ScriptValue(value).scalar
        }
        attributes["rule"] = details.rule.map { .string($0.name) }
        attributes["layer"] = exposure.layer.map { .string($0) }
        attributes["unit"] = exposure.unit.map { .string($0.name) }
        exposures.send(AnalyticsEvent("flagExposure", attributes: attributes), of: exposure.market.container)
    }

    // MARK: Changing

    func force(_ value: ConfigurationValue, for flag: FlagName) throws(FlagError) {
        let known = state.withLock { $0.inputs.market }.newest.set.flags[flag.text]
        let isValue = FlagType(of: value) != nil
        if let problem = isValue ? known?.problem(with: value) : "\(flag) cannot have \(value.found)" {
            throw FlagError(.typeMismatch, problem)
        }
        session.force(value, for: flag.text)
    }

    func unforce(_ flag: FlagName) { session.force(nil, for: flag.text) }

    /// Forgets all values after a change, and tells the listeners.
    ///
    /// - Parameter flags: The flags that may have other values; nil if that is not known.
    private func update(_ cause: FlagChange.Cause, _ flags: Set<String>?) {
        let (old, new) = state.withLock { state in
            let old = state
            state.inputs = Inputs(old.inputs.market, session)
            state.number += 1
            state.slots = []
            state.answers = [:]
            return (old, state.inputs)
        }
        guard changed.listenerCount > 0 else { return }
        let names = flags ?? changedFlags(from: old, to: new, isProvider: cause.isProvider)
        if !names.isEmpty { changed.send(FlagChange(names, cause: cause)) }
    }

    /// The flags that have other values after a change. O(flags), for listeners only.
    private func changedFlags(from old: State, to new: Inputs, isProvider: Bool) -> Set<String> {
        var answers: [String: Answer] = [:]
        for answer in old.answers.values { answers[answer.answer.name] = answer }
        let names = Set(old.inputs.market.set.flags.keys).union(new.market.set.flags.keys).union(answers.keys)
        // A provider does not say what its values were before.
        if isProvider { return names }
        return names.filter { name in
            let known = new.market.set.flags[name]?.type ?? .boolean
            let before = answers[name] ?? evaluate(name, as: known, old.inputs, in: nil)
            let type = before.answer.content?.type ?? known
            return before.answer.content != evaluate(name, as: type, new, in: nil).answer.content
        }
    }
}

extension FlagChange.Cause {
    fileprivate var isProvider: Bool { if case .provider = self { true } else { false } }
}

extension FlagType {
    /// Why a value does not have this type; nil if it does.
    fileprivate func problem(with value: ConfigurationValue, of name: String) -> String? {
        let found = FlagType(of: value)
        if let found, accepts(found) { return nil }
        return "\(name) has the type \(rawValue), not \(found?.rawValue ?? value.found)"
    }
}

extension FlagSet.Flag {
    /// Why the flag cannot have a value; nil if it can.
    fileprivate func problem(with value: ConfigurationValue) -> String? {
        if let problem = type.problem(with: value, of: name) { return problem }
        guard !variants.isEmpty, variant(of: value, named: nil) == nil else { return nil }
        return "\(name) has only the values of its variants \(variants.keys.sorted().joined(separator: ", "))"
    }

    /// The variant with a value: the named one, or else the first in byte order.
    fileprivate func variant(of value: ConfigurationValue, named name: String?) -> String? {
        if let name, let outcome = variants[name], outcome.value.isSameNumberOrEqual(to: value) { return name }
        return variants.filter { $0.value.value.isSameNumberOrEqual(to: value) }.keys.min()
    }
}

extension ConfigurationValue {
    /// Whether two values are equal, where 1 is 1.0.
    fileprivate func isSameNumberOrEqual(to other: ConfigurationValue) -> Bool {
        if let left = Double(flagValue: self), let right = Double(flagValue: other) { return left == right }
        return self == other
    }
}
