import GlassHost
import GlassMarkets

@main
struct CornerHost: HostProgram {
    static let module = MarketModule("corner")
}
