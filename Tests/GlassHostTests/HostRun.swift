import CommandTesting
import Foundation
@testable import GlassHost
import GlassMarkets
import GlassPlatform
import GlassPlatformMocks

/// A `glass-host` command that runs in the process of the tests.
typealias HostRun = CommandRun

extension CommandRun {
    /// Runs a `glass-host` command and waits until it ends.
    init(
        _ arguments: [String], environment: [String: String] = [:], folder: URL = CommandRun.repository,
        input: String? = nil, outputLimit: Int = CommandContext.usualOutputLimit,
        joinsStreams: Bool = false
    ) throws {
        try self.init(
            arguments, of: RootCommand.self,
            HostSettings(module: .platform, mocks: Service.platformMocks),
            name: "glass-host", environment: environment, folder: folder, input: input, outputLimit: outputLimit,
            joinsStreams: joinsStreams)
    }
}
