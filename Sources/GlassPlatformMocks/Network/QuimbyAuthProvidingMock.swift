import GlassBase
package import GlassPlatform

/// A customer's identity in memory.
package final class QuimbyAuthProvidingMock: QuimbyAuthProviding {
    private let kept: Lock<QuimbyIdentity>

    /// Creates a mock.
    package init(identity: QuimbyIdentity = QuimbyIdentity()) {
        kept = Lock(identity)
    }

    /// The identity.
    package func identity() -> QuimbyIdentity { kept.withLock { $0 } }

    /// Stores an identity.
    package func setIdentity(_ identity: QuimbyIdentity) { kept.withLock { $0 = identity } }
}
