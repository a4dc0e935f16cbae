public import Foundation

/// Where remote configuration comes from.
public enum RemoteConfigurationChoice: Sendable {
    /// From the service that the market names under `platform.quimby`; from nowhere when its environment has no such
    /// service.
    case market
    /// From nowhere: policies are the market's.
    case none
    /// From a file.
    case file(URL)
    /// From another service of the market; from nowhere when the environment has no such service.
    case service(_ name: String, path: String)
    /// From a source of the program's own.
    case source(any RemoteConfigurationSource)
}
