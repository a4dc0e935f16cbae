import Foundation
import GRDB
import GlassBase
import GlassSchema

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Finds the causes of an error and their kind.
enum ErrorChain {
    /// An error and its causes, outermost first.
    ///
    /// A cause is Foundation's underlying error, or an error in the associated values or properties of another error.
    static func errors(from error: any Error) -> [any Error] {
        var chain = [error]
        while chain.count < 8, let cause = cause(of: chain[chain.count - 1]) { chain.append(cause) }
        return chain
    }

    private static func cause(of error: any Error) -> (any Error)? {
        if let coordinated = error as? CoordinatedError { return coordinated.cause }
        // Foundation's errors wrap an `NSError` with the same information; only its underlying error adds any.
        let information: [String: Any]? =
            switch error {
            case let error as URLError: error.userInfo
            case let error as CocoaError: error.userInfo
            case let error as POSIXError: error.userInfo
            default: type(of: error) is NSError.Type ? (error as NSError).userInfo : nil
            }
        if let information { return information[NSUnderlyingErrorKey] as? any Error }
        return nestedError(in: error, depth: 3)
    }

    private static func nestedError(in value: Any, depth: Int) -> (any Error)? {
        guard depth > 0 else { return nil }
        for child in Mirror(reflecting: value).children.prefix(16) {
            if let error = child.value as? any Error { return error }
            let style = Mirror(reflecting: child.value).displayStyle
            if style == .tuple || style == .optional || style == .enum,
                let error = nestedError(in: child.value, depth: depth - 1)
            {
                return error
            }
        }
        return nil
    }

    /// The kind of a chain: that of the outermost error that provides one, or else that of the innermost known error.
    static func kind(of chain: [any Error]) -> ErrorKind {
        for error in chain { if let kind = (error as? any ErrorAdviceProviding)?.errorKind { return kind } }
        for error in chain.reversed() { if let kind = knownKind(of: error) { return kind } }
        return .unknown
    }

    private static func knownKind(of error: any Error) -> ErrorKind? {
        switch error {
        case is CancellationError: .cancelled
        case let error as URLError: kind(of: error.code)
        case is DecodingError: .unexpectedAnswer
        case let error as DatabaseError:
            error.resultCode == .SQLITE_FULL ? .storageFull : .storageUnavailable
        case let error as CocoaError: kind(of: error.code)
        case let error as POSIXError: kind(of: error.code)
        case let error as AnalyticsError: kind(of: error)
        case let error as POSIXFailure: POSIXErrorCode(rawValue: error.code).flatMap(kind(of:))
        case is StorageError: .storageUnavailable
        case is EnvironmentError, is SecretError: .misconfigured
        case is ScriptArgumentError: .invalidInput
        default: nil
        }
    }

    private static func kind(of error: AnalyticsError) -> ErrorKind {
        switch error {
        case .notKept, .unavailable: .storageUnavailable
        case .tooLarge: .invalidInput
        case .notDelivered: .serverUnavailable
        case .shutDown: .cancelled
        }
    }

    private static func kind(of code: URLError.Code) -> ErrorKind {
        switch code {
        case .notConnectedToInternet, .networkConnectionLost, .dataNotAllowed, .internationalRoamingOff: .offline
        case .timedOut: .timeout
        case .cancelled, .userCancelledAuthentication: .cancelled
        case .userAuthenticationRequired: .signInRequired
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
            .insecureConnection
        case .badServerResponse, .cannotParseResponse, .cannotDecodeContentData, .cannotDecodeRawData,
            .zeroByteResource, .dataLengthExceedsMaximum:
            .unexpectedAnswer
        case .badURL, .unsupportedURL: .misconfigured
        case .fileDoesNotExist, .resourceUnavailable: .notFound
        case .noPermissionsToReadFile: .notAllowed
        default: .serverUnavailable
        }
    }

    private static func kind(of code: CocoaError.Code) -> ErrorKind? {
        switch code {
        case .fileWriteOutOfSpace: .storageFull
        case .fileWriteNoPermission, .fileWriteVolumeReadOnly, .fileReadNoPermission: .storageUnavailable
        case .fileNoSuchFile, .fileReadNoSuchFile: .notFound
        case .userCancelled: .cancelled
        default: nil
        }
    }

    private static func kind(of code: POSIXErrorCode) -> ErrorKind? {
        switch code {
        case .ENOSPC, .EDQUOT: .storageFull
        case .EROFS, .EACCES, .EIO: .storageUnavailable
        case .ENOENT: .notFound
        case .ETIMEDOUT: .timeout
        case .ENETDOWN, .ENETUNREACH, .EHOSTUNREACH: .offline
        case .ECONNREFUSED, .ECONNRESET: .serverUnavailable
        case .ECANCELED: .cancelled
        default: nil
        }
    }
}
