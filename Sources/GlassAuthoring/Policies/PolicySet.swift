package import GlassBase
package import GlassMarkets
package import GlassSchema
import LuaBridge
package import GlassMarketFiles

/// The policies of a project: its own requirements for markets, in addition to those for every market.
///
/// They are the files `policies/*.lua`, except those whose names end with `_test.lua`. A file runs with the profile of
/// scripts, without markets and services, and can require files of its folder.
///
/// ```swift
/// let policies = PolicySet(reading: MarketFolder(path: "policies"))
/// let verdict = policies.verdict(on: canada)
/// print(verdict.findings, verdict.failures)
/// ```
package struct PolicySet: Sendable {
    /// The verdict of policies on a subject.
    package struct Verdict: Sendable {
        /// The denials, sorted by position.
        package var findings: [Finding] = []
        /// One note if the policies did not run in every situation that shows other values.
        package var notes: [Finding] = []
        /// The policies that failed to run, sorted. Without the result of each policy there is no verdict.
        package var failures: [Finding] = []
        /// The names of those policies.
        package var failed: Set<String> = []
        /// The CPU time that the policies used.
        package var cpuTime = Duration.zero

        /// Creates a verdict without denials.
        package init() {}
    }

    /// The folder of the policies; nil if there are none.
    package let folder: MarketFolder?
    /// The policies that could be read, by name.
    package private(set) var policies: [Policy] = []
    /// The accepted findings and changes.
    package private(set) var acceptances: [PolicyAcceptance] = []
    /// Severity overrides for other rules, by rule name.
    package private(set) var severities: [String: Change.Severity] = [:]
    /// The files that could not be read, and the contradictions among files. If there are any, there is no verdict.
    package private(set) var failures: [Finding] = []
    /// The notes about severities of removed rules.
    private(set) var notes: [Finding] = []
    private let print: @Sendable (String) -> Void
    /// The budget of the command, which pays for what the policies are shown of markets.
    package var account: WorkBudget?
    /// The limits that all copies of the set share.
    private var budget = PolicyBudget()
    /// The limits for other situations than that of a command, so that these take nothing from the next market.
    private var situationBudget = PolicyBudget()

    /// The maximum number of policies in a project.
    static let maximumPolicies = 1000
    /// The maximum number of severities and acceptances in all files together.
    private static let maximumDecisions = 10_000
    /// The maximum number of failures. After that, no further contradictions are searched for, because there is no
    /// verdict anyway.
    private static let maximumFailures = 100

    /// An empty set of policies.
    package static let none = PolicySet()

    private init() {
        folder = nil
        print = { _ in }
    }

    /// Reads the policies of a folder by running each file once.
    package init(
        reading folder: MarketFolder, rules: [String]? = nil, print: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.folder = folder
        let budget = budget
        self.print = { text in if let shown = budget.shown(text) { print(shown) } }
        let files: [String]
        do {
            files = try folder.fileIDs().filter { !$0.hasSuffix("_test") }.map { "\($0).lua" }
        } catch {
            failures = [Finding(.policyFailed, at: nil, "cannot read the policies: \(error)")]
            return
        }
        var declarations: [PolicyModule.Contents] = []
        var decisions = 0
        for file in files {
            if let exhausted = budget.exhausted {
                failures.append(Self.exhausted(exhausted))
                break
            }
            do throws(ScriptFailure) {
                let run = PolicyRun(folder: folder, budget: budget, print: self.print)
                let contents = try run.declarations(of: file)
                decisions += contents.severities.count + contents.acceptances.count
                guard decisions <= Self.maximumDecisions else {
                    failures.append(
                        Finding(
                            .policyFailed, at: SourcePosition(file: "\(folder.path)/\(file)", line: 1),
                            subject: "decisions",
                            "the policies of a project may have at most \(Self.maximumDecisions.grouped) "
                                + "severities and accepts together, and this file exceeds that number",
                            hint: "remove accepts that are no longer needed"))
                    break
                }
                declarations.append(contents)
            } catch {
                failures.append(Finding(error))
            }
        }
        let all = declarations.flatMap(\.policies)
        var places: [String: SourcePosition] = [:]
        for policy in all {
            guard failures.count < Self.maximumFailures else { break }
            if let first = places[policy.name] {
                failures.append(
                    Finding(
                        .policyFailed, at: policy.position, subject: "duplicate \(policy.name)",
                        Self.duplicate(policy.name, first)))
                continue
            }
            places[policy.name] = policy.position
            if FindingCode(rawValue: policy.name) != nil || rules?.contains(policy.name) == true {
                failures.append(
                    Finding(
                        .policyFailed, at: policy.position, subject: "name \(policy.name)",
                        "\(policy.name.quotedForMessage) is the name of a built-in rule",
                        hint: "give the policy another name"))
                continue
            }
            guard policies.count < Self.maximumPolicies else {
                failures.append(
                    Finding(
                        .policyFailed, at: policy.position, subject: "count",
                        "a project may have at most \(Self.maximumPolicies.grouped) policies",
                        hint: "combine related policies"))
                break
            }
            policies.append(policy)
        }
        policies.sort { $0.name < $1.name }
        acceptances = declarations.flatMap(\.acceptances).sorted { $0.position < $1.position }
        let known = FindingCode.allCases.map(\.rawValue) + (rules ?? []) + all.map(\.name)
        let names = Set(known)
        for (rule, severity, position) in declarations.flatMap(\.severities) {
            guard failures.count < Self.maximumFailures else { break }
            // The rules of `review` have a dot in their names. If those rules are not given, such a name cannot be
            // checked.
            guard names.contains(rule) || rules == nil && rule.contains(".") else {
                if let note = Finding(ofRetiredRule: rule, in: "severity", at: position) {
                    notes.append(note)
                    continue
                }
                failures.append(
                    Finding(
                        .policyFailed, at: position, subject: "rule \(rule)",
                        "there is no rule \(rule.quotedForMessage)",
                        advice: Advice.nearest(to: rule, in: known) ?? Advice(nil)))
                continue
            }
            guard severities.updateValue(severity, forKey: rule) == nil else {
                failures.append(
                    Finding(
                        .policyFailed, at: position, subject: "severity \(rule)",
                        "the severity of \(rule.quotedForMessage) is already set",
                        hint: "set it in one place"))
                continue
            }
        }
        failures = failures.sortedByPosition()
    }

    /// The text of one of the policy files.
    package func text(of file: String) -> [UInt8] {
        guard let folder, let name = folder.name(of: file) else { return [] }
        return (try? folder.read(include: name, limit: PolicyRun.limits.sourceSize).bytes) ?? []  // has a finding
    }

    /// The message of the error for two policies with the same name.
    static func duplicate(_ name: String, _ first: SourcePosition) -> String {
        "a policy \(name.quotedForMessage) is already declared at \(first); rename one of them"
    }

    /// Disables policies, so that one that never returns costs its time limit once rather than for every market.
    package mutating func leaveOut(_ names: Set<String>) { policies.removeAll { names.contains($0.name) } }

    /// Whether there are no policies, no acceptances, no severities and no failures.
    package var isEmpty: Bool { policies.isEmpty && acceptances.isEmpty && severities.isEmpty && failures.isEmpty }

    /// Runs the policies for markets on a market, in its situation and in others that show other values. A denial is
    /// reported once: for the market's own situation if it occurs there, otherwise for the first one that has it.
    ///
    /// - Parameter fixed: The attributes that every situation keeps.
    package func verdict(
        on market: Market, keeping fixed: MarketContext = MarketContext(), within time: Duration? = nil,
        interruption: LoadCancellation? = nil
    ) -> Verdict {
        let asked = policies.filter { $0.subject == .market }
        guard !asked.isEmpty else { return Verdict() }
        var verdict = Verdict()
        let subject: ScriptValue
        do throws(WorkBudget.Exceeded) {
            subject = try market.policySubject(workBudget: WorkBudget(partOf: account))
        } catch {
            verdict.failures = [
                Finding(
                    .policyFailed, at: market.source.position, subject: market.id,
                    "the policies did not run for \(market.id): \(error)")
            ]
            return verdict
        }
        // A caller that passes a time, such as a test, gets a budget of its own.
        let own = time.map { PolicyBudget(cpuTime: min($0, PolicyBudget.cpuTime)) }
        var known: Set<DenialIdentity> = []
        for denial in denials(of: asked, about: [subject], own ?? budget, interruption, into: &verdict) {
            known.insert(DenialIdentity(policy: denial.policy.name, denial: denial.denial))
            verdict.findings.append(market.finding(of: denial.denial, by: denial.policy))
        }
        if market.dependsOnSituation {
            judgeSituations(
                of: market, by: asked, subject, keeping: fixed, own ?? situationBudget, interruption, known: &known,
                into: &verdict)
        }
        verdict.findings = verdict.findings.withLines(of: market.origin.files)
            .withPlacesAndFixes(in: market.origin.files, budget: .unlimited).sortedByPosition()
        return verdict
    }

    /// What two denials of a market in different situations have in common.
    private struct DenialIdentity: Hashable {
        let policy: String
        let denial: PolicyDenial
    }

    /// Runs policies on a market in other situations than its own.
    private func judgeSituations(
        of market: Market, by asked: [Policy], _ subject: ScriptValue, keeping fixed: MarketContext,
        _ budget: PolicyBudget, _ interruption: LoadCancellation?, known: inout Set<DenialIdentity>,
        into verdict: inout Verdict
    ) {
        let workBudget = WorkBudget(partOf: account)
        do {
            let witnesses = try market.witnesses(keeping: fixed, budget: workBudget)
            var subjects = [subject]
            for context in witnesses.contexts {
                // A check reports what is wrong with a market in a situation.
                guard let other = try? market.with(context) else { continue }
                let subject = try other.policySubject(workBudget: workBudget)
                guard !subjects.contains(subject) else { continue }
                subjects.append(subject)
                // A policy that failed in one situation has no verdict anyway.
                let asked = asked.filter { [failed = verdict.failed] in !failed.contains($0.name) }
                guard !asked.isEmpty else { return }
                var inner = Verdict()
                // What a policy prints was printed for the market's own situation.
                let denied = denials(of: asked, about: [subject], budget, isQuiet: true, interruption, into: &inner)
                verdict.cpuTime += inner.cpuTime
                if let exhausted = budget.exhausted {
                    // One note, regardless of the number of markets and situations that remain.
                    if budget.isFirstReport() {
                        verdict.notes.append(market.note(exhausted + ", so that they did not run in every situation"))
                    }
                    return
                }
                verdict.failed.formUnion(inner.failed)
                verdict.failures += inner.failures.map { $0.occurring(in: context) }
                for denial in denied {
                    let identity = DenialIdentity(policy: denial.policy.name, denial: denial.denial)
                    guard known.insert(identity).inserted else { continue }
                    verdict.findings.append(
                        other.finding(of: denial.denial, by: denial.policy).occurring(in: context))
                }
            }
            if !witnesses.isComplete {
                verdict.notes.append(
                    market.note("the policies ran in \(subjects.count) situations, and values differ in more"))
            }
        } catch {
            verdict.notes.append(market.note("the policies did not run in every situation: \(error)"))
        }
    }

    /// Runs the policies for changes.
    package func verdict(
        onChanges changes: [ScriptValue], within time: Duration? = nil
    ) -> (denials: [(change: Int, policy: Policy, denial: PolicyDenial)], failures: [Finding]) {
        let asked = policies.filter { $0.subject == .change }
        guard !asked.isEmpty, !changes.isEmpty else { return ([], []) }
        var verdict = Verdict()
        let own = time.map { PolicyBudget(cpuTime: min($0, PolicyBudget.cpuTime)) }
        let denials = denials(of: asked, about: changes, own ?? budget, nil, into: &verdict).map {
            (change: $0.denial.subject, policy: $0.policy, denial: $0.denial)
        }
        return (
            denials.sorted {
                ($0.change, $0.policy.name, $0.denial.path?.description ?? "", $0.denial.text)
                    < ($1.change, $1.policy.name, $1.denial.path?.description ?? "", $1.denial.text)
            }, verdict.failures.sortedByPosition()
        )
    }

    private func denials(
        of policies: [Policy], about subjects: [ScriptValue], _ budget: PolicyBudget, isQuiet: Bool = false,
        _ interruption: LoadCancellation?, into verdict: inout Verdict
    ) -> [(policy: Policy, denial: PolicyDenial)] {
        guard let folder else { return [] }
        budget.beginVerdict()
        let before = budget.timeLeft
        var all: [(policy: Policy, denial: PolicyDenial)] = []
        for (file, policies) in Dictionary(grouping: policies, by: \.file).sorted(by: { $0.key < $1.key }) {
            var run = PolicyRun(folder: folder, budget: budget, print: print)
            if isQuiet { run.print = { _ in } }
            run.interruption = interruption
            let answers = run.ask(policies, of: file, about: subjects)
            for answer in answers {
                switch answer.result {
                case .success(let denials): all += denials.map { (answer.policy, $0) }
                case .failure(let failure):
                    verdict.failures.append(Finding(failure, of: answer.policy))
                    verdict.failed.insert(answer.policy.name)
                }
            }
        }
        // One finding for all policies that did not run, regardless of their number.
        if let exhausted = budget.exhausted {
            verdict.failures.append(Self.exhausted(exhausted))
            verdict.failed.formUnion(policies.map(\.name))
        }
        verdict.cpuTime += before - budget.timeLeft
        return all
    }

    /// The finding for the exceeded budget of a command's policies.
    private static func exhausted(_ sentence: String) -> Finding {
        Finding(
            .policyFailed, at: nil, subject: "budget", sentence,
            hint: "make the policies faster, or check less at a time: policies that did not run have no verdict")
    }

    /// A copy of the policies with a new budget, for a caller that runs them for as long as a user works.
    package var renewed: PolicySet {
        var set = self
        set.budget = PolicyBudget()
        set.situationBudget = PolicyBudget()
        return set
    }

    /// Applies the severity override for a finding. An error of a market remains an error, because the market cannot be
    /// used.
    package func judged(_ finding: Finding) -> Finding {
        guard let severity = severities[finding.rule], finding.severity != .error || finding.policy != nil else {
            return finding
        }
        var finding = finding
        finding.severity = severity.ofFinding
        return finding
    }
}

