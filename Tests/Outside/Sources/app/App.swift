import AppMarkets
import AppModule
import GlassMarkets

/// Prints what markets say: `app nl be`.
@main
enum App {
    static func main() {
        for id in CommandLine.arguments.dropFirst() {
            do {
                let market = try AppMarkets.source.load(id)
                print(id, market.definition.currency, market[PointsConfiguration.self].perUnit)
            } catch {
                print("error: \(error)")
            }
        }
    }
}
