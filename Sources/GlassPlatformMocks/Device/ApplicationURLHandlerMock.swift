import GlassBase
public import GlassPlatform

/// Opens nothing, and records the links that it is called with.
public final class ApplicationURLHandlerMock: ApplicationURLHandler {
    private let refusal: @Sendable (String) -> ApplicationURLError?
    private let taken = Lock<[String]>([])

    /// Creates a mock.
    ///
    /// - Parameter refusal: Returns the reason why a link is not opened, or `nil`. By default, every link is opened.
    public init(refusal: @escaping @Sendable (String) -> ApplicationURLError? = { _ in nil }) {
        self.refusal = refusal
    }

    /// The links that were opened, in order.
    public var opened: [String] { taken.withLock { $0 } }

    /// Whether the test allows the link.
    ///
    /// - Parameter url: The link.
    /// - Returns: The test's decision.
    public func canOpen(_ url: String) -> Bool { refusal(url) == nil }

    /// Records a link.
    ///
    /// - Parameter url: The link.
    /// - Throws: The test's error.
    public func open(_ url: String) async throws(ApplicationURLError) {
        if let refusal = refusal(url) { throw refusal }
        taken.withLock { $0.append(url) }
    }
}
