import Foundation
import GlassBase
import GlassContainer
import GlassDeepLinking
import GlassInspector
import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema

/// The markets of a folder, as the page of `inspect` asks about them.
///
/// The answers are the documents that commands print with `--format json`. They are about the version of each market that
/// is in use: one that is broken on the disk stays as it was, and the findings say what is wrong.
final class MarketInspectorDataSource: InspectorDataSource {
    /// How long the folder must be quiet before it is read. Shorter than `watch` waits: who looks at a page has saved by
    /// hand, and what is read too early is read again.
    static let settle = Duration.milliseconds(20)
    /// How many events a page that is new is shown.
    private static let maximumEvents = 100

    let session: Session
    let loader: MarketLoader
    let store: MarketStore
    /// The module with its own services, whatever stands for them when links are opened.
    let module: MarketModule
    private let editor: String?
    private let events = Lock<[String]>([])
    private let watch = Lock<MarketWatch?>(nil)

    /// Prepares to load markets.
    init(_ session: Session, editor: String? = nil) throws {
        self.session = session
        self.editor = editor
        // Whatever a link would open outside is not even printed: the page says what became of it.
        loader = try session.loader(opener: .print { _ in })
        store = MarketStore(loader)
        module = session.program.module
    }

    /// Loads the markets and follows their files.
    func follow(_ publish: @escaping @Sendable (String) -> Void) throws {
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
                guard let text = try? Self.text(EventOutput(event)) else { continue }  // the encoder fails at no event
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
            throw InspectorFailure(failure.message?.plain ?? "there is no answer", isMissing: failure.status == .no)
        }
    }

    /// The markets in use, in the order of their ids.
    var inUse: [Market] { store.markets.sorted { $0.key.precedesInUTF8($1.key) }.map(\.value) }

    /// A market in use.
    private func market(_ id: String) throws -> Market {
        if let market = store.market(id) { return market }
        try requireKnown(id)
        throw InspectorFailure("the market \(id) has no good version yet; its findings say why", isMissing: true)
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
        // The events are texts already.
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
