import GlassBase
import GlassPlatform

/// A cart's identity in memory.
package final class QuimbyCartProvidingMock: QuimbyCartProviding {
    private let kept: Lock<String?>

    /// Creates a mock.
    package init(cartID: String? = nil) {
        kept = Lock(cartID)
    }

    /// The cart's identity.
    package func cartID() -> String? { kept.withLock { $0 } }

    /// Stores the cart's identity.
    package func setCartID(_ cartID: String?) { kept.withLock { $0 = cartID } }
}
