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

    let session: Session
    let loader: MarketLoader
    let store: MarketStore
    /// The module with its own services, rather than the mocks with which links are opened.
    let module: MarketModule
    private let editor: String?
    private let events = Lock<[String]>([])
    private let watch = Lock<MarketWatch?>(nil)

    /// Creates a data source, without loading markets.
    init(_ session: Session, editor: String? = nil) throws {
        self.session = session
        self.editor = editor
        // Do not even print what a link would open externally: the page shows the outcome.
        loader = try session.loader(opener: .print { _ in })
        store = MarketStore(loader)
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
        Task { [events] in
            for await event in stream {
                guard let text = try? Self.text(EventOutput(event)) else { continue }  // encoding an event never fails
                events.withLock { events in
                    events.append(text)
                    if events.count > Self.maximumEvents { events.removeFirst() }
                }
                publish(text)
            }
        }
    }

    func answer(_ question: InspectorRequest) throws -> InspectorResponse {
        do {
            switch question {
            case .state: return try json(stateText())
            case .link(let link, let held): return try json(Self.text(LinkResponse(link, held, of: self)))
            case .values(let id): return try json(Self.text(ValuesAnswer(try market(id), session.budget())))
            case .value(let id, let key): return try json(Self.text(value(key, of: try market(id))))
            case .matrix:
                let matrix = try MarketMatrix(inUse, budget: session.budget())
                let rows = matrix.rows.map(MatrixOutput.Row.init)
                return try json(Self.text(MatrixOutput(markets: matrix.markets, rows: rows)))
            case .comparison(let one, let other):
                let markets = [try market(one), try market(other)]
                let difference = try MarketDifference(markets, budget: session.budget())
                return try json(Self.text(DifferenceOutput(difference)))
            case .review(let base):
                let compared = try session.review(ReviewedRange(base: base))
                guard compared.failures.isEmpty else {
                    throw InspectorFailure(
                        compared.failures.map { session.console.text(of: $0).plain }.joined(separator: "\n"))
                }
                return try json(Self.text(ReviewOutput(compared.review)))
            case .services(let id):
                try requireKnown(id)
                return try json(Self.text(ServicesAnswer(module, market: id)))
            case .picture(let id):
                try requireKnown(id)
                return InspectorResponse(.svg, Array(ServiceDiagram(of: module).svg.utf8))
            case .schema: return try json(Self.text(SchemaAnswer(module, inUse, session.budget())))
            }
        } catch let exceeded as WorkBudget.Exceeded {
            throw InspectorFailure("\(exceeded): the markets are too large for this view")
        } catch let failure as CommandFailure {
            throw InspectorFailure(failure.message?.plain ?? "the request failed", isMissing: failure.status == .no)
        }
    }

    /// The markets in use, ordered by id.
    var inUse: [Market] { store.markets.sorted { $0.key.precedesInUTF8($1.key) }.map(\.value) }

    /// A market in use.
    private func market(_ id: String) throws -> Market {
        if let market = store.market(id) { return market }
        try requireKnown(id)
        throw InspectorFailure("the market \(id) has no valid version yet; its findings say why", isMissing: true)
    }

    private func requireKnown(_ id: String) throws(InspectorFailure) {
        guard store.status(of: id) == nil else { return }
        throw InspectorFailure("there is no market \(id.quotedForMessage)", isMissing: true)
    }

    private func value(_ key: String, of market: Market) throws -> ValueExplanation {
        let budget = session.budget()
        let path = try market.knownPath(key, budget: budget, takingDropped: true)
        return try ValueExplanation(path, in: market, nil, readBy: module, budget)
    }

    private func stateText() throws -> String {
        let state = StateAnswer(self, editor: editor, root: FileManager.default.currentDirectoryPath)
        let text = try Self.text(state)
        // The events are already encoded.
        let events = events.withLock { $0 }.joined(separator: ",")
        return text.dropLast() + ",\"events\":[\(events)]}"
    }

    private func json(_ text: String) -> InspectorResponse { InspectorResponse(.json, Array(text.utf8)) }

    private static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
