import Foundation
import GlassBase
import GlassContainer
import GlassDeepLinking
import GlassInspector
import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema

/// The data source for the page of `inspect`: the markets of a folder.
///
/// The responses are the documents that commands print with `--format json`. They describe the version of each market
/// that is in use: a market whose files have errors keeps its last version, and its findings report the errors.
final class MarketInspectorDataSource: InspectorDataSource {
    /// How long to wait after the last change before reloading. Shorter than for `watch`: a user who looks at a page
    /// saves by hand, and a file that is read too early is read again.
    static let settle = Duration.milliseconds(20)
    /// The number of past events that a new page gets.
    private static let maximumEvents = 100

    private let program: Session
    /// The session of a request, with a budget of its own: the program answers any number of them.
    var session: Session { program.forOneRequest }
    let loader: MarketLoader
    let store: MarketStore
    /// The module with its own services, rather than the mocks with which links are opened.
    let module: MarketModule
    let editor: String?
    private let events = Lock<[String]>([])
    /// What happened to each market since the start, by id.
    let histories = Lock<[String: MarketHistory]>([:])
    private let situations = ChangesInSituations()
    /// What the cards say about the markets in use, by id, with the revision.
    let reports = Lock<[String: CardReport]>([:])
    /// What is coming in each market, with what it depends on.
    let comings = Lock<[String: (key: String, changes: [ComingChanges.Change])]>([:])
    private let watch = Lock<MarketWatch?>(nil)

    /// Creates a data source. Loads markets only for a situation that the options describe, and keeps none of them.
    init(_ session: Session, editor: String? = nil) throws {
        program = session
        self.editor = editor
        // Do not even print what a link would open externally: the page shows the outcome.
        loader = try session.loader(opener: .print { _ in })
        store = MarketStore(
            loader, context: try session.storeContext(of: loader),
            prepare: { [situations] in situations.compare($0, with: $1) })
        module = session.program.module
    }

    /// Loads the markets and follows their files.
    func follow(_ publish: @escaping @Sendable (String) -> Void) throws {
        // Created before the first load, so that its events are in the stream.
        let stream = store.events()
        do {
            let started = try store.watch(loader.folder, settle: Self.settle)
            watch.withLock { $0 = started }
        } catch let error as MarketFolderError {
            throw CommandFailure(error)
        } catch let error as WatchError {
            throw CommandFailure(status: .impossible, "\(error)")
        }
        Task { [events, histories, situations] in
            for await event in stream {
                var other: [SituationDifference] = []
                if case .applied(let change) = event { other = situations.take(change) }
                histories.withLock { $0[event.id, default: MarketHistory()].note(event, other) }
                // Encoding an event never fails.
                guard let text = try? Self.text(event.json(with: other)) else { continue }
                events.withLock { events in
                    events.append(text)
                    if events.count > Self.maximumEvents { events.removeFirst() }
                }
                publish(text)
            }
        }
    }

    func answer(_ question: InspectorRequest, in situation: InspectorSituation) throws -> InspectorResponse {
        do {
            let markets = try PageMarkets(store.markets, sharing: module.contextAttributes, in: situation)
            switch question {
            case .state: return json(try stateText(markets))
            case .link(let link, let held): return try json(outcomes(of: link, holding: held, markets))
            case .values(let id): return try json(values(of: market(id, markets)))
            case .value(let id, let key): return try json(value(key, of: market(id, markets)))
            case .matrix: return try json(matrix(markets))
            case .comparison(let one, let other):
                return try json(comparison(of: [market(one, markets), market(other, markets)]))
            case .review(let base):
                let compared = try session.review(ReviewedRange(base: base))
                guard compared.failures.isEmpty else {
                    throw InspectorFailure(
                        compared.failures.map { session.console.text(of: $0).plain }.joined(separator: "\n"))
                }
                return try json(compared.review.json)
            case .services(let id):
                try requireKnown(id)
                return try json(services(of: id, markets))
            case .picture(let id):
                try requireKnown(id)
                let diagram = ServiceDiagram(of: module, changed: try changedKeys(by: id, markets))
                return InspectorResponse(.svg, Array(diagram.svg.utf8))
            case .sheet(let id):
                return InspectorResponse(
                    .html, Array(PageFrame(served: try sheet(of: market(id, markets))).document.utf8))
            case .schema: return try json(schema(markets))
            }
        } catch let exceeded as WorkBudget.Exceeded {
            throw InspectorFailure(
                "\(exceeded)" + (exceeded.isOfCommand ? "" : ": the markets are too large for this view"))
        } catch let failure as CommandFailure {
            throw InspectorFailure(failure.message?.plain ?? "the request failed", isMissing: failure.status == .no)
        }
    }

    /// A market in use.
    private func market(_ id: String, _ markets: PageMarkets) throws -> PageMarket {
        if let market = try markets.market(id) { return market }
        try requireKnown(id)
        throw InspectorFailure("the market \(id) has no valid version yet; its findings say why", isMissing: true)
    }

    /// The link sheet of a market. Its examples are opened in a market that is loaded only for it.
    private func sheet(of page: PageMarket) throws -> LinkSheet {
        let own: Market
        do {
            own = try loader.load(page.own.id).read(in: page.own.given)
        } catch is MarketError {
            throw InspectorFailure("the market \(page.own.id) has errors; fix them to see its links")
        }
        return try LinkSheet(own, WorkBudget(cpuTime: LinkSheet.cpuTime))
    }

    private func requireKnown(_ id: String) throws(InspectorFailure) {
        guard store.status(of: id) == nil else { return }
        throw InspectorFailure("there is no market \(id.quotedForMessage)", isMissing: true)
    }

    private func stateText(_ markets: PageMarkets) throws -> String {
        let text = try Self.text(state(markets))
        // The events are already encoded.
        let events = events.withLock { $0 }.joined(separator: ",")
        return text.dropLast() + ",\"events\":[\(events)]}"
    }

    private func json(_ text: String) -> InspectorResponse { InspectorResponse(.json, Array(text.utf8)) }

    private func json(_ object: JSONObject) throws -> InspectorResponse { json(try Self.text(object)) }

    /// The text of an object.
    static func text(_ object: JSONObject) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(object), as: UTF8.self)
    }
}
