import GlassBase
package import GlassPlatform

/// An identity in memory.
package final class QuimbyAuthProvidingMock: QuimbyAuthProviding {
    private let kept: Lock<QuimbyIdentity>

    /// Creates a mock.
    ///
    /// - Parameter identity: The identity at first.
    package init(identity: QuimbyIdentity = QuimbyIdentity()) {
        kept = Lock(identity)
    }

    /// The identity.
    ///
    /// - Returns: What was set last.
    package func identity() -> QuimbyIdentity { kept.withLock { $0 } }

    /// Remembers an identity.
    ///
    /// - Parameter identity: The identity.
    package func setIdentity(_ identity: QuimbyIdentity) { kept.withLock { $0 = identity } }
}
