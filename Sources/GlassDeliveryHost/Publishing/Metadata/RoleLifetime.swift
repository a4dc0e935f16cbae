import GlassDelivery

extension UpdateRole {
    /// The number of days for which its metadata is valid after signing: few if a machine signs, many if people have to
    /// meet to sign.
    var lifetimeInDays: Int {
        switch self {
        case .root: 365
        case .targets: 180
        case .snapshot: 30
        // The job may fail for a long weekend without consequences, even if nobody fixes it.
        case .timestamp: 7
        }
    }

    /// The lifetime in seconds.
    var lifetime: Int { lifetimeInDays * 86_400 }
}
