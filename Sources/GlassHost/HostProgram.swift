public import GlassMarkets

/// A command line for the markets of a module: all commands of `glass-host`, for an app's own sections, routables and
/// services.
///
/// ```swift
/// @main
/// struct ShopHost: HostProgram {
///     static let module = MarketModule.shop
///     static let mocks = Service.platformMocks + Service.shopMocks
/// }
/// ```
public protocol HostProgram: SendableMetatype {
    /// The module of the markets.
    static var module: MarketModule { get }
    /// Services that replace those of the module: those that leave the machine in `run`, `test` and `repl`, and all of them
    /// with `--services mock` and when services are described to editors. By default there are none.
    static var mocks: [Service] { get }
}

extension HostProgram {
    /// None.
    public static var mocks: [Service] { [] }

    /// Runs the command that the arguments of the process name, and ends the process.
    public static func main() {
        RootCommand.run(HostSettings(module: module, mocks: mocks))
    }
}

/// The program's part of what commands need.
struct HostSettings: Sendable {
    /// The module of the markets.
    let module: MarketModule
    /// Services that replace those of the module.
    let mocks: [Service]

    /// The settings of the running program; empty in a test that makes commands itself.
    @TaskLocal static var current = HostSettings(module: MarketModule("none"), mocks: [])
}
