public import GlassContainer

/// Asks whether the app may show notifications.
///
/// ```swift
/// let permission = NotificationPermission(options: [.alert, .sound], prompt: .policy(.allow))
/// print(try await permission.request().name)  // granted
/// ```
public final class NotificationPermission: NotificationPermissionProvider, Disposable {
    /// What a notification may do.
    public let options: [PermissionsConfiguration.NotificationOption]
    private let machine: PermissionMachine

    /// Creates the service.
    ///
    /// - Parameters:
    ///   - options: What a notification may do.
    ///   - prompt: How the user is asked; without one a request is denied.
    public init(options: [PermissionsConfiguration.NotificationOption], prompt: PermissionPrompt? = nil) {
        self.options = options
        machine = PermissionMachine(.notifications(options: options), prompt: prompt)
    }

    /// Notifications, with the options.
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
