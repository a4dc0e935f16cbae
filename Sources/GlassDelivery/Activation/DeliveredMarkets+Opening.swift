import Dispatch
public import Foundation
import GlassBase
public import GlassMarkets

extension DeliveredMarkets {
    /// Opens a store. Reads the snapshot embedded in the app, and never uses the network.
    ///
    /// The snapshot's signatures are verified before one of its markets is used, and when the snapshot is newer than
    /// the store. Launches that use delivered markets skip this verification.
    ///
    /// - Parameters:
    ///   - module: The module of the markets. It is created on another thread while the files are read.
    ///   - embedded: The folder of the snapshot embedded in the app.
    ///   - builtAt: The time at which the app was built. The snapshot's metadata was valid then, and no earlier time is
    ///     ever trusted.
    ///   - store: The folder of the store, in the Application Support folder of the app or its app group. It is created
    ///     on the first write.
    ///   - appVersion: The version of the app: one to four numbers separated by dots.
    ///   - role: The role of this process for the store.
    ///   - maximumAges: The maximum ages that the app allows, by market id. Other markets can have any age.
    ///   - secrets: Looks up the value of a secret by its name, for names with one of the module's prefixes. The
    ///     default reads the environment of the process, which contains no secrets in an app.
    /// - Throws: ``DeliveryError/embedded(_:reason:)`` if files of the snapshot are missing or malformed, and
    ///   ``DeliveryError/appVersion(_:)`` if the version is invalid. Both are errors in the app's build.
    public convenience init(
        _ module: @escaping @autoclosure @Sendable () -> MarketModule, embedded: URL, builtAt: Date, store: URL,
        appVersion: String, role: Role = .app,
        maximumAges: [String: MaximumAge] = [:],
        secrets: @escaping @Sendable (String) -> String? = { ProcessEnvironment.value(of: $0) }
    ) throws(DeliveryError) {
        guard let app = AppVersion(appVersion) else { throw .appVersion(appVersion) }
        let choice = TargetChoice(app: app, install: nil)
        let builtAt = UpdateTime(builtAt)
        let markets = LazyValue { CompiledMarkets(module(), secrets: secrets) { _ in nil } }
        // Describing the keys takes as long as verifying a store, and the two are independent. The first reader
        // computes it.
        DispatchQueue.global(qos: .userInitiated).async { _ = markets.value }
        self.init(
            embedded: try EmbeddedMarkets(path: embedded.filePath, builtAt: builtAt, choice: choice),
            store: DeliveryStore(store.filePath), clock: DeliveryClock(builtAt: builtAt), choice: choice, role: role,
            maximumAges: maximumAges
        ) { id, bytes, digest in
            // Parse the file before waiting for the declarations, so that the two overlap.
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
    ///   - server: The server folder that contains `metadata` and `targets`: `https`, or `http` on this machine.
    ///   - redirectHosts: Other hosts that the server may redirect to, such as that of a content delivery network.
    ///   - ids: The markets to fetch in addition to those embedded in the app.
    /// - Throws: ``MetadataError`` if the server's URL has another scheme.
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
