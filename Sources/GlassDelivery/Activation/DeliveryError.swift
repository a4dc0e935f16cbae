public import Foundation
public import GlassMarkets

/// Why a delivered market cannot be loaded, or an app cannot deliver markets.
public enum DeliveryError: DescriptiveError, Sendable {
    /// The snapshot that came with the app cannot be used: a mistake of the app's build.
    case embedded(_ folder: String, reason: String)
    /// The version of the app is not made of numbers between dots.
    case appVersion(_ text: String)
    /// Neither the store nor the app has a market of this id.
    case noSuchMarket(_ id: String)
    /// The market is older than the app allows, and the app wants none then.
    case expired(_ id: String, since: Date)

    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .embedded(let folder, let reason):
            "the markets that came with the app, in \(folder), cannot be used: \(reason); "
                + "make the folder again with `glass-delivery fetch` when the app is built"
        case .appVersion(let text):
            "\"\(text)\" is no version of an app; give one to four numbers between dots, such as 25.1"
        case .noSuchMarket(let id): "neither the app nor the server has a market \"\(id)\" that this app can use"
        case .expired(let id, let since):
            "market \"\(id)\" is older than the app allows, since \(since.ISO8601Format()); refresh it"
        }
    }
}
