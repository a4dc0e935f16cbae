package import GlassSchema

/// A permission that the app needs: its status, its changes, and the way to ask for it.
public protocol PermissionProviding: AnyObject, Sendable {
    /// What is asked for.
    var permission: Permission { get }
    /// How far the permission has come.
    var status: PermissionStatus { get }

    /// The status now and then each change.
    ///
    /// - Returns: A sequence for one listener; it ends when the service goes. A listener that does not keep up loses the
    ///   oldest changes.
    func statusUpdates() -> AsyncStream<PermissionStatus>

    /// Asks the user, unless somebody has decided already, and waits for the answer.
    ///
    /// Requests that come while the user is being asked share the prompt. A request whose task is cancelled stops
    /// waiting; when none waits any more, the prompt is cancelled and the permission is undetermined again.
    ///
    /// - Returns: Granted, denied or restricted. Denied also, with the reason, when the program has no prompt.
    /// - Throws: `CancellationError` when this task was cancelled while it waited; ``PermissionError/promptFailed`` when
    ///   the prompt failed before the user answered. A denial is no error.
    func request() async throws -> PermissionStatus

    /// Looks at what the user decided elsewhere, such as in the system's settings.
    ///
    /// - Returns: The status now.
    func refresh() async -> PermissionStatus
}

/// Whether the app may show notifications.
public protocol NotificationPermissionProvider: PermissionProviding {
    /// What a notification may do.
    var options: [PermissionsConfiguration.NotificationOption] { get }
}

/// Whether the app may know where the device is.
public protocol LocationPermissionProvider: PermissionProviding {
    /// When it may know.
    var locationPermissionLevel: PermissionsConfiguration.LocationLevel { get }
}

/// Whether the app may record video.
public protocol VideoPermissionProvider: PermissionProviding {}

extension PermissionProviding {
    /// Whether the user said yes.
    public var isGranted: Bool { status == .granted }

    /// The getters, `request` and `refresh`.
    package var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("status", [], "notDetermined, requesting, granted, denied or restricted.") { _ in
                .string(self.status.name)
            },
            ScriptMethod("reason", [], "Why the permission is denied or restricted, or nil.") { _ in
                self.status.reason.map { .string($0) } ?? .nil
            },
            ScriptMethod("permission", [], "What is asked for, with its options.") { _ in
                .string(self.permission.description)
            },
            ScriptMethod("request", [], "Asks the user unless somebody has decided, and returns the status.") { _ in
                .string(try await self.request().name)
            },
            ScriptMethod("refresh", [], "Looks at what the user decided elsewhere, and returns the status.") { _ in
                .string(await self.refresh().name)
            },
        ]
    }
}
