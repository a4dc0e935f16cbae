import GlassBase
import GlassDeepLinking
public import GlassPlatform

/// A network whose state a test sets.
public final class NetworkInformationProviderMock: NetworkInformationProvider {
    private final class Source: NetworkInformationSource {
        let state: Lock<(now: NetworkInformation, onChange: (@Sendable () -> Void)?)>
        init(_ now: NetworkInformation) { state = Lock((now, nil)) }
        func read() -> NetworkInformation { state.withLock { $0.now } }
        func start(_ onChange: @escaping @Sendable () -> Void) { state.withLock { $0.onChange = onChange } }
        func stop() { state.withLock { $0.onChange = nil } }
    }

    private let source: Source
    private let monitor: NetworkInformationMonitor

    /// Creates a mock.
    ///
    /// - Parameter current: The initial state; by default, a cable.
    public init(
        current: NetworkInformation = NetworkInformation(
            interfaces: [NetworkInterface(name: "mock0", kind: .ethernet, isUp: true, addresses: ["192.0.2.1"])])
    ) {
        source = Source(current)
        monitor = NetworkInformationMonitor(source: source)
    }

    /// The current state.
    public var current: NetworkInformation { source.read() }

    /// The current state, followed by the state after each change.
    ///
    /// - Returns: A separate stream.
    public func changes() -> AsyncStream<NetworkInformation> { monitor.changes() }

    /// Changes the state.
    ///
    /// - Parameter information: The new state.
    public func set(_ information: NetworkInformation) {
        let onChange = source.state.withLock { state in
            state.now = information
            return state.onChange
        }
        onChange?()
    }
}
