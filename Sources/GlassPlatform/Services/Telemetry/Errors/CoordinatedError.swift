import Foundation
public import GlassMarkets

/// An error with a text for the user and a way to recover.
///
/// Its description is safe to show and to log: URLs have no query, and there are no secrets. ``cause`` is the
/// unmodified error.
public struct CoordinatedError: Error, Sendable {
    /// The kind of error.
    public let kind: ErrorKind
    /// The text for the user.
    public let text: ErrorText
    /// The action that may resolve the error.
    public let recovery: ErrorRecovery
    /// The feature in which it occurred.
    public let feature: String
    /// The reference that the user can give to support. Analytics also receives it.
    public let reference: String
    /// The original error.
    public let cause: any Error
    /// The error and its causes, outermost first and redacted.
    public let details: [String]
    /// Retries the failed operation; `nil` if that cannot help or no retry was provided.
    public let retry: (@Sendable () async throws -> Void)?
    /// The reason why analytics did not store the report; `nil` if it did, or if there was nothing to report.
    public let reportFailure: AnalyticsError?

    init(
        kind: ErrorKind, text: ErrorText, feature: String, reference: String, cause: any Error, details: [String],
        retry: (@Sendable () async throws -> Void)?, reportFailure: AnalyticsError?
    ) {
        self.kind = kind
        self.text = text
        self.recovery = kind.recovery
        self.feature = feature
        self.reference = reference
        self.cause = cause
        self.details = details
        self.retry = kind.recovery.allowsRetry ? retry : nil
        self.reportFailure = reportFailure
    }

    /// Creates an error as a coordinator would, for tests and previews.
    ///
    /// - Parameters:
    ///   - kind: The kind of error.
    ///   - feature: The feature in which it occurred.
    ///   - cause: The original error.
    ///   - retry: Retries the failed operation.
    public init(
        kind: ErrorKind, feature: String, cause: any Error, retry: (@Sendable () async throws -> Void)? = nil
    ) {
        self.init(
            kind: kind, text: kind.text, feature: feature, reference: "00000000", cause: cause,
            details: ErrorChain.errors(from: cause).map { Redactor().redact("\($0)") }, retry: retry,
            reportFailure: nil)
    }
}

extension CoordinatedError: DescriptiveError {
    /// The redacted description, such as `cart: You are offline [1A2B3C4D]: …`.
    public var description: String {
        "\(feature): \(text.title) [\(reference)]: " + details.joined(separator: "; caused by ")
    }

    /// The title of ``text``: alerts show the text for the user, and logs show the description.
    public var errorDescription: String? { text.title }

    /// The message of ``text``.
    public var recoverySuggestion: String? { text.message }
}
