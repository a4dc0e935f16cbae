import GlassBase
import GlassMarkets
package import GlassSchema
import LuaBridge
import GlassMarketFiles

/// A denial by a policy.
package struct PolicyDenial: Sendable, Hashable {
    /// The index of the subject that it is about.
    let subject: Int
    /// The key; nil for the whole subject.
    package let path: ConfigurationPath?
    /// The description of the violation.
    package let text: String
}

/// Runs the policies of a file in one Lua state.
///
/// The file runs once, and each of its policies is called in turn, with its own time limit and its own copy of the
/// subject. After each policy, globals are restored to the values that the file gave them. The file's locals and the
/// modules that it requires are shared, so a policy that changes those can affect the next one. Every run uses a new
/// state, so the result for a market does not depend on the markets before it.
struct PolicyRun {
    /// The limits of each policy, as far as the budget allows.
    static let limits: LuaLimits = {
        var limits = LuaLimits.script
        limits.cpuTime = .milliseconds(500) * BuildSpeed.slowdownOfLua
        limits.memory = 32 << 20
        limits.outputSize = 64 << 10
        // A market with all of its defaults is larger than what scripts usually pass at once.
        limits.tapeNodes = 500_000
        limits.tapeBytes = 8 << 20
        return limits
    }()

    /// The maximum number of denials for one subject. A policy with more is stopped by an error.
    private static let maximumDenials = 1000
    /// The maximum size of a denial's text, and of its key, in bytes.
    private static let maximumTextLength = 4 << 10

    let folder: MarketFolder
    let budget: PolicyBudget
    var print: @Sendable (String) -> Void
    var interruption: LoadCancellation?

    /// The result of running a policy.
    struct Answer: Sendable {
        let policy: Policy
        let result: Result<[PolicyDenial], ScriptFailure>
        /// Whether its Lua state can no longer be used.
        var endedState = false
    }

    /// Runs a file and returns its declarations.
    func declarations(of file: String) throws(ScriptFailure) -> PolicyModule.Contents {
        try inState(of: file) { _, _, declared in declared }
    }

    /// Runs policies of a file for subjects.
    ///
    /// An error of one policy is its result, and the others still run. A limit ends the state, so the file is run again
    /// for the remaining policies; the budget limits how often.
    func ask(_ policies: [Policy], of file: String, about subjects: [ScriptValue]) -> [Answer] {
        // The output of the file itself was shown when the file was read.
        let quiet = Lock(true)
        var quieted = self
        quieted.print = { [print] text in if !quiet.withLock({ $0 }) { print(text) } }
        let run = quieted
        var (answers, left) = ([Answer](), policies[...])
        while let first = left.first, budget.exhausted == nil {
            let asked = left
            do throws(ScriptFailure) {
                answers += try run.inState(of: file) { context, sources, declared in
                    let values = try subjects.map { try ScriptConversion.luaValue($0, in: context) }
                    quiet.withLock { $0 = false }
                    defer { quiet.withLock { $0 = true } }
                    return try run.ask(asked, about: values, in: context, sources, declared)
                }
            } catch {
                answers.append(Answer(policy: first, result: .failure(error)))
            }
            left = policies[answers.count...]
        }
        return answers
    }

    /// Runs policies one after another, as long as their state can be used.
    private func ask(
        _ policies: ArraySlice<Policy>, about subjects: [LuaValue], in context: LuaContext, _ sources: ScriptSources,
        _ declared: PolicyModule.Contents
    ) throws -> [Answer] {
        var answers: [Answer] = []
        let globals = try Globals(in: context)
        for policy in policies {
            guard budget.exhausted == nil else { break }
            let answer = answer(of: policy, about: subjects, in: context, sources, declared)
            answers.append(answer)
            if answer.endedState { break }
            try globals.restore(in: context)
        }
        return answers
    }

    private func answer(
        of policy: Policy, about subjects: [LuaValue], in context: LuaContext, _ sources: ScriptSources,
        _ declared: PolicyModule.Contents
    ) -> Answer {
        let denied = Lock<(current: Int, all: [PolicyDenial])>((0, []))
        do {
            guard let function = declared.functions[policy.name] else {
                throw Self.failure(of: policy, "its file does not declare it on every run")
            }
            try evaluate(in: context) {
                try call(function, of: policy, about: subjects, denied, in: context)
            }
        } catch let error as LuaError {
            if error.isLimit { budget.noteLimit() }
            return Answer(policy: policy, result: .failure(sources.failure(error)), endedState: error.isLimit)
        } catch let failure as ScriptFailure {
            return Answer(policy: policy, result: .failure(failure))
        } catch {
            return Answer(policy: policy, result: .failure(Self.failure(of: policy, "\(error)")))
        }
        var seen: Set<PolicyDenial> = []
        return Answer(policy: policy, result: .success(denied.withLock { $0.all }.filter { seen.insert($0).inserted }))
    }

    private func call(
        _ function: LuaFunction, of policy: Policy, about subjects: [LuaValue],
        _ denied: Lock<(current: Int, all: [PolicyDenial])>, in context: LuaContext
    ) throws {
        let deny = try context.function("deny") { [budget] context, arguments in
            let denial = try Self.denial(arguments, denied.withLock { $0.current })
            try context.charge(bytes: denial.text.utf8.count + 200)
            try budget.spendDenial(bytes: denial.text.utf8.count + (denial.path?.description.utf8.count ?? 0))
            try denied.withLock { denied in
                guard denied.all.count(where: { $0.subject == denied.current }) < Self.maximumDenials else {
                    throw ScriptAssertion(
                        "a policy may have at most \(Self.maximumDenials) denials for one \(policy.subject.noun)")
                }
                denied.all.append(denial)
            }
            return []
        }
        for (index, subject) in subjects.enumerated() {
            denied.withLock { $0.current = index }
            let results = try context.call(function, [subject, deny])
            // An author who writes `return false` intends a denial, and would believe that it took effect.
            if let result = results.first(where: { $0 != .nil }) {
                throw Self.failure(
                    of: policy,
                    "it returned \(result.literal): call deny(path, text) instead; the return value is ignored")
            }
        }
    }

