import GlassBase
public import GlassPlatform

/// Opens nothing, and records what it was asked to open.
public final class ApplicationURLHandlerMock: ApplicationURLHandler {
    private let refusal: @Sendable (String) -> ApplicationURLError?
    private let taken = Lock<[String]>([])

    /// Creates a mock.
    ///
    /// - Parameter refusal: Why a link is not opened; by default every link is.
    public init(refusal: @escaping @Sendable (String) -> ApplicationURLError? = { _ in nil }) {
        self.refusal = refusal
    }

    /// The links that were opened, in order.
    public var opened: [String] { taken.withLock { $0 } }

    /// Whether the test lets the link go.
    ///
    /// - Parameter url: The link.
    /// - Returns: What the test decided.
    public func canOpen(_ url: String) -> Bool { refusal(url) == nil }

    /// Records a link.
    ///
    /// - Parameter url: The link.
    /// - Throws: What the test decided.
    public func open(_ url: String) async throws(ApplicationURLError) {
        if let refusal = refusal(url) { throw refusal }
        taken.withLock { $0.append(url) }
    }
}
