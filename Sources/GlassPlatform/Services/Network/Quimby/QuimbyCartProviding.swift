package import GlassSchema

/// Provides the cart's identity for remote-configuration requests.
public protocol QuimbyCartProviding: AnyObject, Sendable {
    /// The cart's identity.
    ///
    /// - Returns: The identity, or `nil` without a cart.
    /// - Throws: ``StorageError``.
    func cartID() throws(StorageError) -> String?

    /// Stores the cart's identity.
    ///
    /// - Parameter cartID: The cart's identity; `nil` removes it.
    /// - Throws: ``StorageError``, in which case nothing changes.
    func setCartID(_ cartID: String?) throws(StorageError)

    /// The header field for the cart's identity: `WM-Cart-ID`, unless the market sets another one.
    var cartHeader: String { get }
}

extension QuimbyCartProviding {
    /// The default, `WM-Cart-ID`.
    public var cartHeader: String { QuimbyConfiguration().cartHeader }

    /// The header fields of a request: ``cartHeader``, if there is a cart.
    ///
    /// - Returns: The field. A stored value that is not valid in a header field is omitted.
    /// - Throws: ``StorageError``.
    public func headers() throws(StorageError) -> [String: String] {
        QuimbyHeaders.fields([cartHeader: try cartID()])
    }

    /// The script methods that get and set the cart's identity.
    package var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("cartID", [], "The cart's identity, or nil.") { _ in
                try self.cartID().map { .string($0) } ?? .nil
            },
            ScriptMethod("setCartID", ["cartID?"], "Stores or removes the cart's identity.") { arguments in
                try self.setCartID(try arguments.optionalString(0, "cartID"))
                return .nil
            },
        ]
    }
}

/// The cart's identity in the app's storage.
public final class QuimbyCartProvider: QuimbyCartProviding {
    private static let key = StorageKey<String>("quimby", "cartID")

    /// The header field for the cart's identity.
    public var cartHeader: String { header() }
    private let header: @Sendable () -> String
    private let storage: any StorageAPI

    /// Creates the service.
    ///
    /// - Parameters:
    ///   - storage: The storage for the identity.
    ///   - header: The header field for the identity.
    public convenience init(storage: any StorageAPI, header: String = QuimbyConfiguration().cartHeader) {
        self.init(storage: storage) { header }
    }

    /// Creates the service with a header field that is looked up at each use.
    init(storage: any StorageAPI, header: @escaping @Sendable () -> String) {
        self.header = header
        self.storage = storage
    }

    /// The cart's identity.
    ///
    /// - Returns: The identity, or `nil` without a cart.
    /// - Throws: ``StorageError``.
    public func cartID() throws(StorageError) -> String? { try storage.value(for: Self.key) }

    /// Stores the cart's identity.
    ///
    /// - Parameter cartID: The cart's identity; `nil` removes it.
    /// - Throws: ``StorageError``, in which case nothing changes.
    public func setCartID(_ cartID: String?) throws(StorageError) { try storage.set(cartID, for: Self.key) }
}
