public import Foundation
public import GlassMarkets

/// The reason why a delivered market cannot be loaded, or why an app cannot deliver markets.
public enum DeliveryError: DescriptiveError, Sendable {
    /// The snapshot embedded in the app cannot be used, which is an error in the app's build.
    case embedded(_ folder: String, reason: String)
    /// The version of the app does not consist of numbers separated by dots.
    case appVersion(_ text: String)
    /// Neither the store nor the app has a market of this id.
    case noSuchMarket(_ id: String)
    /// The market is older than the app allows, and the app's policy is not to use it then.
    case expired(_ id: String, since: Date)

    /// The problem and how to fix it.
    public var description: String {
        switch self {
        case .embedded(let folder, let reason):
            "the embedded markets in \(folder) cannot be used: \(reason); "
                + "create the folder again with `glass-delivery fetch` when you build the app"
        case .appVersion(let text):
            "\"\(text)\" is not an app version; use one to four numbers separated by dots, such as 25.1"
        case .noSuchMarket(let id): "neither the app nor the server has a market \"\(id)\" that this app can use"
        case .expired(let id, let since):
            "market \"\(id)\" has been older than the app allows since \(since.ISO8601Format()); refresh it"
        }
    }
}
