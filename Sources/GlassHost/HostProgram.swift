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
    /// What the markets may say, and which services they have.
    static var module: MarketModule { get }
    /// Services in the place of those of the module: for those that leave the machine in `run`, `test` and `repl`, for
    /// all with `--services mock`, and to describe services to editors. By default none.
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

/// What the commands know of the program that they are part of.
struct HostSettings: Sendable {
    /// What the markets may say, and which services they have.
    let module: MarketModule
    /// Services in the place of those of the module.
    let mocks: [Service]

    /// The settings of the program that runs; of no program in a test that makes commands itself.
    @TaskLocal static var current = HostSettings(module: MarketModule("none"), mocks: [])
}
