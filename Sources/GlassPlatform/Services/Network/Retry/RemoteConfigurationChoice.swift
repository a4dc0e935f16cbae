public import Foundation

/// The source of remote configuration.
public enum RemoteConfigurationChoice: Sendable {
    /// The service that the market names under `platform.quimby`, or none if the environment has no such service.
    case market
    /// No source: policies are the market's.
    case none
    /// A file.
    case file(URL)
    /// Another service of the market, or none if the environment has no such service.
    case service(_ name: String, path: String)
    /// A source that the program provides.
    case source(any RemoteConfigurationSource)
}
