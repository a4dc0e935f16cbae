/// The permission to access the device's location.
public final class LocationPermission: LocationPermissionProvider, MachinePermission {
    /// When the app can access the device's location.
    public let locationPermissionLevel: PermissionsConfiguration.LocationLevel
    package let machine: PermissionMachine

    /// Creates the service.
    ///
    /// - Parameters:
    ///   - locationPermissionLevel: When the app can access the device's location.
    ///   - prompt: The prompt for the user. Without one, requests are denied.
    /// - Throws: ``PermissionError/missingUsageDescription(_:key:)`` if the app does not describe its use of the level.
    ///   On Apple platforms, the system terminates an app that asks without a description; other platforms require
    ///   none.
    public convenience init(
        locationPermissionLevel: PermissionsConfiguration.LocationLevel, prompt: PermissionPrompt? = nil
    ) throws(PermissionError) {
        try self.init(locationPermissionLevel: locationPermissionLevel, prompt: prompt, usage: .system)
    }

    /// Creates the service.
    package init(
        locationPermissionLevel: PermissionsConfiguration.LocationLevel, prompt: PermissionPrompt? = nil,
        usage: UsageDescriptions
    ) throws(PermissionError) {
        let permission = Permission.location(level: locationPermissionLevel)
        try usage.require(permission)
        self.locationPermissionLevel = locationPermissionLevel
        machine = PermissionMachine(permission, prompt: prompt)
    }

    /// Creates a service that cannot be granted, for an app that has to work without the permission.
    init(locationPermissionLevel: PermissionsConfiguration.LocationLevel, restrictedBy error: PermissionError) {
        self.locationPermissionLevel = locationPermissionLevel
        machine = PermissionMachine(.location(level: locationPermissionLevel), prompt: nil, restriction: "\(error)")
    }
}
