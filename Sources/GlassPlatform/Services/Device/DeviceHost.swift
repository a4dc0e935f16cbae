/// The program's settings for the device: the source of permission prompts and locations, and the opener of links.
public struct DeviceHost: Sendable {
    /// The prompt that asks users for permissions; `nil` uses the system's own on Apple systems, and
    /// ``permissionPolicy`` elsewhere.
    public var permissionPrompt: PermissionPrompt?
    /// The answer to permission requests on a system without its own prompt, such as Linux.
    public var permissionPolicy = PermissionPolicy.deny
    /// The source of the app's usage descriptions for permissions.
    package var usageDescriptions = UsageDescriptions.system
    /// Whether the device has a camera.
    package var camera = CameraPresence.system
    /// The source of locations; `nil` uses Core Location on Apple systems. Other systems have no source of their own, and
    /// without one, listeners get ``LocationError/noSource``.
    public var locationSource: (any LocationSource)?
    /// The opener of links that leave the app.
    public var urlOpener = URLOpener.system
    /// Reads the identity of the built app.
    package var bundle: @Sendable () -> AppBundle = { .main }

    /// Creates a device that uses the system's prompt, or a policy if there is none, and the system's opener.
    public init() {}

    /// The prompt for permissions.
    package var prompt: PermissionPrompt {
        if let permissionPrompt { return permissionPrompt }
        #if canImport(AVFoundation) && canImport(CoreLocation) && canImport(UserNotifications)
            return .system
        #else
            return .policy(permissionPolicy)
        #endif
    }

    /// A device without a user, for command-line programs and tests: a policy answers every prompt, and there is a
    /// camera.
    ///
    /// ```swift
    /// var host = PlatformHost()
    /// host.device = .unattended(permissions: .allow, urlOpener: .print { print($0) })
    /// ```
    ///
    /// - Parameters:
    ///   - permissions: The answer to every prompt.
    ///   - locations: The locations that the device reports, in order.
    ///   - urlOpener: The opener of links that leave the app.
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
