import GlassHost
public import GlassMarkets

/// A command line that publishes and fetches the markets of a module: all commands of `glass-delivery`.
///
/// It is a program beside the app's host, so that the people who write markets do not build what signs them.
///
/// ```swift
/// @main
/// struct ShopDelivery: DeliveryProgram {
///     static let module = MarketModule.shop
/// }
/// ```
public protocol DeliveryProgram: SendableMetatype {
    /// The module of the markets. Evaluated once, before the command runs, on another thread than the main one.
    static var module: MarketModule { get }
}

extension DeliveryProgram {
    /// Runs the command that the arguments of the process name, and ends the process.
    public static func main() {
        DeliveryCommand.run(HostSettings(module: module))
    }
}
