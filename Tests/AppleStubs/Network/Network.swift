public import Dispatch

/// Stands in for the interface of the same name.
public struct NWInterface: Sendable {
    /// What it is.
    public enum InterfaceType: Sendable {
        case other, wifi, cellular, wiredEthernet, loopback
    }

    /// Its name.
    public var name: String { "" }
    /// What it is.
    public var type: InterfaceType { .other }
}

/// Stands in for the path of the same name.
public struct NWPath: Sendable {
    /// Whether something can be sent.
    public enum Status: Sendable {
        case satisfied, unsatisfied, requiresConnection
    }

    /// Whether something can be sent.
    public var status: Status { .unsatisfied }
    /// What there is.
    public var availableInterfaces: [NWInterface] { [] }
    /// Whether it costs.
    public var isExpensive: Bool { false }
    /// Whether the user asked for little.
    public var isConstrained: Bool { false }
}

/// Stands in for the monitor of the same name.
public final class NWPathMonitor: @unchecked Sendable {
    /// Is told of changes.
    public var pathUpdateHandler: (@Sendable (NWPath) -> Void)?
    /// The path now.
    public var currentPath: NWPath { NWPath() }

    /// Makes a monitor.
    public init() {}

    /// Begins to follow the path.
    ///
    /// - Parameter queue: Where changes are told.
    public func start(queue: DispatchQueue) {}

    /// Ends following it.
    public func cancel() {}
}
