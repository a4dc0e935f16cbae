public import GlassPlatform

/// A notification permission that a test decides.
public final class NotificationPermissionProviderMock: NotificationPermissionProvider, PermissionMock {
    /// The notification features that the app requests.
    public let options: [PermissionsConfiguration.NotificationOption]
    package let machine: PermissionMachine

    /// Creates a mock.
    ///
    /// - Parameters:
    ///   - options: The notification features that the app requests.
    ///   - prompt: The prompt that answers requests. By default, it grants them.
    public init(
        options: [PermissionsConfiguration.NotificationOption] = [.alert], prompt: PermissionPrompt = .policy(.allow)
    ) {
        self.options = options
        machine = PermissionMachine(.notifications(options: options), prompt: prompt)
    }

    /// Sets the status without asking.
    ///
    /// - Parameter status: The new status.
    public func set(_ status: PermissionStatus) { machine.set(status) }
}

/// A location permission that a test decides.
public final class LocationPermissionProviderMock: LocationPermissionProvider, PermissionMock {
    /// When the app can access the device's location.
    public let locationPermissionLevel: PermissionsConfiguration.LocationLevel
    package let machine: PermissionMachine

    /// Creates a mock.
    ///
    /// - Parameters:
    ///   - locationPermissionLevel: When the app can access the device's location.
    ///   - prompt: The prompt that answers requests. By default, it grants them.
    public init(
        locationPermissionLevel: PermissionsConfiguration.LocationLevel = .whenInUse,
        prompt: PermissionPrompt = .policy(.allow)
    ) {
        self.locationPermissionLevel = locationPermissionLevel
        machine = PermissionMachine(.location(level: locationPermissionLevel), prompt: prompt)
    }

    /// Sets the status without asking.
    ///
    /// - Parameter status: The new status.
    public func set(_ status: PermissionStatus) { machine.set(status) }
}

/// A video permission that a test decides.
public final class VideoPermissionProviderMock: VideoPermissionProvider, PermissionMock {
    package let machine: PermissionMachine

    /// Creates a mock.
    ///
    /// - Parameter prompt: The prompt that answers requests. By default, it grants them.
    public init(prompt: PermissionPrompt = .policy(.allow)) {
        machine = PermissionMachine(.video, prompt: prompt)
    }

    /// Sets the status without asking.
    ///
    /// - Parameter status: The new status.
    public func set(_ status: PermissionStatus) { machine.set(status) }
}
