import Foundation
import GlassDeepLinking
import GlassDelivery
import GlassMarkets

/// An app without Lua for `scripts/delivery`, which simulates its launches: each process is one launch.
///
/// ```text
/// delivery-client EMBEDDED STORE TIME refresh URL     contacts the server
/// delivery-client EMBEDDED STORE TIME start ID LINK…  launches with a market and opens links; succeeds
/// delivery-client EMBEDDED STORE TIME crash ID        launches with a market, and ends before its first screen
/// ```
///
/// It prints what an app would log: which version runs, how fresh it is, and where each link went.
@main
struct Program {
    /// The app's module: the standard features, without the platform's services and keys, which are reported as
    /// warnings.
    static let module = MarketModule(
        "client", secretPrefixes: ["GLASS_"], routables: MarketModule.standardRoutables,
        preconditions: ["appStarted", "signedIn", "storeSelected"].map { Precondition($0, "It holds.") })

    static func main() async {
        do {
            try await run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(2)
        }
    }

    private static func run(_ arguments: [String]) async throws {
        guard arguments.count >= 5, let now = UpdateTime(arguments[2]), let app = AppVersion("24.2") else {
            throw Usage()
        }
        let embedded = arguments[0]
        let clock = DeliveryClock(builtAt: try builtAt(embedded), system: { now })
        let store = DeliveryStore(arguments[1])
        let choice = TargetChoice(app: app, install: try store.state()?.install)
        let source = CompiledMarkets(module) { _ in nil }
        let markets = DeliveredMarkets(
            embedded: try EmbeddedMarkets(path: embedded, builtAt: clock.builtAt, choice: choice), store: store,
            clock: clock, choice: choice
        ) { id, bytes, digest in
            source.check(try CompiledMarket(reading: bytes, name: "\(id).json"), as: id, digest: digest)
        }
        switch arguments[3] {
        case "refresh":
            let delivery = MarketDelivery(markets, client: try client(of: arguments[4]))
            let report = await delivery.refresh()
            for event in report.events { print(event) }
            if let failure = report.failure { print("refused: \(failure)") }
            for (id, problem) in report.problems.sorted(by: { $0.key < $1.key }) { print("\(id): \(problem)") }
            if report.isUnchanged { print("nothing new") }
        case "start", "crash":
            let id = arguments[4]
            let market = try markets.load(id)
            let status = markets.deliveryStatus(of: id)
            print("\(id): \(status?.active.map { "\($0)" } ?? "the app's own"), \(market.definition.currency)")
            if let freshness = status?.freshness { print("\(freshness)") }
            if arguments[3] == "crash" { exit(1) }
            for precondition in module.preconditions { try market.preconditions.satisfy(precondition.name) }
            for link in arguments.dropFirst(5) { print("\(link): \(market.open(link).outcome.name)") }
            markets.markHealthy(id)
        default: throw Usage()
        }
    }

    private static func client(of text: String) throws -> UpdateClient {
        guard let url = URL(string: text) else { throw Usage() }
        return UpdateClient(
            metadata: HTTPUpdateTransport(try UpdateServer(url.appending(path: "metadata"))),
            files: HTTPUpdateTransport(try UpdateServer(url.appending(path: "targets"))))
    }

    /// When the snapshot was taken: one day before its timestamp would have been signed again.
    private static func builtAt(_ folder: String) throws -> UpdateTime {
        let bytes = Array(try Data(contentsOf: URL(filePath: "\(folder)/built-at")))
        guard let time = UpdateTime(String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)) else {
            throw Usage()
        }
        return time
    }

    private struct Usage: Error, CustomStringConvertible {
        let description = "usage: delivery-client EMBEDDED STORE TIME refresh URL | start ID LINK… | crash ID"
    }
}
