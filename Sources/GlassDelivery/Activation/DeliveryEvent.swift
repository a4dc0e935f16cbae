public import GlassMarkets

/// Something that happened to a delivered market, for an app's log and telemetry.
public struct DeliveryEvent: Sendable, Hashable, CustomStringConvertible {
    /// What can happen.
    public enum Kind: Sendable, Hashable {
        /// A version was downloaded and verified, and waits for the next start.
        case pending(MarketDeliveryStatus.Version)
        /// A version is tried.
        case onTrial(MarketDeliveryStatus.Version)
        /// A version works; nil for the one that came with the app.
        case healthy(MarketDeliveryStatus.Version?)
        /// A version was given up for another; nil for the one that came with the app.
        case wentBack(
            from: MarketDeliveryStatus.Version, to: MarketDeliveryStatus.Version?, reason: String)
        /// The server offers a version that was given up before.
        case ignored(MarketDeliveryStatus.Version, reason: String)
        /// A version was downloaded, and this app can do nothing with it.
        case refused(digest: String, reason: String)
        /// The newest version is not for this app.
        case incompatible(reason: String)
        /// A version could not be downloaded or stored; the next refresh tries again.
        case notStored(MarketDeliveryStatus.Version, reason: String)
    }

    /// The market's id.
    public let market: String
    /// What happened.
    public let kind: Kind

    /// One sentence for a log.
    public var description: String {
        func name(_ version: MarketDeliveryStatus.Version?) -> String { version.map { "\($0)" } ?? "the app's own" }
        let text =
            switch kind {
            case .pending(let version): "version \(version) waits for the next start"
            case .onTrial(let version): "version \(version) is on trial"
            case .healthy(let version): "version \(name(version)) works"
            case .wentBack(let version, let other, let reason):
                "version \(version) was given up for \(name(other)): \(reason)"
            case .ignored(let version, let reason): "version \(version) is offered again and ignored: \(reason)"
            case .refused(let digest, let reason): "version (\(digest.prefix(12))) is refused: \(reason)"
            case .incompatible(let reason): "the newest version is not for this app: \(reason)"
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
    /// The version as a status tells it.
    var `public`: MarketDeliveryStatus.Version { MarketDeliveryStatus.Version(digest: digest, serial: serial) }
}
