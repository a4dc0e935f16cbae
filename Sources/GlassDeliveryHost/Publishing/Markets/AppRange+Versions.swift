import GlassDelivery

extension AppRange {
    /// Whether an app version gets the market, by the same rules as on devices.
    func contains(_ version: String) -> Bool {
        guard let version = AppVersion(version) else { return true }
        if let low = min.flatMap(AppVersion.init), !version.isAtLeast(low) { return false }
        if let high = max.flatMap(AppVersion.init), !version.isAtMost(high) { return false }
        return true
    }
}
