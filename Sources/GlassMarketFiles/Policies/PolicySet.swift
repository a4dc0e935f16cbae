import GlassBase
package import GlassMarkets
package import GlassSchema
import LuaBridge

/// The policies of a project: what it asks of its markets beyond what every market must have.
///
/// They are the files `policies/*.lua` but those that end with `_test.lua`. A file runs with the profile of scripts, without
/// markets and services, and can require files of its folder.
///
/// ```swift
/// let policies = PolicySet(reading: MarketFolder(path: "policies"))
/// let verdict = policies.verdict(on: canada)
/// print(verdict.findings, verdict.failures)
/// ```
package struct PolicySet: Sendable {
    /// What policies say of something.
    package struct Verdict: Sendable {
        /// What they deny, sorted by position.
        package var findings: [Finding] = []
        /// Policies that could not be asked, sorted; without an answer of each there is no verdict.
        package var failures: [Finding] = []
        /// The names of those policies.
        package var failed: Set<String> = []
        /// The processor time that they took.
        package var cpuTime = Duration.zero

        /// Creates a verdict that says nothing.
        package init() {}
    }

    /// Where they are; nil for no policies.
    package let folder: MarketFolder?
    /// The policies that could be read, by name.
    package private(set) var policies: [Policy] = []
    /// What somebody decided to live with.
    package private(set) var acceptances: [PolicyAcceptance] = []
    /// How bad what other rules find is, by the names of the rules.
    package private(set) var severities: [String: PolicySeverity] = [:]
    /// Why files could not be read or contradict each other; then there is no verdict on anything.
    package private(set) var failures: [Finding] = []
    private let print: @Sendable (String) -> Void
    /// What they may use, with all copies of the set.
    private var budget = PolicyBudget()

    /// How many policies a project may have.
    static let maximumPolicies = 1000
    /// How many severities and accepts all of its files may have together.
    private static let maximumDecisions = 10_000
    /// After so many failures, no further contradiction between files is looked for: there is no verdict as it is.
    private static let maximumFailures = 100

    /// No policies.
    package static let none = PolicySet()

    private init() {
        folder = nil
        print = { _ in }
    }

    /// Reads the policies of a folder: runs each file once.
    package init(
        reading folder: MarketFolder, rules: [String]? = nil, print: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.folder = folder
        let budget = budget
        self.print = { text in if let shown = budget.shown(text) { print(shown) } }
        let files: [String]
        do {
            files = try folder.marketIDs().filter { !$0.hasSuffix("_test") }.map { "\($0).lua" }
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
                            "the policies of a project may have \(Self.maximumDecisions.grouped) severities and accepts "
                                + "together, and this file has one more",
                            hint: "remove accepts that are not needed any more"))
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
                        "\(policy.name.quotedForMessage) is the name of a rule of this program",
                        hint: "give the policy another name"))
                continue
            }
            guard policies.count < Self.maximumPolicies else {
                failures.append(
                    Finding(
                        .policyFailed, at: policy.position, subject: "count",
                        "a project may have \(Self.maximumPolicies.grouped) policies, and this is one more",
                        hint: "put what belongs together into one policy"))
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
            // Without the rules of `review`, which have a dot in their names, nothing can be said of those.
            guard names.contains(rule) || rules == nil && rule.contains(".") else {
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
                        "the severity of \(rule.quotedForMessage) is set already",
                        hint: "set it at one place"))
                continue
            }
        }
        failures = failures.sortedByPosition()
    }

    /// The text of one of their files.
    package func text(of file: String) -> [UInt8] {
        guard let folder, let name = folder.name(of: file) else { return [] }
        return (try? folder.read(include: name, limit: PolicyRun.limits.sourceSize).bytes) ?? []  // there is a finding
    }

    /// What the error of two policies with one name says.
    static func duplicate(_ name: String, _ first: SourcePosition) -> String {
        "a policy \(name.quotedForMessage) is declared at \(first) already; give one of them another name"
    }

    /// From now on, does not ask some policies: an endless one takes its second once and not for each of many markets.
    package mutating func leaveOut(_ names: Set<String>) { policies.removeAll { names.contains($0.name) } }

    /// Whether there is nothing to ask and nothing to say.
    package var isEmpty: Bool { policies.isEmpty && acceptances.isEmpty && severities.isEmpty && failures.isEmpty }

    /// Asks the policies for markets about one.
    package func verdict(
        on market: Market, within time: Duration? = nil, interruption: LoadCancellation? = nil
    ) -> Verdict {
        let asked = policies.filter { $0.subject == .market }
        guard !asked.isEmpty else { return Verdict() }
        var verdict = Verdict()
        let subject: ScriptValue
        do throws(WorkBudget.Exceeded) {
            subject = try market.policySubject(workBudget: WorkBudget())
        } catch {
            verdict.failures = [
                Finding(
                    .policyFailed, at: market.source.position, subject: market.id,
                    "the policies were not asked about \(market.id): \(error)")
            ]
            return verdict
        }
        for denial in denials(of: asked, about: [subject], within: time, interruption, into: &verdict) {
            verdict.findings.append(market.finding(of: denial.denial, by: denial.policy))
        }
        verdict.findings = verdict.findings.withLines(of: market.origin.files)
            .withPlaces(in: market.origin.files, budget: .unlimited).sortedByPosition()
        return verdict
    }

    /// Asks the policies for changes.
    package func verdict(
        onChanges changes: [ScriptValue], within time: Duration? = nil
    ) -> (denials: [(change: Int, policy: Policy, denial: PolicyDenial)], failures: [Finding]) {
        let asked = policies.filter { $0.subject == .change }
        guard !asked.isEmpty, !changes.isEmpty else { return ([], []) }
        var verdict = Verdict()
        let denials = denials(of: asked, about: changes, within: time, nil, into: &verdict).map {
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
        of policies: [Policy], about subjects: [ScriptValue], within time: Duration?, _ interruption: LoadCancellation?,
        into verdict: inout Verdict
    ) -> [(policy: Policy, denial: PolicyDenial)] {
        guard let folder else { return [] }
        // Who gives a time has a budget of its own, such as a test.
        let budget = time.map { PolicyBudget(cpuTime: min($0, PolicyBudget.cpuTime)) } ?? budget
        budget.beginVerdict()
        let before = budget.timeLeft
        var all: [(policy: Policy, denial: PolicyDenial)] = []
        for (file, policies) in Dictionary(grouping: policies, by: \.file).sorted(by: { $0.key < $1.key }) {
            var run = PolicyRun(folder: folder, budget: budget, print: print)
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
        // One sentence for all that were not asked, however many they are.
        if let exhausted = budget.exhausted {
            verdict.failures.append(Self.exhausted(exhausted))
            verdict.failed.formUnion(policies.map(\.name))
        }
        verdict.cpuTime += before - budget.timeLeft
        return all
    }

    /// That the policies of a command have used what they have together.
    private static func exhausted(_ sentence: String) -> Finding {
        Finding(
            .policyFailed, at: nil, subject: "budget", sentence,
            hint: "make them faster, or ask for less: what was not asked has no verdict")
    }

    /// The same policies with all that they may use, for somebody who asks for as long as a user works.
    package var renewed: PolicySet {
        var set = self
        set.budget = PolicyBudget()
        return set
    }

    /// How bad a policy says that a finding is. An error of a market stays one: it cannot be used.
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
    /// The market as a policy sees it.
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

    /// A denial at the place of its key, or of the nearest thing around it that a file says.
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
    /// A file of policies, or a policy, that cannot be asked.
    fileprivate init(_ failure: ScriptFailure, of policy: Policy? = nil) {
        self.init(
            .policyFailed, at: failure.place ?? policy?.position, failure.message, hint: failure.hint)
        line = failure.line
        traceback = failure.traceback
    }
}
