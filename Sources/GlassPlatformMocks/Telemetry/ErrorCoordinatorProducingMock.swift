import GlassBase
public import GlassPlatform

/// Assigns each error the kind that a test chooses, and records the results.
public final class ErrorCoordinatorProducingMock: ErrorCoordinatorProducing {
    private let kind: @Sendable (any Error) -> ErrorKind
    private let made = Lock<[CoordinatedError]>([])

    /// Creates a mock.
    ///
    /// - Parameter kind: Returns the kind of an error that does not provide one.
    public init(kind: @escaping @Sendable (any Error) -> ErrorKind = { _ in .unknown }) {
        self.kind = kind
    }

    /// The errors so far, oldest first.
    public var coordinated: [CoordinatedError] { made.withLock { $0 } }

    /// Explains an error to the user.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - feature: The feature in which it occurred.
    ///   - retry: Retries the failed operation.
    /// - Returns: The error with its text, recovery, and retry action.
    public func coordinate(
        _ error: any Error, feature: String, retry: (@Sendable () async throws -> Void)?
    ) -> CoordinatedError {
        if let error = error as? CoordinatedError { return error }
        let kind = (error as? any ErrorAdviceProviding)?.errorKind ?? kind(error)
        let result = CoordinatedError(kind: kind, feature: feature, cause: error, retry: retry)
        made.withLock { $0.append(result) }
        return result
    }

    /// The English text.
    ///
    /// - Parameter kind: The kind.
    /// - Returns: The text.
    public func text(for kind: ErrorKind) -> ErrorText { kind.text }
}
