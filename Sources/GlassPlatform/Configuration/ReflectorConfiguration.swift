public import GlassSchema

/// The routing of requests to a named backend.
public struct ReflectorConfiguration: ConfigurationSection {
    /// The name of the routing cookie.
    public var cookie = "wm_reflector"

    /// The keys of the section.
    public static let keys: [ConfigurationKey<Self>] = [
        .init("cookie", \.cookie, .string(.headerName), "The name of the routing cookie. \(DefaultNameNote.note)")
    ]

    /// Creates the configuration with every default.
    public init() {}
}
