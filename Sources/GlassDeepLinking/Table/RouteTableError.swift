package import GlassBase
import GlassSchema

/// All problems of a set of routes.
///
/// A table is built completely or not at all. One attempt reports all problems, limited to the first hundred.
public struct RouteTableError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A problem, with the declarations that it concerns.
    public enum Issue: Equatable, Sendable, CustomStringConvertible {
        /// The text is not a valid pattern.
        case pattern(RouteDeclaration, RoutePatternError)

        /// A pattern has more segments than any link may have.
        case unreachable(RouteDeclaration, segments: Int, limit: Int)

        /// Two patterns of equal rank match the same link, for example `witness`, a link without scheme.
        case conflict(RouteDeclaration, RouteDeclaration, witness: String)

        /// A link makes the search visit too many nodes; includes the patterns that it visits.
        case tooManyVisits(visits: Int, limit: Int, witness: String, [RouteDeclaration])

        /// The table exceeds its budget. The string describes the phase and the limit.
        case exceeded(String)

        /// The declarations that the problem concerns; for a conflict, the earlier one first.
        package var declarations: [RouteDeclaration] {
            switch self {
            case .pattern(let declaration, _), .unreachable(let declaration, _, _): [declaration]
            case .conflict(let first, let second, _): [first, second]
            case .tooManyVisits(_, _, _, let declarations): declarations
            case .exceeded: []
            }
        }

        /// A description of the problem, its position and its fix.
        public var description: String {
            switch self {
            case .pattern(let declaration, let error):
                return "\(declaration.routableID): \(error)"
            case .unreachable(let declaration, let segments, let limit):
                return "\(declaration.routableID): pattern \"\(declaration.pattern)\" has \(segments) segments, "
                    + "but a link may have at most \(limit); shorten it"
            case .conflict(let first, let second, let witness):
                return "\(second.routableID): pattern \"\(second.pattern)\" conflicts with \"\(first.pattern)\" of "
                    + "\(first.routableID): both match \"\(witness)\" with equal rank; change or remove one"
            case .tooManyVisits(let visits, let limit, let witness, let declarations):
                let named = declarations.prefix(3).map { "\"\($0.pattern)\" of \($0.routableID)" }
                let rest = declarations.count > 3 ? " and \(declarations.count - 3) more" : ""
                return "matching \"\(witness)\" visits \(visits) nodes, but the limit is \(limit); use fewer "
                    + "alternatives in the same position: \(named.joined(separator: ", "))\(rest)"
            case .exceeded(let text):
                return "\(text); use fewer or simpler patterns"
            }
        }
    }

    /// The maximum number of problems in an error.
    package static let issueLimit = 100

    /// The problems in the order of the declarations, at most 100 of them.
    public let issues: [Issue]

    /// The number of further problems.
    package let omittedCount: Int

    /// The exceeded budget, if the only issue is ``Issue/exceeded(_:)``.
    package let exceeded: WorkBudget.Exceeded?

    /// Creates an error.
    package init(issues: [Issue], omittedCount: Int = 0) {
        self.issues = issues
        self.omittedCount = omittedCount
        exceeded = nil
    }

    /// Creates the error for a table that exceeds its budget.
    package init(_ exceeded: WorkBudget.Exceeded) {
        issues = [.exceeded(exceeded.description)]
        omittedCount = 0
        self.exceeded = exceeded
    }

    /// One problem per line, and the number of further problems.
    public var description: String {
        (issues.map(\.description) + (omittedCount > 0 ? ["and \(omittedCount) more"] : [])).joined(separator: "\n")
    }
}
