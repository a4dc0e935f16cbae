public import GlassHost
public import GlassMarkets

/// A command-line program that publishes and fetches the markets of a module, with all commands of `glass-delivery`.
///
/// It is separate from the app's host, so that people who only write markets do not have to build the code for signing.
/// A program that also conforms to `HostProgram` has both command lines, for a package that installs both.
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

// Both command lines in one executable are about half the size of two executables.
extension DeliveryProgram where Self: HostProgram {
    /// Runs the command that the arguments of the process name, and exits.
    ///
    /// The executable is installed under two names. If the name by which the user invokes it contains `delivery`, it runs
    /// the commands of `glass-delivery`; otherwise, it runs those of `glass-host`.
    public static func main() {
        let settings = HostSettings(module: module, mocks: mocks)
        if ProgramName.current.contains("delivery") { DeliveryCommand.run(settings) }
        RootCommand.run(settings)
    }
}
