public import GlassPlatform

/// A permission for notifications that a test decides.
public final class NotificationPermissionProviderMock: NotificationPermissionProvider, PermissionMock {
    /// What a notification may do.
    public let options: [PermissionsConfiguration.NotificationOption]
    package let machine: PermissionMachine

    /// Creates a mock.
    ///
    /// - Parameters:
    ///   - options: What a notification may do.
    ///   - prompt: What answers a request; by default yes.
    public init(
        options: [PermissionsConfiguration.NotificationOption] = [.alert], prompt: PermissionPrompt = .policy(.allow)
    ) {
        self.options = options
        machine = PermissionMachine(.notifications(options: options), prompt: prompt)
    }

    /// Decides without asking.
    ///
    /// - Parameter status: The new status.
    public func set(_ status: PermissionStatus) { machine.set(status) }
}

/// A permission for the location that a test decides.
public final class LocationPermissionProviderMock: LocationPermissionProvider, PermissionMock {
    /// When the app may know its place.
    public let locationPermissionLevel: PermissionsConfiguration.LocationLevel
    package let machine: PermissionMachine

    /// Creates a mock.
    ///
    /// - Parameters:
    ///   - locationPermissionLevel: When the app may know its place.
    ///   - prompt: What answers a request; by default yes.
    public init(
        locationPermissionLevel: PermissionsConfiguration.LocationLevel = .whenInUse,
        prompt: PermissionPrompt = .policy(.allow)
    ) {
        self.locationPermissionLevel = locationPermissionLevel
        machine = PermissionMachine(.location(level: locationPermissionLevel), prompt: prompt)
    }

    /// Decides without asking.
    ///
    /// - Parameter status: The new status.
    public func set(_ status: PermissionStatus) { machine.set(status) }
}

/// A permission for video that a test decides.
public final class VideoPermissionProviderMock: VideoPermissionProvider, PermissionMock {
    package let machine: PermissionMachine

    /// Creates a mock.
    ///
    /// - Parameter prompt: What answers a request; by default yes.
    public init(prompt: PermissionPrompt = .policy(.allow)) {
        machine = PermissionMachine(.video, prompt: prompt)
    }

    /// Decides without asking.
    ///
    /// - Parameter status: The new status.
    public func set(_ status: PermissionStatus) { machine.set(status) }
}
