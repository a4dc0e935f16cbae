public import GlassDeepLinking

/// A deep linker for tests: it records what is opened, and the test decides what becomes of a link.
///
/// When the test decides a link, no routable is asked, and the hooks are told only of final outcomes. A link that the test
/// answers nil for is opened by a router, which knows what was registered.
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
    ///   - configuration: The schemes, hosts and domains that it reports.
    ///   - outcome: What becomes of each link, nil for what the router makes of it; by default every link is routed.
    public init(
        configuration: DeepLinkConfiguration = DeepLinkConfiguration(),
        outcome: @escaping @Sendable (String) -> RouteOutcome? = { _ in .routed }
    ) {
        recorder = RecordingDeepLinker(configuration: configuration, outcome: outcome)
    }

    /// Finds the mock behind a deep linker, such as that of `Container.mock`. Returns nil when there is none.
    ///
    /// - Parameter deepLinker: The deep linker.
    public init?(behind deepLinker: any DeepLinker) {
        guard let recorder = deepLinker as? RecordingDeepLinker else { return nil }
        self.recorder = recorder
    }

    /// The deep linker, for a container or for what is tested.
    public var deepLinker: any DeepLinker { recorder }
    /// The links that were opened, in order.
    public var opened: [String] { recorder.opened }
    /// The patterns that were added without a routable, in order.
    public var patterns: [String] { recorder.patterns }
}
