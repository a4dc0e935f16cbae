package import GlassBase

/// Builds the contents of a route table, or reports all problems of the routes.
struct RouteTableAssembly {
    private let declarations: [RouteDeclaration]
    private let limits: DeepLinkLimits
    private let budget: WorkBudget
    private var issues: [RouteTableError.Issue] = []
    private var issueCount = 0

    init(_ declarations: [RouteDeclaration], _ limits: DeepLinkLimits, _ budget: WorkBudget) {
        self.declarations = declarations
        self.limits = limits
        self.budget = budget
    }

    /// The routes, or the problems.
    consuming func routes() throws(WorkBudget.Exceeded) -> Result<FrozenRoutes, RouteTableError> {
        var assembly = self
        return try assembly.build()
    }

    private mutating func build() throws(WorkBudget.Exceeded) -> Result<FrozenRoutes, RouteTableError> {
        var vocabulary = RouteVocabulary()
        var patterns = [RoutePattern?](repeating: nil, count: declarations.count)
        var forms: [RouteVocabulary.Form] = []
        forms.reserveCapacity(declarations.count)
        for (ordinal, declaration) in declarations.enumerated() {
            // A few bytes of a pattern cost as much as any other step.
            try budget.spend(declaration.pattern.utf8.count / 8 + 4, on: .routes)
            guard let pattern = compiled(declaration) else { continue }
            patterns[ordinal] = pattern
            forms.append(vocabulary.form(of: pattern, ordinal: ordinal))
        }
        let (conflicts, count) = try RouteConflicts.find(
            in: forms, patterns: patterns, vocabulary: vocabulary, most: RouteTableError.issueLimit - issues.count,
            budget: budget)
        issues += conflicts.map { .conflict(declarations[$0.first], declarations[$0.second], witness: $0.witness) }
        issueCount += count

        let builder = RouteTrieBuilder(forms, vocabulary)
        try budget.spend(builder.nodes.count, on: .routes)
        let worst = try RouteWorstCase(builder, budget: budget).solve()
        if worst.visits > RouteTable.visitLimit {
            let visited = worst.routes.sorted().map { declarations[$0] }
            add(
                .tooManyVisits(
                    visits: worst.visits, limit: RouteTable.visitLimit, witness: worst.link, visited))
        }
        guard issues.isEmpty else {
            return .failure(RouteTableError(issues: issues, omittedCount: issueCount - issues.count))
        }
        let compiled = patterns.compactMap(\.self)
        return .success(
            FrozenRoutes(declarations, compiled, RouteTrie(builder, patterns: compiled), worst))
    }

    /// The pattern of a declaration, or `nil` with an issue.
    private mutating func compiled(_ declaration: RouteDeclaration) -> RoutePattern? {
        do {
            let pattern = try RoutePattern(declaration.pattern)
            guard pattern.segments.count > limits.segments else { return pattern }
            add(.unreachable(declaration, segments: pattern.segments.count, limit: limits.segments))
        } catch {
            add(.pattern(declaration, error))
        }
        return nil
    }

    private mutating func add(_ issue: RouteTableError.Issue) {
        issueCount += 1
        if issues.count < RouteTableError.issueLimit { issues.append(issue) }
    }
}

extension WorkBudget {
    /// The budget for routes that an app itself declares: far more than any table needs, but finite.
    package static var forOwnRoutes: WorkBudget {
        let work = Dictionary(uniqueKeysWithValues: Phase.allCases.map { ($0, 2_000_000_000) })
        return WorkBudget(cpuTime: .seconds(60), bytes: .max, work: work, steps: .max)
    }
}
