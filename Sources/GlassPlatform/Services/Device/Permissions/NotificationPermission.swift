/// The permission to show notifications.
///
/// ```swift
/// let permission = NotificationPermission(options: [.alert, .sound], prompt: .policy(.allow))
/// print(try await permission.request().name)  // granted
/// ```
public final class NotificationPermission: NotificationPermissionProvider, MachinePermission {
    /// The notification features that the app requests.
    public let options: [PermissionsConfiguration.NotificationOption]
    package let machine: PermissionMachine

    /// Creates the service.
    ///
    /// - Parameters:
    ///   - options: The notification features that the app requests.
    ///   - prompt: The prompt for the user. Without one, requests are denied.
    public init(options: [PermissionsConfiguration.NotificationOption], prompt: PermissionPrompt? = nil) {
        self.options = options
        machine = PermissionMachine(.notifications(options: options), prompt: prompt)
    }
}
