import GlassHost
public import GlassMarkets

/// A command-line program that publishes and fetches the markets of a module, with all commands of `glass-delivery`.
///
/// It is separate from the app's host, so that people who only write markets do not have to build the code for signing.
///
/// ```swift
/// @main
/// struct ShopDelivery: DeliveryProgram {
///     static let module = MarketModule.shop
/// }
/// ```
public protocol DeliveryProgram: SendableMetatype {
    /// The module of the markets. Evaluated once, before the command runs, on a thread other than the main thread.
    static var module: MarketModule { get }
}

extension DeliveryProgram {
    /// Runs the command that the arguments of the process name, and exits.
    public static func main() {
        DeliveryCommand.run(HostSettings(module: module))
    }
}
