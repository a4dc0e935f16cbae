import GlassDeliveryHost
import GlassHost
import GlassMarkets
import GlassPlatform
import GlassPlatformMocks

// Invoked as `glass-host`, it runs the commands of `glass-host`: the release installs this one executable by both names.
@main
struct Program: HostProgram, DeliveryProgram {
    static let module = MarketModule.platform
    static let mocks = Service.platformMocks
}
