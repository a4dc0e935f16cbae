import GlassBase
package import GlassSchema

/// Provides the customer's identity for remote-configuration requests.
public protocol QuimbyAuthProviding: AnyObject, Sendable {
    /// The identity.
    ///
    /// - Returns: The identity. It is empty if the customer is not signed in.
    /// - Throws: ``StorageError``.
    func identity() throws(StorageError) -> QuimbyIdentity

    /// Stores an identity, for example after signing in. An empty one signs out.
    ///
    /// - Parameter identity: The identity.
    /// - Throws: ``StorageError``, in which case the identity may be stored partially.
    func setIdentity(_ identity: QuimbyIdentity) throws(StorageError)

    /// The header field for the customer's number: `WM-Customer-ID`, unless the market sets another one.
    var customerHeader: String { get }
}

/// The identity of a customer for remote configuration.
public struct QuimbyIdentity: Sendable, Equatable {
    /// The token that authenticates the customer.
    public var accessToken: String?
    /// The customer's number.
    public var customerID: String?

    /// Creates an identity.
    ///
    /// - Parameters:
    ///   - accessToken: The token that authenticates the customer.
    ///   - customerID: The customer's number.
    public init(accessToken: String? = nil, customerID: String? = nil) {
        self.accessToken = accessToken
        self.customerID = customerID
    }
}

extension QuimbyAuthProviding {
    /// The default, `WM-Customer-ID`.
    public var customerHeader: String { QuimbyConfiguration().customerHeader }

    /// The header fields of a request: `Authorization` and ``customerHeader``, each if there is a value.
    ///
    /// - Returns: The fields. A stored value that is not valid in a header field is omitted, so that it cannot add
    ///   others.
    /// - Throws: ``StorageError``.
    public func headers() throws(StorageError) -> [String: String] {
        let identity = try identity()
        return QuimbyHeaders.fields([
            "Authorization": identity.accessToken.map { "Bearer \($0)" }, customerHeader: identity.customerID,
        ])
    }

    /// The script methods for signing in and out, and for the names of the header fields. The token itself cannot be
    /// read.
    package var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("isSignedIn", [], "Whether there is an access token.") { _ in
                .boolean(try self.identity().accessToken != nil)
            },
            ScriptMethod("customerID", [], "The customer's number, or nil.") { _ in
                try self.identity().customerID.map { .string($0) } ?? .nil
            },
            ScriptMethod("headerNames", [], "The names of the header fields that requests carry.") { _ in
                .list(try self.headers().keys.sorted().map { .string($0) })
            },
            ScriptMethod("signIn", ["accessToken", "customerID?"], "Stores an identity.") { arguments in
                try self.setIdentity(
                    QuimbyIdentity(
                        accessToken: try arguments.string(0, "accessToken"),
                        customerID: try arguments.optionalString(1, "customerID")))
                return .nil
            },
            ScriptMethod("signOut", [], "Removes the identity.") { _ in
                try self.setIdentity(QuimbyIdentity())
                return .nil
            },
        ]
    }
}

/// Header fields with optional values.
enum QuimbyHeaders {
    static func fields(_ values: [String: String?]) -> [String: String] {
        values.compactMapValues { $0 }.filter { StringFormat.headerValue.matches($0.value) }
    }
}

/// The identity of the signed-in customer: the token in the system's storage for credentials, the number in the app's
/// storage.
public final class QuimbyAuthProvider: QuimbyAuthProviding {
    private static let accessToken = StorageKey<String>("quimby", "accessToken")
    private static let customerID = StorageKey<String>("quimby", "customerID")

    /// The header field for the customer's number.
    public var customerHeader: String { header() }
    private let header: @Sendable () -> String
    private let storage: any StorageAPI
    private let tokens: any SignInTokens
    private let isFailing = Lock(false)
    private let logger = SafeLogger(label: "glass.sign-in")

    /// Creates the service.
    ///
    /// - Parameters:
    ///   - storage: The storage for the customer's number.
    ///   - host: Determines where the token is stored: in the Keychain on Apple systems; elsewhere, in a separate file
    ///     in the state folder that only its owner can read. Without a state folder, the token is lost when the process
    ///     ends.
    ///   - customerHeader: The header field for the customer's number.
    public convenience init(
        storage: any StorageAPI, host: PlatformHost,
        customerHeader: String = QuimbyConfiguration().customerHeader
    ) {
        self.init(storage: storage, tokens: SignInTokenStorage.tokens(for: host), customerHeader: customerHeader)
    }

    /// Creates the service.
    package init(
        storage: any StorageAPI, tokens: any SignInTokens,
        customerHeader: @autoclosure @escaping @Sendable () -> String = QuimbyConfiguration().customerHeader
    ) {
        header = customerHeader
        self.storage = storage
        self.tokens = tokens
    }

    /// The identity.
    ///
    /// - Returns: The identity. It is empty if the customer is not signed in.
    /// - Throws: ``StorageError``.
    public func identity() throws(StorageError) -> QuimbyIdentity {
        var token: String?
        do { token = try tokens.token() } catch { throw failure("read the sign-in token", error) }
        if token == nil { token = try movedToken() }
        return QuimbyIdentity(accessToken: token, customerID: try storage.value(for: Self.customerID))
    }

    /// The token that an earlier version stored among the app's values. Moves it to the current location.
    private func movedToken() throws(StorageError) -> String? {
        guard let token = try storage.value(for: Self.accessToken) else { return nil }
        try keep(token)
        return token
    }

    private func keep(_ token: String?) throws(StorageError) {
        do { try tokens.keep(token) } catch { throw failure("store the sign-in token", error) }
        if try storage.value(for: Self.accessToken) != nil { try storage.set(nil, for: Self.accessToken) }
    }

    /// The error for a token. The first of several in a row is logged.
    private func failure(_ operation: String, _ cause: any Error) -> StorageError {
        let error: StorageError =
            tokens.place.map { .unavailable(operation, $0, cause: cause) } ?? .unavailable(operation, cause: cause)
        let isFirst = isFailing.withLock { isFailing in
            defer { isFailing = true }
            return !isFailing
        }
        if isFirst { logger.error("\(error)") }
        return error
    }

    /// Stores an identity. An empty one signs out.
    ///
    /// - Parameter identity: The identity.
    /// - Throws: ``StorageError``, in which case the token may be new and the number old.
    public func setIdentity(_ identity: QuimbyIdentity) throws(StorageError) {
        try keep(identity.accessToken)
        try storage.set(identity.customerID, for: Self.customerID)
    }
}
