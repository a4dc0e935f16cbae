import GlassBase
public import GlassPlatform

/// A cart in memory.
public final class QuimbyCartProvidingMock: QuimbyCartProviding {
    private let kept: Lock<String?>

    /// Creates a mock.
    ///
    /// - Parameter cartID: The cart at first.
    public init(cartID: String? = nil) {
        kept = Lock(cartID)
    }

    /// The cart's identity.
    ///
    /// - Returns: What was set last.
    public func cartID() -> String? { kept.withLock { $0 } }

    /// Remembers the cart.
    ///
    /// - Parameter cartID: The cart's identity.
    public func setCartID(_ cartID: String?) { kept.withLock { $0 = cartID } }
}
