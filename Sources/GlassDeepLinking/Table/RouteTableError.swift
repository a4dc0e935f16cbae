package import GlassBase
import GlassSchema

/// Everything that is wrong with a set of routes.
///
/// A table is built whole or not at all, and one attempt reports every problem, or of very many the first hundred.
public struct RouteTableError: Error, Equatable, Sendable, CustomStringConvertible {
    /// One problem. Each names the declarations it concerns.
    public enum Issue: Equatable, Sendable, CustomStringConvertible {
        /// A text that is no pattern.
        case pattern(RouteDeclaration, RoutePatternError)

        /// A pattern with more segments than any link may have.
        case unreachable(RouteDeclaration, segments: Int, limit: Int)

        /// Two patterns of equal rank that match the same link. The witness is such a link without scheme.
        case conflict(RouteDeclaration, RouteDeclaration, witness: String)

        /// A link that makes the search visit too many nodes, and the patterns that it visits.
        case tooManyVisits(visits: Int, limit: Int, witness: String, [RouteDeclaration])

        /// The table takes more work than it may. The text says which part of it, and what ran out.
        case exceeded(String)

        /// The declarations that the problem concerns; of a conflict the earlier one first.
        package var declarations: [RouteDeclaration] {
            switch self {
            case .pattern(let declaration, _), .unreachable(let declaration, _, _): [declaration]
            case .conflict(let first, let second, _): [first, second]
            case .tooManyVisits(_, _, _, let declarations): declarations
            case .exceeded: []
            }
        }

        /// What is wrong, where, and what to do about it.
        public var description: String {
            switch self {
            case .pattern(let declaration, let error):
                return "\(declaration.routableID): \(error)"
            case .unreachable(let declaration, let segments, let limit):
                return "\(declaration.routableID): pattern \"\(declaration.pattern)\" has \(segments) segments, "
                    + "and a link has at most \(limit); shorten it"
            case .conflict(let first, let second, let witness):
                return "\(second.routableID): pattern \"\(second.pattern)\" clashes with \"\(first.pattern)\" of "
                    + "\(first.routableID): both match \"\(witness)\" with equal rank; change or remove one"
            case .tooManyVisits(let visits, let limit, let witness, let declarations):
                let named = declarations.prefix(3).map { "\"\($0.pattern)\" of \($0.routableID)" }
                let rest = declarations.count > 3 ? " and \(declarations.count - 3) more" : ""
                return "matching \"\(witness)\" visits \(visits) nodes, and the limit is \(limit); give fewer "
                    + "alternatives at the same place: \(named.joined(separator: ", "))\(rest)"
            case .exceeded(let text):
                return "\(text); write fewer or simpler patterns"
            }
        }
    }

    /// The most problems that one error names.
    package static let issueLimit = 100

    /// The problems, in the order of the declarations; the first ``issueLimit``.
    public let issues: [Issue]

    /// How many more there are.
    package let omittedCount: Int

    /// What ran out, where the only issue is ``Issue/exceeded(_:)``.
    package let exceeded: WorkBudget.Exceeded?

    /// Creates an error.
    package init(issues: [Issue], omittedCount: Int = 0) {
        self.issues = issues
        self.omittedCount = omittedCount
        exceeded = nil
    }

    /// Creates the error of a table that takes more work than it may.
    package init(_ exceeded: WorkBudget.Exceeded) {
        issues = [.exceeded(exceeded.description)]
        omittedCount = 0
        self.exceeded = exceeded
    }

    /// One problem a line, and how many more there are.
    public var description: String {
        (issues.map(\.description) + (omittedCount > 0 ? ["and \(omittedCount) more"] : [])).joined(separator: "\n")
    }
}
