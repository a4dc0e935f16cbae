package import Foundation

/// The destination of analytics events from a command's live services.
package enum CollectorChoice: Sendable, Equatable {
    /// The sinks that the market configures.
    case market
    /// The URL of a collector.
    case url(URL)

    /// Parses `market`, or the URL of a collector.
    init?(_ text: String) {
        if text == "market" {
            self = .market
        } else {
            guard let url = URL(string: text) else { return nil }
            self = .url(url)
        }
    }

    /// The URL of the collector; nil for the market's own sinks.
    var url: URL? { if case .url(let url) = self { url } else { nil } }
}
