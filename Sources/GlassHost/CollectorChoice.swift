package import Foundation

/// Where the events of a command's live services go.
package enum CollectorChoice: Sendable, Equatable {
    /// To the sinks that the market names.
    case market
    /// To a collector.
    case url(URL)

    /// Reads `market`, or the URL of a collector.
    init?(_ text: String) {
        if text == "market" {
            self = .market
        } else {
            guard let url = URL(string: text) else { return nil }
            self = .url(url)
        }
    }

    /// The collector; nil where the market says.
    var url: URL? { if case .url(let url) = self { url } else { nil } }
}
