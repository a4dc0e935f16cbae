package import GlassSchema

/// The cart that remote-configuration requests speak of.
public protocol QuimbyCartProviding: AnyObject, Sendable {
    /// The cart's identity.
    ///
    /// - Returns: The identity, or nil without a cart.
    /// - Throws: ``StorageError``.
    func cartID() throws(StorageError) -> String?

    /// Remembers the cart.
    ///
    /// - Parameter cartID: The cart's identity; nil forgets it.
    /// - Throws: ``StorageError``; nothing has changed then.
    func setCartID(_ cartID: String?) throws(StorageError)

    /// The header field that carries the cart's identity: `WM-Cart-ID` unless the market says otherwise.
    var cartHeader: String { get }
}

extension QuimbyCartProviding {
    /// `WM-Cart-ID`.
    public var cartHeader: String { QuimbyConfiguration().cartHeader }

    /// The header field of a request: ``cartHeader`` where there is a cart.
    ///
    /// - Returns: The field. A stored text that fits into no header field is left out.
    /// - Throws: ``StorageError``.
    public func headers() throws(StorageError) -> [String: String] {
        QuimbyHeaders.fields([cartHeader: try cartID()])
    }

    /// Getting and setting the cart.
    package var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("cartID", [], "The cart's identity, or nil.") { _ in
                try self.cartID().map { .string($0) } ?? .nil
            },
            ScriptMethod("setCartID", ["cartID?"], "Remembers the cart, or forgets it.") { arguments in
                try self.setCartID(try arguments.optionalString(0, "cartID"))
                return .nil
            },
        ]
    }
}

/// The cart that the app's storage keeps.
public final class QuimbyCartProvider: QuimbyCartProviding {
    private static let key = StorageKey<String>("quimby", "cartID")

    /// The header field that carries the cart's identity.
    public let cartHeader: String
    private let storage: any StorageAPI

    /// Creates the service.
    ///
    /// - Parameters:
    ///   - storage: Where the identity is kept.
    ///   - header: The header field that carries it.
    public init(storage: any StorageAPI, header: String = QuimbyConfiguration().cartHeader) {
        cartHeader = header
        self.storage = storage
    }

    /// The cart's identity.
    ///
    /// - Returns: The identity, or nil without a cart.
    /// - Throws: ``StorageError``.
    public func cartID() throws(StorageError) -> String? { try storage.value(for: Self.key) }

    /// Remembers the cart.
    ///
    /// - Parameter cartID: The cart's identity; nil forgets it.
    /// - Throws: ``StorageError``; nothing has changed then.
    public func setCartID(_ cartID: String?) throws(StorageError) { try storage.set(cartID, for: Self.key) }
}
