import GlassMarkets
package import GlassSchema

/// Turns errors into what a user can be told and do, and reports them.
public protocol ErrorCoordinatorProducing: AnyObject, Sendable {
    /// Says what an error means to the user, and reports it to analytics.
    ///
    /// A cancellation is not reported. An error that was coordinated before is returned as it is, and not reported again.
    /// - Parameters:
    ///   - error: The error.
    ///   - feature: The feature that it happened in, such as `cart`.
    ///   - retry: Does again what failed.
    /// - Returns: The error with text, recovery and retry action.
    func coordinate(
        _ error: any Error, feature: String, retry: (@Sendable () async throws -> Void)?
    ) -> CoordinatedError

    /// What a user reads about a kind of error.
    ///
    /// - Parameter kind: The kind.
    /// - Returns: The text.
    func text(for kind: ErrorKind) -> ErrorText
}

extension ErrorCoordinatorProducing {
    /// Says what an error means to the user where nothing can be done again, and reports it to analytics.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - feature: The feature that it happened in.
    /// - Returns: The error with text and recovery.
    public func coordinate(_ error: any Error, feature: String) -> CoordinatedError {
        coordinate(error, feature: feature, retry: nil)
    }

    /// The kinds, their texts, and reporting an error of a script's own.
    package var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("kinds", [], "The kinds of errors.") { _ in
                .list(ErrorKind.allCases.map { .string($0.rawValue) })
            },
            ScriptMethod("text", ["kind"], "What a user reads about a kind of error, and what may help.") { arguments in
                let kind = try arguments.errorKind(0, method: "text")
                let text = self.text(for: kind)
                return [
                    "title": .string(text.title), "message": .string(text.message),
                    "recovery": .string(kind.recovery.rawValue),
                ]
            },
            ScriptMethod("report", ["feature", "message", "kind?"], "Coordinates and reports an error.", keeps: true) {
                arguments in
                let kind = arguments[2] == .nil ? nil : try arguments.errorKind(2, method: "report")
                let error = ScriptReportedError(message: try arguments.string(1, "message"), errorKind: kind)
                let coordinated = self.coordinate(error, feature: try arguments.string(0, "feature"))
                if let failure = coordinated.reportFailure { throw failure }
                return [
                    "kind": .string(coordinated.kind.rawValue), "title": .string(coordinated.text.title),
                    "message": .string(coordinated.text.message), "recovery": .string(coordinated.recovery.rawValue),
                    "reference": .string(coordinated.reference), "description": .string(coordinated.description),
                ]
            },
        ]
    }
}

/// An error that a script reports.
struct ScriptReportedError: ErrorAdviceProviding, CustomStringConvertible {
    let message: String
    let errorKind: ErrorKind?

    var description: String { message }
}

extension ScriptArguments {
    fileprivate func errorKind(_ index: Int, method: String) throws(ScriptArgumentError) -> ErrorKind {
        let name = try string(index, "kind")
        guard let kind = ErrorKind(rawValue: name) else {
            throw ScriptArgumentError(
                method: method, parameter: "kind", expected: "one of kinds()", found: name.quotedForMessage)
        }
        return kind
    }
}
