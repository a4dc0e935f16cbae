import GlassHost
import GlassImportReaders
import GlassMarkets
import GlassPlatform
import GlassPlatformMocks

@main
struct Program: HostProgram {
    static let module = MarketModule.platform
    static let mocks = Service.platformMocks

    /// Runs the command with the parsers for `import`, which no library contains.
    static func main() {
        RootCommand.run(HostSettings(module: module, mocks: mocks, importReaders: .all))
    }
}
