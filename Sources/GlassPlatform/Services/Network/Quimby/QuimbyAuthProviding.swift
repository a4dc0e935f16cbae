package import GlassSchema

/// The customer's identity that remote-configuration requests carry.
public protocol QuimbyAuthProviding: AnyObject, Sendable {
    /// The identity.
    ///
    /// - Returns: The identity; empty for a customer who is not signed in.
    /// - Throws: ``StorageError``.
    func identity() throws(StorageError) -> QuimbyIdentity

    /// Remembers an identity, such as after signing in; an empty one signs out.
    ///
    /// - Parameter identity: The identity.
    /// - Throws: ``StorageError``; then the identity may be kept in part.
    func setIdentity(_ identity: QuimbyIdentity) throws(StorageError)

    /// The header field that carries the customer's number: `WM-Customer-ID` unless the market says otherwise.
    var customerHeader: String { get }
}

/// Who a customer is to the remote configuration.
public struct QuimbyIdentity: Sendable, Equatable {
    /// What proves it.
    public var accessToken: String?
    /// The customer's number.
    public var customerID: String?

    /// Creates an identity.
    ///
    /// - Parameters:
    ///   - accessToken: What proves it.
    ///   - customerID: The customer's number.
    public init(accessToken: String? = nil, customerID: String? = nil) {
        self.accessToken = accessToken
        self.customerID = customerID
    }
}

extension QuimbyAuthProviding {
    /// `WM-Customer-ID`.
    public var customerHeader: String { QuimbyConfiguration().customerHeader }

    /// The header fields of a request: `Authorization` and ``customerHeader``, each where there is one.
    ///
    /// - Returns: The fields. A stored text that fits into no header field is left out, so that it cannot add others.
    /// - Throws: ``StorageError``.
    public func headers() throws(StorageError) -> [String: String] {
        let identity = try identity()
        return QuimbyHeaders.fields([
            "Authorization": identity.accessToken.map { "Bearer \($0)" }, customerHeader: identity.customerID,
        ])
    }

    /// Signing in and out, and which fields requests carry. The token itself cannot be read.
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
            ScriptMethod("signIn", ["accessToken", "customerID?"], "Remembers an identity.") { arguments in
                try self.setIdentity(
                    QuimbyIdentity(
                        accessToken: try arguments.string(0, "accessToken"),
                        customerID: try arguments.optionalString(1, "customerID")))
                return .nil
            },
            ScriptMethod("signOut", [], "Forgets the identity.") { _ in
                try self.setIdentity(QuimbyIdentity())
                return .nil
            },
        ]
    }
}

/// Header fields from optional values.
enum QuimbyHeaders {
    static func fields(_ values: [String: String?]) -> [String: String] {
        values.compactMapValues { $0 }.filter { StringFormat.headerValue.matches($0.value) }
    }
}

/// The identity of the customer who signed in: the token where the system keeps such, the number in the app's storage.
public final class QuimbyAuthProvider: QuimbyAuthProviding {
    private static let accessToken = StorageKey<String>("quimby", "accessToken")
    private static let customerID = StorageKey<String>("quimby", "customerID")

    /// The header field that carries the customer's number.
    public let customerHeader: String
    private let storage: any StorageAPI
    private let tokens: any SignInTokens

    /// Creates the service.
    ///
    /// - Parameters:
    ///   - storage: Where the customer's number is kept.
    ///   - host: Decides where the token is kept: in the Keychain on Apple's systems, elsewhere in a file of its own in the
    ///     state folder that only its owner can open; without a state folder it ends with the process.
    ///   - customerHeader: The header field that carries the customer's number.
    public convenience init(
        storage: any StorageAPI, host: PlatformHost,
        customerHeader: String = QuimbyConfiguration().customerHeader
    ) {
        self.init(storage: storage, tokens: SignInTokenStorage.tokens(for: host), customerHeader: customerHeader)
    }

    /// Creates the service.
    package init(
        storage: any StorageAPI, tokens: any SignInTokens,
        customerHeader: String = QuimbyConfiguration().customerHeader
    ) {
        self.customerHeader = customerHeader
        self.storage = storage
        self.tokens = tokens
    }

    /// The identity.
    ///
    /// - Returns: The identity; empty for a customer who is not signed in.
    /// - Throws: ``StorageError``.
    public func identity() throws(StorageError) -> QuimbyIdentity {
        var token: String?
        do { token = try tokens.token() } catch { throw .unavailable("read the sign-in token", cause: error) }
        if token == nil { token = try movedToken() }
        return QuimbyIdentity(accessToken: token, customerID: try storage.value(for: Self.customerID))
    }

    /// The token that an earlier version kept among the app's values, moved to where tokens are kept now.
    private func movedToken() throws(StorageError) -> String? {
        guard let token = try storage.value(for: Self.accessToken) else { return nil }
        try keep(token)
        return token
    }

    private func keep(_ token: String?) throws(StorageError) {
        do { try tokens.keep(token) } catch { throw .unavailable("keep the sign-in token", cause: error) }
        if try storage.value(for: Self.accessToken) != nil { try storage.set(nil, for: Self.accessToken) }
    }

    /// Remembers an identity; an empty one signs out.
    ///
    /// - Parameter identity: The identity.
    /// - Throws: ``StorageError``; then the token may be new and the number old.
    public func setIdentity(_ identity: QuimbyIdentity) throws(StorageError) {
        try keep(identity.accessToken)
        try storage.set(identity.customerID, for: Self.customerID)
    }
}
