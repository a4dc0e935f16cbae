import GlassBase
import GlassSchema

/// The reasons that a ``ShowRoutable`` cannot be created: all problems at once.
package struct ShowRoutableError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A problem.
    package enum Issue: Equatable, Sendable, CustomStringConvertible {
        /// A parameter's text is not a valid template.
        case template(LinkTemplateError, parameter: String)
        /// A template refers to a path parameter that no pattern has; `names` are the ones that exist.
        case unknownName(String, parameter: String, names: [String])
        /// A required parameter is not shown; `names` are those that are. Every link would be declined.
        case unknownRequirement(String, names: [String])
        /// There are more parameters than ``ShowRoutable/parameterLimit``.
        case tooManyParameters(Int)
        /// There are parameters, but no screen.
        case parametersWithoutScreen
        /// Neither a tab nor a screen is set.
        case nothingToShow

        /// A description of the problem and its fix.
        package var description: String {
            switch self {
            case .template(let error, let parameter):
                "parameter \(parameter.quotedForMessage): \(error)"
            case .unknownName(let name, let parameter, let names):
                "parameter \(parameter.quotedForMessage): no pattern has a parameter \(name.quotedForMessage); "
                    + (Issue.correction(of: name, among: names) ?? "write {?\(name)} for a query item")
            case .unknownRequirement(let name, let names):
                "requires \(name.quotedForMessage), but no shown parameter has this name; "
                    + (Issue.correction(of: name, among: names) ?? "add it to the parameters, or remove it here")
            case .tooManyParameters(let count):
                "\(count) parameters exceed the limit of \(ShowRoutable.parameterLimit) for a screen; use fewer"
            case .parametersWithoutScreen:
                "parameters have no effect without a screen; add a screen, or remove them"
            case .nothingToShow:
                "neither a tab nor a screen is set; set one"
            }
        }

        private static func correction(of name: String, among names: [String]) -> String? {
            Suggestion.nearest(to: name, in: names).map { "did you mean \($0.quotedForMessage)?" }
        }
    }

    /// The id of the routable.
    package let routableID: String

    /// The problems: first those of the parameters, by name.
    package let issues: [Issue]

    /// One problem per line.
    package var description: String {
        issues.map { "\(routableID): \($0)" }.joined(separator: "\n")
    }
}
