import GlassBase
public import GlassPlatform

/// An identity in memory.
public final class QuimbyAuthProvidingMock: QuimbyAuthProviding {
    private let kept: Lock<QuimbyIdentity>

    /// Creates a mock.
    ///
    /// - Parameter identity: The identity at first.
    public init(identity: QuimbyIdentity = QuimbyIdentity()) {
        kept = Lock(identity)
    }

    /// The identity.
    ///
    /// - Returns: What was set last.
    public func identity() -> QuimbyIdentity { kept.withLock { $0 } }

    /// Remembers an identity.
    ///
    /// - Parameter identity: The identity.
    public func setIdentity(_ identity: QuimbyIdentity) { kept.withLock { $0 = identity } }
}
