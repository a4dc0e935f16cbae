import Dispatch
public import Foundation
import GlassBase
public import GlassMarkets

extension DeliveredMarkets {
    /// Opens a store; reads the snapshot that came with the app, and no network.
    ///
    /// The snapshot's signatures are verified before one of its markets is used, and where it is newer than the store: not
    /// by starts that run on what was delivered.
    ///
    /// - Parameters:
    ///   - module: The module of the markets. It is made on another thread while the files are read.
    ///   - embedded: The folder of the snapshot that came with the app.
    ///   - builtAt: When the app was built. The snapshot's metadata was valid then, and no earlier time is ever believed.
    ///   - store: The folder of the store, in Application Support of the app or of its app group. It is made when something
    ///     is written.
    ///   - appVersion: The version of the app: one to four numbers between dots.
    ///   - role: What this process is to the store.
    ///   - maximumAges: What the app allows the age of markets to be, by id; of others any.
    ///   - secrets: Looks up the value of a secret by its name, for names with one of the module's prefixes. The default
    ///     reads the process's environment, which in an app has none.
    /// - Throws: ``DeliveryError/embedded(_:reason:)`` if files of the snapshot are missing or malformed,
    ///   ``DeliveryError/appVersion(_:)``: mistakes of the app's build.
    public convenience init(
        _ module: @escaping @autoclosure @Sendable () -> MarketModule, embedded: URL, builtAt: Date, store: URL,
        appVersion: String, role: Role = .app,
        maximumAges: [String: MaximumAge] = [:],
        secrets: @escaping @Sendable (String) -> String? = { ProcessEnvironment.value(of: $0) }
    ) throws(DeliveryError) {
        guard let app = AppVersion(appVersion) else { throw .appVersion(appVersion) }
        let choice = TargetChoice(app: app, generation: CompiledMarket.generation, install: nil)
        let builtAt = UpdateTime(builtAt)
        let markets = LazyValue { CompiledMarkets(module(), secrets: secrets) { _ in nil } }
        // Describing the keys takes as long as proving a store, and neither needs the other. Whoever asks first makes it.
        DispatchQueue.global(qos: .userInitiated).async { _ = markets.value }
        self.init(
            embedded: try EmbeddedMarkets(path: embedded.filePath, builtAt: builtAt, choice: choice),
            store: DeliveryStore(store.filePath), clock: DeliveryClock(builtAt: builtAt), choice: choice, role: role,
            maximumAges: maximumAges
        ) { id, bytes, digest in
            // Read before the declarations are waited for.
            let market = try CompiledMarket(reading: bytes, name: "\(id).json")
            return markets.value.check(market, as: id, digest: digest)
        }
    }
}

extension MarketDelivery {
    /// Creates a delivery from a server.
    ///
    /// - Parameters:
    ///   - markets: The markets of the store.
    ///   - server: The server's folder, in which are `metadata` and `targets`: `https`, or `http` on this machine.
    ///   - redirectHosts: Further hosts that it may redirect to, such as that of a content delivery network.
    ///   - ids: The markets to fetch besides those that came with the app.
    /// - Throws: ``MetadataError`` if the server's URL is of another scheme.
    public convenience init(
        _ markets: DeliveredMarkets, server: URL, redirectHosts: Set<String> = [], ids: [String] = []
    ) throws(MetadataError) {
        let metadata = try UpdateServer(server.appending(path: "metadata"), redirectHosts: redirectHosts)
        let files = try UpdateServer(server.appending(path: "targets"), redirectHosts: redirectHosts)
        self.init(
            markets, client: UpdateClient(metadata: HTTPUpdateTransport(metadata), files: HTTPUpdateTransport(files)),
            ids: ids)
    }
}
