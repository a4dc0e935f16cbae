import GlassBase
public import GlassMarkets
import GlassPlatform

/// A command line for the markets of a module: all commands of `glass-host`, for an app's own sections, routables, and
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
    /// The module of the markets. Evaluated once.
    static var module: MarketModule { get }
    /// Mocks that replace services of the module: external services in `run`, `test`, and `repl`; all services with
    /// `--services mock` and in the service descriptions for editors. Empty by default.
    static var mocks: [Service] { get }
}

extension HostProgram {
    /// An empty list.
    public static var mocks: [Service] { [] }

    /// Runs the command that the arguments of the process specify, and exits the process.
    public static func main() {
        RootCommand.run(HostSettings(module: module, mocks: mocks))
    }
}

/// The module and the mocks of a program.
package struct HostSettings: Sendable {
    private let ownModule: LazyValue<MarketModule>
    private let ownMocks: LazyValue<[Service]>

    /// The module of the markets. Created on first use; `--help` and `--version` do not need it.
    package var module: MarketModule { ownModule.value }

    /// Services that replace those of the module. Created on first use.
    var mocks: [Service] { ownMocks.value }

    /// Creates settings, which evaluate their arguments on first use.
    package init(
        module: @autoclosure @escaping @Sendable () -> MarketModule,
        mocks: @autoclosure @escaping @Sendable () -> [Service] = []
    ) {
        ownModule = LazyValue {
            let module = module()
            // A command keeps data in memory or in the folder of --state, and never in that of an app.
            guard module.allServices.contains(where: { $0.type == PlatformHost.self }) else { return module }
            return module.overriding(services: [.host(.inMemory)])
        }
        ownMocks = LazyValue(mocks)
    }

    /// The settings of the running program; empty in a test that creates commands directly.
    @TaskLocal static var current = HostSettings(module: MarketModule("none"), mocks: [])
}
