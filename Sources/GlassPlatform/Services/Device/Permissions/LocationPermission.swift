/// Asks whether the app may know where the device is.
public final class LocationPermission: LocationPermissionProvider, MachinePermission {
    /// When it may know.
    public let locationPermissionLevel: PermissionsConfiguration.LocationLevel
    package let machine: PermissionMachine

    /// Creates the service.
    ///
    /// - Parameters:
    ///   - locationPermissionLevel: When the app may know its place.
    ///   - prompt: How the user is asked; without one a request is denied.
    /// - Throws: ``PermissionError/missingUsageDescription(_:key:)`` when the app does not say what it wants the level
    ///   for. On Apple platforms the system ends an app that asks without; elsewhere no such text is needed.
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

    /// Creates a service that cannot be granted, for an app that must run all the same.
    init(locationPermissionLevel: PermissionsConfiguration.LocationLevel, restrictedBy error: PermissionError) {
        self.locationPermissionLevel = locationPermissionLevel
        machine = PermissionMachine(.location(level: locationPermissionLevel), prompt: nil, restriction: "\(error)")
    }
}
