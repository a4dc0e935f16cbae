import GlassBase
import GlassSchema

/// Why a ``ShowRoutable`` cannot be made: all problems at once.
package struct ShowRoutableError: Error, Equatable, Sendable, CustomStringConvertible {
    /// One problem.
    package enum Issue: Equatable, Sendable, CustomStringConvertible {
        /// A parameter's text is no template.
        case template(LinkTemplateError, parameter: String)
        /// A template names a path parameter that no pattern has; these are the names that they have.
        case unknownName(String, parameter: String, names: [String])
        /// A required parameter is none of those that are shown, which have these names: every link would be declined.
        case unknownRequirement(String, names: [String])
        /// More parameters than ``ShowRoutable/parameterLimit``.
        case tooManyParameters(Int)
        /// Parameters, and no screen to show with them.
        case parametersWithoutScreen
        /// Neither a tab nor a screen.
        case nothingToShow

        /// What is wrong, and what to do about it.
        package var description: String {
            switch self {
            case .template(let error, let parameter):
                "parameter \(parameter.quotedForMessage): \(error)"
            case .unknownName(let name, let parameter, let names):
                "parameter \(parameter.quotedForMessage): no pattern has a parameter \(name.quotedForMessage); "
                    + (Issue.correction(of: name, among: names) ?? "write {?\(name)} for a query item")
            case .unknownRequirement(let name, let names):
                "requires \(name.quotedForMessage), and no parameter that is shown has this name; "
                    + (Issue.correction(of: name, among: names) ?? "add it to the parameters, or remove it here")
            case .tooManyParameters(let count):
                "\(count) parameters, and a screen is shown with at most \(ShowRoutable.parameterLimit); use fewer"
            case .parametersWithoutScreen:
                "parameters without a screen are shown nowhere; add a screen, or remove them"
            case .nothingToShow:
                "neither a tab nor a screen; write one"
            }
        }

        private static func correction(of name: String, among names: [String]) -> String? {
            Suggestion.nearest(to: name, in: names).map { "did you mean \($0.quotedForMessage)?" }
        }
    }

    /// The id of the routable.
    package let routableID: String

    /// The problems: those of the parameters by name, then the others.
    package let issues: [Issue]

    /// Creates an error.
    package init(routableID: String, issues: [Issue]) {
        self.routableID = routableID
        self.issues = issues
    }

    /// One problem a line.
    package var description: String {
        issues.map { "\(routableID): \($0)" }.joined(separator: "\n")
    }
}
