import CommandTesting
import Foundation
import GlassHost
import GlassMarkets
import GlassPlatform
import GlassPlatformMocks

/// A command of `glass-host` that runs in the process of the tests.
typealias HostRun = CommandRun

extension CommandRun {
    /// Runs a command of `glass-host` and waits for its end.
    init(
        _ arguments: [String], environment: [String: String] = [:], folder: URL = CommandRun.repository,
        input: String? = nil
    ) throws {
        try self.init(
            arguments, of: RootCommand.self, HostSettings(module: .platform, mocks: Service.platformMocks),
            name: "glass-host", environment: environment, folder: folder, input: input)
    }
}
