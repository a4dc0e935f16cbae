import Foundation
import GlassBase
public import GlassSchema

/// Coordinates errors: determines their kind and reports them to analytics.
///
/// ```swift
/// do {
///     try await cart.load()
/// } catch {
///     let explained = errors.coordinate(error, feature: "cart") { try await cart.load() }
///     show(explained.text, retry: explained.retry)
/// }
/// ```
///
/// The event `error` carries `feature`, `kind`, `type`, `reference`, and the redacted `details`. An error that
/// analytics does not store is logged, so that it is not lost.
public final class ErrorCoordinatorManager: ErrorCoordinatorProducing {
    private let tracking: any AnalyticsTracking
    /// Not constant, because a container's secrets may be registered later.
    private let redactor: @Sendable () -> Redactor
    private let customText: @Sendable (ErrorKind) -> ErrorText?
    private let logger = SafeLogger(label: "glass.errors")

    /// Creates a coordinator.
    ///
    /// - Parameters:
    ///   - tracking: The service that receives the reports.
    ///   - secrets: The secrets that must not appear in reports.
    ///   - text: Returns the text for a kind of error; `nil` uses the English text.
    public init(
        tracking: any AnalyticsTracking, secrets: [Secret] = [],
        text: @escaping @Sendable (ErrorKind) -> ErrorText? = { _ in nil }
    ) {
        self.tracking = tracking
        let redactor = Redactor(secrets: secrets)
        self.redactor = { redactor }
        customText = text
    }

    /// Creates a coordinator that takes what it needs from a container whenever it coordinates an error.
    init(_ container: LateContainer) {
        tracking = LateTracking(container)
        redactor = { Redactor(secrets: container.secrets) }
        customText = { kind in
            ErrorCoordinatorManager.text(
                for: kind, host: container.get(PlatformHost.self)?.telemetry,
                market: container.get(PlatformConfig.self)?.errors)
        }
    }

    /// The program's text for a kind of error, or else the market's.
    static func text(for kind: ErrorKind, host: TelemetryHost?, market: ErrorsConfiguration?) -> ErrorText? {
        host?.errorText(kind) ?? market.map { ErrorText($0[kind].title, $0[kind].message) }
    }

    /// Explains an error to the user, and reports it to analytics.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - feature: The feature in which it occurred.
    ///   - retry: Retries the failed operation.
    /// - Returns: The error with its text, recovery, and retry action.
    public func coordinate(
        _ error: any Error, feature: String, retry: (@Sendable () async throws -> Void)?
    ) -> CoordinatedError {
        if let coordinated = error as? CoordinatedError { return coordinated }
        let chain = ErrorChain.errors(from: error)
        let kind = ErrorChain.kind(of: chain)
        let redactor = redactor()
        let details = chain.map { redactor.redact(String(describing: $0)) }
        let reference = String(UUID().uuidString.prefix(8))
        var failure: AnalyticsError?
        if kind != .cancelled {
            failure = report(kind, feature: feature, type: "\(type(of: error))", reference, details)
        }
        return CoordinatedError(
            kind: kind, text: text(for: kind), feature: feature, reference: reference, cause: error,
            details: details, retry: retry, reportFailure: failure)
    }

    /// The text for a kind of error: the host's, or the English one.
    ///
    /// - Parameter kind: The kind.
    /// - Returns: The text.
    public func text(for kind: ErrorKind) -> ErrorText { customText(kind) ?? kind.text }

    private func report(
        _ kind: ErrorKind, feature: String, type: String, _ reference: String, _ details: [String]
    ) -> AnalyticsError? {
        let event = AnalyticsEvent(
            "error",
            attributes: [
                "feature": .string(feature), "kind": .string(kind.rawValue), "type": .string(type),
                "reference": .string(reference), "details": .string(details.joined(separator: "; caused by ")),
            ])
        do {
            try tracking.track(event)
            return nil
        } catch {
            logger.error("\(feature): \(kind.rawValue) [\(reference)]: \(details.joined(separator: "; caused by "))")
            logger.error("the error could not be reported: \(redactor().redact("\(error)"))")
            return error
        }
    }
}
