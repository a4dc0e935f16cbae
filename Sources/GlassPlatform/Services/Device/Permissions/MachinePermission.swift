package import GlassContainer

/// A permission that is implemented by a state machine: a service or a mock only defines which permission it is.
package protocol MachinePermission: PermissionProviding, Disposable {
    /// The status of the permission, and the requests that are waiting for it.
    var machine: PermissionMachine { get }
}

// Clients outside the package see these only as requirements of the public protocols.
extension MachinePermission {
    /// The requested permission.
    public var permission: Permission { machine.permission }

    /// The status of the permission.
    public var status: PermissionStatus { machine.status }

    /// The current status, followed by each change.
    ///
    /// - Returns: A sequence for one listener. It ends when the service is disposed of or released.
    public func statusUpdates() -> AsyncStream<PermissionStatus> { machine.changes() }

    /// Asks the user, unless the permission is already decided, and waits for the answer.
    ///
    /// - Returns: The status: granted, denied, or restricted.
    /// - Throws: `CancellationError`; ``PermissionError/promptFailed``.
    public func request() async throws -> PermissionStatus { try await machine.request() }

    /// Checks for decisions that the user made elsewhere.
    ///
    /// - Returns: The current status.
    public func refresh() async -> PermissionStatus { await machine.refresh() }

    /// Ends an open prompt, the requests that are waiting for it, and the sequences.
    public func dispose() { machine.stop() }
}
