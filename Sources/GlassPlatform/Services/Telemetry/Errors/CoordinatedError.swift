import Foundation
public import GlassMarkets

/// An error together with what the user can be told about it and do about it.
///
/// Its description is safe to show and to log: URLs without query, no secrets. ``cause`` is the error itself, untouched.
public struct CoordinatedError: Error, Sendable {
    /// What kind of trouble it is.
    public let kind: ErrorKind
    /// What the user reads.
    public let text: ErrorText
    /// What may help.
    public let recovery: ErrorRecovery
    /// The feature that it happened in.
    public let feature: String
    /// What the user can tell support; analytics carries it too.
    public let reference: String
    /// The error itself.
    public let cause: any Error
    /// The error and its causes, outermost first, redacted.
    public let details: [String]
    /// Does again what failed; nil when that cannot help or nobody said how.
    public let retry: (@Sendable () async throws -> Void)?
    /// Why analytics did not keep the report; nil when it did, or when there was nothing to report.
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
    ///   - kind: What kind of trouble it is.
    ///   - feature: The feature that it happened in.
    ///   - cause: The error itself.
    ///   - retry: Does again what failed.
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
    /// `cart: You are offline [1A2B3C4D]: …`, redacted.
    public var description: String {
        "\(feature): \(text.title) [\(reference)]: " + details.joined(separator: "; caused by ")
    }

    /// The title of ``text``: an alert shows what is meant for the user, a log the description.
    public var errorDescription: String? { text.title }

    /// The message of ``text``.
    public var recoverySuggestion: String? { text.message }
}
