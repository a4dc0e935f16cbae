package import GlassContainer

/// A permission whose state machine does the work: a service or a mock that says only which permission it is.
package protocol MachinePermission: PermissionProviding, Disposable {
    /// What the permission has come to, and who waits for it.
    var machine: PermissionMachine { get }
}

// Clients outside the package see these only as requirements of the public protocols.
extension MachinePermission {
    /// What is asked for.
    public var permission: Permission { machine.permission }

    /// How far the permission has come.
    public var status: PermissionStatus { machine.status }

    /// The status now and then each change.
    ///
    /// - Returns: A sequence for one listener; it ends when the service goes.
    public func statusUpdates() -> AsyncStream<PermissionStatus> { machine.changes() }

    /// Asks the user, unless somebody has decided already, and waits for the answer.
    ///
    /// - Returns: Granted, denied or restricted.
    /// - Throws: `CancellationError`; ``PermissionError/promptFailed``.
    public func request() async throws -> PermissionStatus { try await machine.request() }

    /// Looks at what the user decided elsewhere.
    ///
    /// - Returns: The status now.
    public func refresh() async -> PermissionStatus { await machine.refresh() }

    /// Ends a prompt that is open, those who wait for it, and the sequences.
    public func dispose() { machine.stop() }
}
