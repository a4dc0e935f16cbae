import GlassBase
public import GlassPlatform

/// Gives every error the kind that a test wants, and keeps what it gave.
public final class ErrorCoordinatorProducingMock: ErrorCoordinatorProducing {
    private let kind: @Sendable (any Error) -> ErrorKind
    private let made = Lock<[CoordinatedError]>([])

    /// Creates a mock.
    ///
    /// - Parameter kind: The kind of an error that does not know its own.
    public init(kind: @escaping @Sendable (any Error) -> ErrorKind = { _ in .unknown }) {
        self.kind = kind
    }

    /// The errors so far, oldest first.
    public var coordinated: [CoordinatedError] { made.withLock { $0 } }

    /// Says what an error means to the user.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - feature: The feature that it happened in.
    ///   - retry: Does again what failed.
    /// - Returns: The error with text, recovery and retry action.
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
