/// What kind of trouble an error is to the person who uses the app.
public enum ErrorKind: String, Sendable, CaseIterable {
    /// There is no connection.
    case offline
    /// It took too long.
    case timeout
    /// The server has trouble.
    case serverUnavailable
    /// The connection is not safe.
    case insecureConnection
    /// Nobody is signed in, or the sign-in has run out.
    case signInRequired
    /// It is not allowed.
    case notAllowed
    /// It does not exist.
    case notFound
    /// The answer makes no sense.
    case unexpectedAnswer
    /// The device is full.
    case storageFull
    /// The device cannot read or write.
    case storageUnavailable
    /// What was typed or passed is wrong.
    case invalidInput
    /// The app or the market is set up wrong.
    case misconfigured
    /// Somebody cancelled it: nothing to tell.
    case cancelled
    /// Anything else.
    case unknown

    /// What may help.
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
        case .notAllowed: ErrorText("That is not allowed", "You can change what the app may do in the settings.")
        case .notFound: ErrorText("We cannot find that", "It may have been removed.")
        case .unexpectedAnswer: ErrorText("Something went wrong", "Please try again.")
        case .storageFull: ErrorText("Your device is full", "Free some space and try again.")
        case .storageUnavailable: ErrorText("Your device cannot save that", "Please try again.")
        case .invalidInput: ErrorText("Something is not right", "Check what you entered and try again.")
        case .misconfigured: ErrorText("Something went wrong", "Please contact support.")
        case .cancelled: ErrorText("Cancelled", "")
        case .unknown: ErrorText("Something went wrong", "Please try again.")
        }
    }
}

/// What may help against an error.
public enum ErrorRecovery: String, Sendable, CaseIterable {
    /// Nothing.
    case none
    /// Trying again.
    case retry
    /// Connecting, then trying again.
    case checkConnection
    /// Signing in, then trying again.
    case signIn
    /// Making room, then trying again.
    case freeSpace
    /// Allowing it in the settings, then trying again.
    case openSettings
    /// Entering something else.
    case correctInput
    /// Asking somebody.
    case contactSupport

    /// Whether the same thing may work afterwards.
    public var allowsRetry: Bool {
        switch self {
        case .retry, .checkConnection, .signIn, .freeSpace, .openSettings: true
        case .none, .correctInput, .contactSupport: false
        }
    }
}

/// What a person reads about an error.
public struct ErrorText: Sendable, Equatable {
    /// The headline.
    public var title: String
    /// What to do.
    public var message: String

    /// Creates a text.
    ///
    /// - Parameters:
    ///   - title: The headline.
    ///   - message: What to do.
    public init(_ title: String, _ message: String) {
        self.title = title
        self.message = message
    }
}

/// An error that knows what kind of trouble it is.
public protocol ErrorAdviceProviding: Error {
    /// The kind; nil leaves it to the errors that caused this one.
    var errorKind: ErrorKind? { get }
}
