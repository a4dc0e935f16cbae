import AppModule
import GlassHost
import GlassMarkets

@main
struct AppHost: HostProgram {
    static let module = MarketModule.corner
}
