public import Foundation

/// What the program that embeds the platform decides, whatever the market.
public struct PlatformHost: Sendable {
    /// Where services keep what outlives the process; nil keeps everything in memory.
    public var stateFolder: URL?

    /// Creates a host.
    ///
    /// - Parameter stateFolder: Where services keep what outlives the process; nil keeps everything in memory.
    public init(stateFolder: URL? = nil) {
        self.stateFolder = stateFolder
    }
}
