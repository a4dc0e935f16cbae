/// What the program that embeds the platform decides about the device: how users are asked, where places come from, and
/// what opens links.
public struct DeviceHost: Sendable {
    /// How users are asked for permissions; nil is the system's own prompt on Apple's systems, and elsewhere
    /// ``permissionPolicy``.
    public var permissionPrompt: PermissionPrompt?
    /// What is answered where nobody can be asked: on a system without a prompt of its own, such as Linux.
    public var permissionPolicy = PermissionPolicy.deny
    /// Where the app says what it wants a permission for.
    package var usageDescriptions = UsageDescriptions.system
    /// Whether there is a camera.
    package var camera = CameraPresence.system
    /// Where places come from; nil is the system's source, if it has one.
    package var locationSource: (any LocationSource)?
    /// What opens the links that leave the app.
    public var urlOpener = URLOpener.system
    /// Reads what the built app says about itself.
    package var bundle: @Sendable () -> AppBundle = { .main }

    /// Creates a device that asks with the system's prompt, or by policy where there is none, and opens links with the
    /// system's opener.
    public init() {}

    /// How a permission is asked for.
    package var prompt: PermissionPrompt {
        if let permissionPrompt { return permissionPrompt }
        #if canImport(AVFoundation) && canImport(CoreLocation) && canImport(UserNotifications)
            return .system
        #else
            return .policy(permissionPolicy)
        #endif
    }

    /// A device without a user, for command lines and tests: a policy answers every prompt, and there is a camera.
    ///
    /// ```swift
    /// var host = PlatformHost()
    /// host.device = .unattended(permissions: .allow, urlOpener: .print { print($0) })
    /// ```
    ///
    /// - Parameters:
    ///   - permissions: The answer to every prompt.
    ///   - locations: The places that the device reports, in order.
    ///   - urlOpener: What opens the links that leave the app.
    /// - Returns: The device.
    public static func unattended(
        permissions: PermissionPolicy, locations: [Location] = [], urlOpener: URLOpener
    ) -> DeviceHost {
        var device = DeviceHost()
        device.permissionPrompt = .policy(permissions)
        device.usageDescriptions = .notNeeded
        device.camera = .present
        device.bundle = { AppBundle() }
        device.locationSource = ScriptedLocationSource(locations)
        device.urlOpener = urlOpener
        return device
    }
}
