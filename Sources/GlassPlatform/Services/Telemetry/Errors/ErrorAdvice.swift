/// The kind of an error from the user's point of view.
public enum ErrorKind: String, Sendable, CaseIterable {
    /// There is no connection.
    case offline
    /// The operation took too long.
    case timeout
    /// The server has a problem.
    case serverUnavailable
    /// The connection is not secure.
    case insecureConnection
    /// The user is not signed in, or the sign-in has expired.
    case signInRequired
    /// The action is not allowed.
    case notAllowed
    /// The resource does not exist.
    case notFound
    /// The response cannot be interpreted.
    case unexpectedAnswer
    /// The device has no space left.
    case storageFull
    /// The device cannot read or write data.
    case storageUnavailable
    /// The input is invalid.
    case invalidInput
    /// The app or the market is misconfigured.
    case misconfigured
    /// The operation was canceled, so there is nothing to report.
    case cancelled
    /// Any other error.
    case unknown

    /// The action that may resolve the error.
    public var recovery: ErrorRecovery {
        switch self {
        case .offline: .checkConnection
        case .timeout, .serverUnavailable, .unexpectedAnswer: .retry
        case .signInRequired: .signIn
        case .storageFull: .freeSpace
        case .storageUnavailable, .unknown: .retry
        case .notAllowed: .openSettings
        case .invalidInput: .correctInput
        case .insecureConnection, .misconfigured: .contactSupport
        case .notFound, .cancelled: .none
        }
    }

    /// The English text.
    public var text: ErrorText {
        switch self {
        case .offline: ErrorText("You are offline", "Check your connection and try again.")
        case .timeout: ErrorText("That took too long", "Please try again.")
        case .serverUnavailable: ErrorText("We are having trouble", "Please try again in a moment.")
        case .insecureConnection:
            ErrorText("The connection is not safe", "Try another network. If it happens again, contact support.")
        case .signInRequired: ErrorText("Please sign in", "Sign in to continue.")
        case .notAllowed: ErrorText("That is not allowed", "You can change the app's permissions in the settings.")
        case .notFound: ErrorText("We cannot find that", "It may have been removed.")
        case .unexpectedAnswer: ErrorText("Something went wrong", "Please try again.")
        case .storageFull: ErrorText("Your device is full", "Free some space and try again.")
        case .storageUnavailable: ErrorText("Your device cannot save that", "Please try again.")
        case .invalidInput: ErrorText("Something is not right", "Check what you entered and try again.")
        case .misconfigured: ErrorText("Something went wrong", "Please contact support.")
        case .cancelled: ErrorText("Canceled", "")
        case .unknown: ErrorText("Something went wrong", "Please try again.")
        }
    }
}

/// The action that may resolve an error.
public enum ErrorRecovery: String, Sendable, CaseIterable {
    /// Nothing.
    case none
    /// Try again.
    case retry
    /// Connect to the network, then try again.
    case checkConnection
    /// Sign in, then try again.
    case signIn
    /// Free some space, then try again.
    case freeSpace
    /// Allow it in the settings, then try again.
    case openSettings
    /// Enter something else.
    case correctInput
    /// Contact support.
    case contactSupport

    /// Whether the same operation may succeed afterward.
    public var allowsRetry: Bool {
        switch self {
        case .retry, .checkConnection, .signIn, .freeSpace, .openSettings: true
        case .none, .correctInput, .contactSupport: false
        }
    }
}

/// The text about an error for the user.
public struct ErrorText: Sendable, Equatable {
    /// The headline.
    public var title: String
    /// The action for the user to take.
    public var message: String

    /// Creates a text.
    ///
    /// - Parameters:
    ///   - title: The headline.
    ///   - message: The action for the user to take.
    public init(_ title: String, _ message: String) {
        self.title = title
        self.message = message
    }
}

/// An error that determines its own kind.
public protocol ErrorAdviceProviding: Error {
    /// The kind; `nil` leaves the decision to the underlying errors.
    var errorKind: ErrorKind? { get }
}
