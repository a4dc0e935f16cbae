import GlassBase
import GlassMarkets
package import GlassSchema
import LuaBridge

/// What a policy said no to.
package struct PolicyDenial: Sendable, Hashable {
    /// Which of the subjects it is about.
    let subject: Int
    /// The key; nil for the whole subject.
    package let path: ConfigurationPath?
    /// What is wrong.
    package let text: String
}

/// One policy at work: a Lua state of its own, so that no policy sees what another did, with 1 s and 32 MB.
struct PolicyRun {
    /// What each policy may use.
    static let limits: LuaLimits = {
        var limits = LuaLimits.script
        limits.cpuTime = .seconds(1) * BuildSpeed.slowdownOfLua
        limits.memory = 32 << 20
        limits.outputSize = 64 << 10
        // A market with every default is more than what scripts usually pass at once.
        limits.tapeNodes = 500_000
        limits.tapeBytes = 8 << 20
        return limits
    }()

    /// A policy that denies more of one subject is stopped by an error.
    private static let mostDenials = 1000

    let folder: MarketFolder
    let print: @Sendable (String) -> Void
    var limits = Self.limits
    var interruption: LoadInterruption?

    /// Runs a file as far as its end.
    @discardableResult
    func run(
        _ file: String, then body: @escaping @Sendable (LuaContext, PolicyModule.Contents) throws -> Void = { _, _ in }
    ) throws(ScriptFailure) -> (declared: PolicyModule.Contents, cpuTime: Duration) {
        let sources = ScriptSources()
        let module = PolicyModule(file: file, shownFile: "\(folder.path)/\(file)")
        defer { module.forgetFunctions() }
        do {
            let (bytes, name) = try folder.read(include: file, limit: limits.sourceSize)
            sources.insert([MarketFile(file: name, bytes: bytes)])
            let state = try LuaState(
                profile: .script, limits: limits,
                output: { [print] in print(String(decoding: $0.bytes, as: UTF8.self) + "\n") },
                moduleLoader: { [folder, limits] in
                    try Self.module($0, in: folder, limit: limits.sourceSize, sources)
                })
            // A function that was declared must not keep the state from being closed here.
            defer { state.close() }
            let source = LuaSource(bytes: bytes, chunkName: name)
            let work: @Sendable (LuaContext) throws -> Duration = { [limits] context in
                try context.evaluate(limits: limits) {
                    try module.install(in: context)
                    try context.call(try context.load(source))
                    try body(context, module.declared)
                }
                let time = context.usage.cpuTime
                module.forgetFunctions()
                return time
            }
            let cpuTime = try interruption?.during(state) { try state.perform(work) } ?? state.perform(work)
            return (module.declared, cpuTime)
        } catch let error as LuaError {
            throw sources.failure(error)
        } catch let failure as ScriptFailure {
            throw failure
        } catch {
            throw ScriptFailure(
                message: "\(error)", place: SourcePosition(file: "\(folder.path)/\(file)", line: 1), line: nil,
                hint: nil,
                isApproximate: false, traceback: [])
        }
    }

    /// Asks a policy about subjects, one after another; each is a copy of the policy's own.
    func denials(
        of policy: Policy, about subjects: [ScriptValue]
    ) throws(ScriptFailure) -> (denials: [PolicyDenial], cpuTime: Duration) {
        let denied = Lock<(current: Int, all: [PolicyDenial])>((0, []))
        let time = try run(policy.file) { context, declared in
            guard let function = declared.functions[policy.name] else {
                throw Self.failure(of: policy, "its file does not declare it each time that it runs")
            }
            let deny = try context.function("deny") { context, arguments in
                let denial = try Self.denial(arguments, denied.withLock { $0.current })
                try context.charge(bytes: denial.text.utf8.count + 200)
                try denied.withLock { denied in
                    guard denied.all.count(where: { $0.subject == denied.current }) < Self.mostDenials else {
                        throw ScriptAssertion(
                            "a policy may deny \(Self.mostDenials) things of one \(policy.subject.noun)")
                    }
                    denied.all.append(denial)
                }
                return []
            }
            for (index, subject) in subjects.enumerated() {
                denied.withLock { $0.current = index }
                let results = try context.call(
                    function, [try ScriptConversion.luaValue(subject, in: context), deny])
                // Whoever writes `return false` means a denial, and would take silence for one.
                if let result = results.first(where: { $0 != .nil }) {
                    throw Self.failure(
                        of: policy,
                        "it returned \(result.literal): a policy denies with deny(path, text), and nobody looks at what it "
                            + "returns")
                }
            }
        }.cpuTime
        var seen: Set<PolicyDenial> = []
        return (denied.withLock { $0.all }.filter { seen.insert($0).inserted }, time)
    }

    /// `deny(path, text)`, and `deny(subject, text)` for the whole of it.
    private static func denial(_ arguments: [LuaValue], _ subject: Int) throws -> PolicyDenial {
        guard arguments.count > 1, let text = arguments[1].stringValue, text.contains(where: { !$0.isWhitespace })
        else {
            throw ScriptAssertion(
                "deny expects a key path, or what the policy was given, and a text that says what is wrong")
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

    /// What is wrong with a policy besides the errors of Lua.
    private static func failure(of policy: Policy, _ message: String) -> ScriptFailure {
        ScriptFailure(
            message: "the policy \(policy.name.quotedForMessage): \(message)", place: policy.position, line: nil,
            hint: nil, isApproximate: false, traceback: [])
    }

    /// What a policy requires: a file of its folder, and nothing else.
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
    /// What it is called.
    fileprivate var noun: String {
        switch self {
        case .market: "market"
        case .change: "change"
        }
    }
}
