public import GlassPlatform

/// A permission for notifications that a test decides.
public final class NotificationPermissionProviderMock: NotificationPermissionProvider {
    /// What a notification may do.
    public let options: [PermissionsConfiguration.NotificationOption]
    private let machine: PermissionMachine

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

    /// Notifications, with the options.
    public var permission: Permission { machine.permission }
    /// How far the permission has come.
    public var status: PermissionStatus { machine.status }
    /// The status now and then each change.
    public func statusUpdates() -> AsyncStream<PermissionStatus> { machine.changes() }
    /// What the prompt answers, unless somebody has decided.
    public func request() async throws -> PermissionStatus { try await machine.request() }
    /// What the prompt remembers.
    public func refresh() async -> PermissionStatus { await machine.refresh() }

    /// Decides without asking.
    ///
    /// - Parameter status: The new status.
    public func set(_ status: PermissionStatus) { machine.set(status) }
}

/// A permission for the location that a test decides.
public final class LocationPermissionProviderMock: LocationPermissionProvider {
    /// When the app may know its place.
    public let locationPermissionLevel: PermissionsConfiguration.LocationLevel
    private let machine: PermissionMachine

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

    /// The location, with the level.
    public var permission: Permission { machine.permission }
    /// How far the permission has come.
    public var status: PermissionStatus { machine.status }
    /// The status now and then each change.
    public func statusUpdates() -> AsyncStream<PermissionStatus> { machine.changes() }
    /// What the prompt answers, unless somebody has decided.
    public func request() async throws -> PermissionStatus { try await machine.request() }
    /// What the prompt remembers.
    public func refresh() async -> PermissionStatus { await machine.refresh() }

    /// Decides without asking.
    ///
    /// - Parameter status: The new status.
    public func set(_ status: PermissionStatus) { machine.set(status) }
}

/// A permission for video that a test decides.
public final class VideoPermissionProviderMock: VideoPermissionProvider {
    private let machine: PermissionMachine

    /// Creates a mock.
    ///
    /// - Parameter prompt: What answers a request; by default yes.
    public init(prompt: PermissionPrompt = .policy(.allow)) {
        machine = PermissionMachine(.video, prompt: prompt)
    }

    /// Video.
    public var permission: Permission { machine.permission }
    /// How far the permission has come.
    public var status: PermissionStatus { machine.status }
    /// The status now and then each change.
    public func statusUpdates() -> AsyncStream<PermissionStatus> { machine.changes() }
    /// What the prompt answers, unless somebody has decided.
    public func request() async throws -> PermissionStatus { try await machine.request() }
    /// What the prompt remembers.
    public func refresh() async -> PermissionStatus { await machine.refresh() }

    /// Decides without asking.
    ///
    /// - Parameter status: The new status.
    public func set(_ status: PermissionStatus) { machine.set(status) }
}
