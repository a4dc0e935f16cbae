public import GlassSchema

/// What the app asks its user to allow.
public struct PermissionsConfiguration: ConfigurationSection {
    /// What a notification may do.
    public var notificationOptions = [NotificationOption.alert, .sound, .badge]
    /// When the app may know where it is.
    public var locationLevel = LocationLevel.whenInUse
    /// Whether location updates go on while the app is in the background.
    public var allowsBackgroundLocationUpdates = false

    /// What a notification may do; the names are those of Apple's authorization options.
    public enum NotificationOption: String, ConfigurationChoice {
        /// Show an alert.
        case alert
        /// Play a sound.
        case sound
        /// Put a number on the icon.
        case badge
        /// Show up in a car.
        case carPlay
        /// Ask for nothing first and deliver quietly.
        case provisional
    }

    /// When the app may know where it is.
    public enum LocationLevel: String, ConfigurationChoice {
        /// While it is used.
        case whenInUse
        /// Always.
        case always
    }

    /// The keys of the section.
    public static let keys: [ConfigurationKey<Self>] = [
        .init(
            "notificationOptions", \.notificationOptions, .set(of: NotificationOption.valueType),
            "What a notification may do."),
        .init("locationLevel", \.locationLevel, "When the app may know where it is."),
        .init(
            "allowsBackgroundLocationUpdates", \.allowsBackgroundLocationUpdates,
            "Whether location updates go on in the background."),
    ]

    /// Creates the configuration with every default.
    public init() {}

    /// Creates the configuration.
    ///
    /// - Parameters:
    ///   - notificationOptions: What a notification may do.
    ///   - locationLevel: When the app may know where it is.
    ///   - allowsBackgroundLocationUpdates: Whether location updates go on while the app is in the background.
    public init(
        notificationOptions: [NotificationOption] = [NotificationOption.alert, .sound, .badge],
        locationLevel: LocationLevel = .whenInUse, allowsBackgroundLocationUpdates: Bool = false
    ) {
        self.notificationOptions = notificationOptions
        self.locationLevel = locationLevel
        self.allowsBackgroundLocationUpdates = allowsBackgroundLocationUpdates
    }

    /// Updates in the background need permission to always know the location.
    public func inconsistencies() -> [Inconsistency] {
        guard allowsBackgroundLocationUpdates, locationLevel != .always else { return [] }
        return [
            Inconsistency(
                "allowsBackgroundLocationUpdates", "needs locationLevel = \"always\"",
                hint: "the system stops updates in the background for an app that may know its place only in use",
                others: ["locationLevel"])
        ]
    }
}
