public import GlassMarkets

/// An event of a delivered market, for an app's log and telemetry.
public struct DeliveryEvent: Sendable, Hashable, CustomStringConvertible {
    /// The kind of an event.
    public enum Kind: Sendable, Hashable {
        /// A version was downloaded and verified, and is pending until the next launch.
        case pending(MarketDeliveryStatus.Version)
        /// A version is on trial.
        case onTrial(MarketDeliveryStatus.Version)
        /// A version is healthy; `nil` for the embedded one.
        case healthy(MarketDeliveryStatus.Version?)
        /// A version was abandoned for another one; `nil` for the embedded one.
        case wentBack(
            from: MarketDeliveryStatus.Version, to: MarketDeliveryStatus.Version?, reason: String)
        /// The server offers a version that was abandoned earlier.
        case ignored(MarketDeliveryStatus.Version, reason: String)
        /// A version was downloaded, but this app cannot use it.
        case refused(digest: String, reason: String)
        /// The newest version is not compatible with this app.
        case incompatible(reason: String)
        /// A version could not be downloaded or stored; the next refresh retries.
        case notStored(MarketDeliveryStatus.Version, reason: String)
    }

    /// The market's id.
    public let market: String
    /// The event itself.
    public let kind: Kind

    /// A one-line description for a log.
    public var description: String {
        func name(_ version: MarketDeliveryStatus.Version?) -> String {
            version.map { "version \($0)" } ?? "the embedded version"
        }
        let text =
            switch kind {
            case .pending(let version): "version \(version) is pending until the next launch"
            case .onTrial(let version): "version \(version) is on trial"
            case .healthy(let version): "\(name(version)) is healthy"
            case .wentBack(let version, let other, let reason):
                "version \(version) was abandoned for \(name(other)): \(reason)"
            case .ignored(let version, let reason): "version \(version) was offered again and ignored: \(reason)"
            case .refused(let digest, let reason): "version (\(digest.prefix(12))) was rejected: \(reason)"
            case .incompatible(let reason): "the newest version is not compatible with this app: \(reason)"
            case .notStored(let version, let reason): "version \(version) could not be stored: \(reason)"
            }
        return "\(market): \(text)"
    }
}

extension DeliveryEvent {
    init(_ market: String, _ note: MarketHealth.Notice) {
        self.market = market
        kind =
            switch note {
            case .pending(let version): .pending(version.public)
            case .onTrial(let version): .onTrial(version.public)
            case .healthy(let version): .healthy(version?.public)
            case .wentBack(let version, let other, let reason):
                .wentBack(from: version.public, to: other?.public, reason: reason)
            case .ignored(let version, let quarantine): .ignored(version.public, reason: quarantine.reason)
            case .refused(let digest, let reason): .refused(digest: digest, reason: reason)
            }
    }
}

extension DeliveredVersion {
    /// The version in the form that a status uses.
    var `public`: MarketDeliveryStatus.Version { MarketDeliveryStatus.Version(digest: digest, serial: serial) }
}
