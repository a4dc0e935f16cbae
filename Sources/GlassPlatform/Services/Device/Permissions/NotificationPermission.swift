/// Asks whether the app may show notifications.
///
/// ```swift
/// let permission = NotificationPermission(options: [.alert, .sound], prompt: .policy(.allow))
/// print(try await permission.request().name)  // granted
/// ```
public final class NotificationPermission: NotificationPermissionProvider, MachinePermission {
    /// What a notification may do.
    public let options: [PermissionsConfiguration.NotificationOption]
    package let machine: PermissionMachine

    /// Creates the service.
    ///
    /// - Parameters:
    ///   - options: What a notification may do.
    ///   - prompt: How the user is asked; without one a request is denied.
    public init(options: [PermissionsConfiguration.NotificationOption], prompt: PermissionPrompt? = nil) {
        self.options = options
        machine = PermissionMachine(.notifications(options: options), prompt: prompt)
    }
}
