import GlassMarkets
package import GlassSchema

/// Turns errors into texts and recovery actions for the user, and reports them.
public protocol ErrorCoordinatorProducing: AnyObject, Sendable {
    /// Explains an error to the user, and reports it to analytics.
    ///
    /// A cancellation is not reported. An error that was already coordinated is returned unchanged, and not reported
    /// again.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - feature: The feature in which it occurred, such as `cart`.
    ///   - retry: Retries the failed operation.
    /// - Returns: The error with its text, recovery, and retry action.
    func coordinate(
        _ error: any Error, feature: String, retry: (@Sendable () async throws -> Void)?
    ) -> CoordinatedError

    /// The text for a kind of error.
    ///
    /// - Parameter kind: The kind.
    /// - Returns: The text.
    func text(for kind: ErrorKind) -> ErrorText
}

extension ErrorCoordinatorProducing {
    /// Explains to the user an error that cannot be retried, and reports it to analytics.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - feature: The feature in which it occurred.
    /// - Returns: The error with its text and recovery.
    public func coordinate(_ error: any Error, feature: String) -> CoordinatedError {
        coordinate(error, feature: feature, retry: nil)
    }

    /// The script methods for the kinds and their texts, and for reporting an error of the script itself.
    package var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("kinds", [], "The kinds of errors.") { _ in
                .list(ErrorKind.allCases.map { .string($0.rawValue) })
            },
            ScriptMethod("text", ["kind"], "The text for a kind of error, and the recovery.") { arguments in
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
