public import GlassSchema

/// The permissions that the app requests.
///
/// They may vary at start, because the app requests them while it runs. Its `Info.plist` must allow the most that it
/// requests in any situation.
public struct PermissionsConfiguration: ConfigurationSection {
    /// The notification features that the app requests.
    public var notificationOptions = [NotificationOption.alert, .sound, .badge]
    /// When the app can access the device's location.
    public var locationLevel = LocationLevel.whenInUse
    /// Whether location updates continue while the app is in the background.
    public var allowsBackgroundLocationUpdates = false

    /// A feature of notifications. The names are those of Apple's authorization options.
    public enum NotificationOption: String, ConfigurationChoice {
        /// Show an alert.
        case alert
        /// Play a sound.
        case sound
        /// Put a number on the icon.
        case badge
        /// Appear in a car.
        case carPlay
        /// Deliver quietly, without a prompt.
        case provisional
    }

    /// When the app can access the device's location.
    public enum LocationLevel: String, ConfigurationChoice {
        /// While the app is in use.
        case whenInUse
        /// Always.
        case always
    }

    /// The keys of the section.
    public static let keys: [ConfigurationKey<Self>] = [
        .init(
            "notificationOptions", \.notificationOptions, .set(of: NotificationOption.valueType),
            "The notification features that the app requests."
        ).role(.notificationOptions),
        .init("locationLevel", \.locationLevel, "When the app can access the device's location.").role(.locationLevel),
        .init(
            "allowsBackgroundLocationUpdates", \.allowsBackgroundLocationUpdates,
            "Whether location updates continue in the background."
        ).role(.backgroundLocation),
    ]

    /// Location updates in the background require the level `always`.
    public static let rules: [ConfigurationRule<Self>] = [
        .init(reads: ["allowsBackgroundLocationUpdates", "locationLevel"]) { permissions in
            guard permissions.allowsBackgroundLocationUpdates, permissions.locationLevel != .always else { return [] }
            return [
                Inconsistency(
                    "allowsBackgroundLocationUpdates", "requires locationLevel = \"always\"",
                    hint: "set locationLevel = \"always\", or the system stops location updates in the background",
                    others: ["locationLevel"])
            ]
        }
    ]

    /// Creates the configuration with every default.
    public init() {}
}