extension Market {
    /// The market as it is passed to a policy.
    func policySubject(workBudget: WorkBudget) throws(WorkBudget.Exceeded) -> ScriptValue {
        let config = try effective(at: ConfigurationPath(), spending: workBudget, on: .listing)
        var fields: [String: ScriptValue] = [
            "id": .string(id), "name": .string(definition.name),
            "config": config.map { ScriptValue($0.value) } ?? .map([:]),
            "routes": .list(
                try routes(budget: workBudget).map { route in
                    .map(["routable": .string(route.routable), "pattern": .string(route.pattern)])
                }),
        ]
        if let base = definition.extends { fields["extends"] = .string(base) }
        return .map(fields)
    }

    /// The note that policies did not run in every situation.
    fileprivate func note(_ message: String) -> Finding {
        Finding(
            .tooManySituations, severity: .note, at: source.position, subject: "policies \(id)", message,
            hint: "run the policies in another situation with --context")
    }

    /// The finding for a denial, at the position of its key or of the nearest enclosing value that a file sets.
    fileprivate func finding(of denial: PolicyDenial, by policy: Policy) -> Finding {
        var elements = denial.path?.elements ?? []
        var position = source.node(at: ConfigurationPath(elements))?.position
        while position == nil, !elements.isEmpty {
            elements.removeLast()
            let node = source.node(at: ConfigurationPath(elements))
            position = node?.keyPosition ?? node?.position
        }
        var finding = Finding(
            .policy, severity: policy.severity.ofFinding, at: position ?? source.position,
            path: denial.path ?? ConfigurationPath(), denial.text)
        finding.policy = policy.name
        finding.hint =
            "denied by \(policy.name.quotedForMessage), \(policy.position); its fingerprint is \(finding.fingerprint)"
        return finding
    }
}

extension Finding {
    /// The finding with a situation that has the problem.
    fileprivate func occurring(in situation: MarketContext) -> Finding {
        var finding = self
        finding.situation = situation
        return finding
    }

    /// The finding for a policy file, or a policy, that failed to run.
    fileprivate init(_ failure: ScriptFailure, of policy: Policy? = nil) {
        self.init(
            .policyFailed, at: failure.place ?? policy?.position, failure.message, hint: failure.hint)
        line = failure.line
        traceback = failure.traceback
    }
}
