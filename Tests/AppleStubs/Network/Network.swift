public import Dispatch

/// A stub of the interface with the same name.
public struct NWInterface: Sendable {
    /// The kind of interface.
    public enum InterfaceType: Sendable {
        case other, wifi, cellular, wiredEthernet, loopback
    }

    /// The name.
    public var name: String { "" }
    /// The kind.
    public var type: InterfaceType { .other }
}

/// A stub of the path with the same name.
public struct NWPath: Sendable {
    /// Whether data can be sent.
    public enum Status: Sendable {
        case satisfied, unsatisfied, requiresConnection
    }

    /// Whether data can be sent.
    public var status: Status { .unsatisfied }
    /// The available interfaces.
    public var availableInterfaces: [NWInterface] { [] }
    /// Whether the path is expensive.
    public var isExpensive: Bool { false }
    /// Whether the user turned on Low Data Mode.
    public var isConstrained: Bool { false }
}

/// A stub of the monitor with the same name.
public final class NWPathMonitor: @unchecked Sendable {
    /// Receives changes.
    public var pathUpdateHandler: (@Sendable (NWPath) -> Void)?
    /// The current path.
    public var currentPath: NWPath { NWPath() }

    /// Creates a monitor.
    public init() {}

    /// Starts monitoring the path.
    ///
    /// - Parameter queue: The queue on which changes are reported.
    public func start(queue: DispatchQueue) {}

    /// Stops monitoring.
    public func cancel() {}
}
