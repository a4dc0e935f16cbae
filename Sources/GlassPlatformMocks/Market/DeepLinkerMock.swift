public import GlassDeepLinking

/// A deep linker for tests. It records the links that are opened, and the test determines their outcomes.
///
/// If the test determines the outcome of a link, no routable is called, and the hooks are called only for final
/// outcomes. If the test returns `nil` for a link, a router opens it with everything that was registered.
///
/// ```swift
/// let mock = DeepLinkerMock { $0.hasSuffix("/cart") ? .unroutable(.noRoute) : nil }
/// container.register((any DeepLinker).self) { _ in mock.deepLinker }
/// print(mock.opened)
/// ```
public struct DeepLinkerMock: Sendable {
    private let recorder: RecordingDeepLinker

    /// Creates a mock.
    ///
    /// - Parameters:
    ///   - configuration: The schemes, hosts, and domains that it reports.
    ///   - outcome: Returns the outcome of a link, or `nil` to let the router open it. By default, every link is
    ///     routed.
    public init(
        configuration: DeepLinkConfiguration = DeepLinkConfiguration(),
        outcome: @escaping @Sendable (String) -> RouteOutcome? = { _ in .routed }
    ) {
        recorder = RecordingDeepLinker(configuration: configuration, outcome: outcome)
    }

    /// Returns the mock of a deep linker, such as that of `Container.mock`, or `nil` if it is not a mock.
    ///
    /// - Parameter deepLinker: The deep linker.
    public init?(behind deepLinker: any DeepLinker) {
        guard let recorder = deepLinker as? RecordingDeepLinker else { return nil }
        self.recorder = recorder
    }

    /// The deep linker, for a container or for the code under test.
    public var deepLinker: any DeepLinker { recorder }
    /// The links that were opened, in order.
    public var opened: [String] { recorder.opened }
    /// The patterns that were added without a routable, in order.
    public var patterns: [String] { recorder.patterns }
}
