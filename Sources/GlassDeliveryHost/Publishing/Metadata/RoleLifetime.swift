import GlassDelivery

extension UpdateRole {
    /// How many days its metadata is valid, counted from the signing: short where a machine signs, long where people have
    /// to come together.
    package var lifetimeInDays: Int {
        switch self {
        case .root: 365
        case .targets: 180
        case .snapshot: 30
        // A long weekend without anyone who could look after the machine must not matter.
        case .timestamp: 7
        }
    }

    /// The lifetime in seconds.
    var lifetime: Int { lifetimeInDays * 86_400 }
}
