import GlassBase
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
    /// The module of the markets. Evaluated once, before the command runs, on another thread than the main one.
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
package struct HostSettings: Sendable {
    private let ownModule: LazyValue<MarketModule>
    private let ownMocks: LazyValue<[Service]>

    /// The module of the markets. Made when it is first read; `--help` and `--version` do not need it.
    package var module: MarketModule { ownModule.value }

    /// Services that replace those of the module, made for the first command that asks.
    var mocks: [Service] { ownMocks.value }

    /// Takes a program's part.
    package init(
        module: @autoclosure @escaping @Sendable () -> MarketModule,
        mocks: @autoclosure @escaping @Sendable () -> [Service] = []
    ) {
        ownModule = LazyValue(module)
        ownMocks = LazyValue(mocks)
    }

    /// Makes in advance what every market of the module needs and a process makes only once: the declarations of its keys,
    /// their key paths, and the types that the runtime instantiates for both. This is an eighth of the work of `open` and takes
    /// about as long as parsing a command line, so a program runs the two side by side.
    ///
    /// The schema itself is thrown away. A command makes its own, perhaps with other services; by then that is quick.
    func warmUp() { _ = MarketSchema(module) }

    /// The settings of the running program; empty in a test that makes commands itself.
    @TaskLocal static var current = HostSettings(module: MarketModule("none"), mocks: [])
}