    /// Runs a file in a new Lua state, and calls a body with its declarations.
    private func inState<R: Sendable>(
        of file: String,
        _ body: @escaping @Sendable (LuaContext, ScriptSources, PolicyModule.Contents) throws -> R
    ) throws(ScriptFailure) -> R {
        let sources = ScriptSources()
        let limits = Self.limits
        let module = PolicyModule(file: file, shownFile: "\(folder.path)/\(file)")
        defer { module.forgetFunctions() }
        do {
            let (bytes, name) = try folder.read(include: file, limit: limits.sourceSize)
            sources.insert([MarketFile(file: name, bytes: bytes)])
            let state = try LuaState(
                profile: .script, limits: limits,
                output: { [print] in print(String(decoding: $0.bytes, as: UTF8.self) + "\n") },
                moduleLoader: { [folder] in try Self.module($0, in: folder, limit: limits.sourceSize, sources) })
            // A function that was declared must not keep the state open.
            defer { state.close() }
            let source = LuaSource(bytes: bytes, chunkName: name)
            let work: @Sendable (LuaContext) throws -> R = { [self] context in
                defer { module.forgetFunctions() }
                try evaluate(in: context) {
                    try module.install(in: context)
                    try context.call(try context.load(source))
                }
                return try body(context, sources, module.declared)
            }
            return try interruption?.during(state) { try state.perform(work) } ?? state.perform(work)
        } catch let error as LuaError {
            if error.isLimit { budget.noteLimit() }
            throw sources.failure(error)
        } catch let failure as ScriptFailure {
            throw failure
        } catch {
            throw ScriptFailure(
                message: "\(error)", place: SourcePosition(file: "\(folder.path)/\(file)", line: 1))
        }
    }

    /// Runs a body as one evaluation, with the time of a policy or the remaining time of the budget.
    private func evaluate(in context: LuaContext, _ body: () throws -> Void) throws {
        var limits = Self.limits
        limits.cpuTime = min(limits.cpuTime, budget.timeLeft)
        defer { budget.spend(context.usage.cpuTime) }
        try context.evaluate(limits: limits, body)
    }

    /// The globals of a state as its file set them.
    private struct Globals {
        private let function: LuaFunction?

        /// Saves the globals. It uses the host's functions, even if the file has replaced them.
        init(in context: LuaContext) throws {
            let text = """
                local next, rawset, globals, saved = next, rawset, _G, {}
                for name, value in next, globals do saved[name] = value end
                return function()
                  for name in next, globals do if saved[name] == nil then rawset(globals, name, nil) end end
                  for name, value in next, saved do rawset(globals, name, value) end
                end
                """
            let results = try context.call(try context.load(LuaSource(text, chunkName: "policies")))
            if case .function(let function)? = results.first { self.function = function } else { function = nil }
        }

        /// Restores each global, and removes those that were added.
        func restore(in context: LuaContext) throws {
            if let function { try context.call(function) }
        }
    }

    /// Parses the arguments of `deny(path, text)`, or of `deny(subject, text)` for the whole subject.
    private static func denial(_ arguments: [LuaValue], _ subject: Int) throws -> PolicyDenial {
        guard arguments.count > 1, let text = arguments[1].stringValue, text.contains(where: { !$0.isWhitespace })
        else {
            throw ScriptAssertion(
                "deny expects a key path or the policy's first argument, and a text that describes the problem")
        }
        for (argument, what) in [(arguments[0].stringValue, "key path"), (text, "text")] {
            guard let count = argument?.utf8.count, count > maximumTextLength else { continue }
            throw ScriptAssertion(
                "the \(what) of a denial may have at most \(maximumTextLength.grouped) bytes, got \(count.grouped)")
        }
        switch arguments[0] {
        case .nil, .table: return PolicyDenial(subject: subject, path: nil, text: text)
        default:
            guard let written = arguments[0].stringValue, let path = ConfigurationPath(parsing: written),
                !path.elements.isEmpty
            else {
                throw ScriptAssertion(
                    "deny expects a key path such as platform.networking.retry, got \(arguments[0].literal)")
            }
            return PolicyDenial(subject: subject, path: path, text: text)
        }
    }

    /// The failure of a policy for a reason other than a Lua error.
    private static func failure(of policy: Policy, _ message: String) -> ScriptFailure {
        ScriptFailure(
            message: "the policy \(policy.name.quotedForMessage): \(message)", place: policy.position)
    }

    /// The module that a policy requires: a file in the policy folder, and nothing else.
    private static func module(
        _ name: String, in folder: MarketFolder, limit: Int, _ sources: ScriptSources
    ) throws -> LuaSource? {
        let file = name.split(separator: ".").joined(separator: "/") + ".lua"
        do {
            let (bytes, shown) = try folder.read(include: file, limit: limit)
            sources.insert([MarketFile(file: shown, bytes: bytes)])
            return LuaSource(bytes: bytes, chunkName: shown)
        } catch MarketFolderError.missingFile {
            return nil
        }
    }
}

extension Policy.Subject {
    /// The noun for messages.
    fileprivate var noun: String {
        switch self {
        case .market: "market"
        case .change: "change"
        }
    }
}
