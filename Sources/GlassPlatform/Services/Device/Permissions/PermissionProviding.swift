package import GlassSchema

/// A permission that the app needs: its status and changes, and a way to request it.
public protocol PermissionProviding: AnyObject, Sendable {
    /// The requested permission.
    var permission: Permission { get }
    /// The status of the permission.
    var status: PermissionStatus { get }

    /// The current status, followed by each change.
    ///
    /// - Returns: A sequence for one listener. It ends when the service is disposed of or released. A slow listener
    ///   loses the oldest changes.
    func statusUpdates() -> AsyncStream<PermissionStatus>

    /// Asks the user, unless the permission is already decided, and waits for the answer.
    ///
    /// Concurrent requests share one prompt. A request whose task is canceled stops waiting. When no request waits
    /// anymore, the prompt is canceled and the permission is undetermined again.
    ///
    /// - Returns: The status: granted, denied, or restricted. Without a prompt, it is denied, with the reason.
    /// - Throws: `CancellationError` if this task was canceled while waiting;
    ///   ``PermissionError/promptFailed(_:cause:)`` if the prompt failed before the user answered. A
    ///   denial is not an error.
    func request() async throws -> PermissionStatus

    /// Checks for decisions that the user made elsewhere, such as in the system settings.
    ///
    /// - Returns: The current status.
    func refresh() async -> PermissionStatus
}

/// The permission to show notifications.
public protocol NotificationPermissionProvider: PermissionProviding {
    /// The notification features that the app requests.
    var options: [PermissionsConfiguration.NotificationOption] { get }
}

/// The permission to access the device's location.
public protocol LocationPermissionProvider: PermissionProviding {
    /// When the app can access the device's location.
    var locationPermissionLevel: PermissionsConfiguration.LocationLevel { get }
}

/// The permission to record video.
public protocol VideoPermissionProvider: PermissionProviding {}

extension PermissionProviding {
    /// Whether the user granted the permission.
    public var isGranted: Bool { status == .granted }

    /// The getters, and the script methods `request` and `refresh`.
    package var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("status", [], "notDetermined, requesting, granted, denied or restricted.") { _ in
                .string(self.status.name)
            },
            ScriptMethod("reason", [], "The reason why the permission is denied or restricted, or nil.") { _ in
                self.status.reason.map { .string($0) } ?? .nil
            },
            ScriptMethod("permission", [], "The permission with its options.") { _ in
                .string(self.permission.description)
            },
            ScriptMethod("request", [], "Asks the user, unless already decided, and returns the status.") { _ in
                .string(try await self.request().name)
            },
            ScriptMethod("refresh", [], "Checks for decisions made elsewhere, and returns the status.") { _ in
                .string(await self.refresh().name)
            },
        ]
    }
}
