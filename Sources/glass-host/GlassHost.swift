import GlassHost
import GlassMarkets
import GlassPlatform
import GlassPlatformMocks

@main
struct Program: HostProgram {
    static let module = MarketModule.platform
    static let mocks = Service.platformMocks
}
