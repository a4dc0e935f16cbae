import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// The situations of one market that a matrix compares: each combination of the values of some attributes.
struct MatrixSituations {
    /// The market.
    let market: Market
    /// The situations, as options have them.
    let contexts: [MarketContext]

    /// The maximum number of situations: each is the market built once more.
    static let maximum = 64

    /// Combines the values of attributes, the last one fastest.
    init(of market: Market, over list: String) throws(CommandFailure) {
        self.market = market
        var contexts = [MarketContext()]
        for name in list.split(separator: ",").map({ $0.filter { $0 != " " } }) {
            let attribute: ContextAttribute
            do throws(MarketContextError) {
                attribute = try market.attributes.attribute(named: name)
            } catch {
                throw CommandFailure(
                    status: .usage, .unknownAttribute,
                    "--over: market \(market.id.quotedForMessage): \(error.description)")
            }
            let values = market.matrixValues(of: attribute)
            guard !values.isEmpty else {
                let known = market.attributes.filter { !market.matrixValues(of: $0).isEmpty }.map(\.name).sorted()
                if attribute.type == .date || attribute.type == .localDate {
                    throw CommandFailure(
                        status: .usage, "--over: no value of market \(market.id.quotedForMessage) depends on \(name)")
                }
                throw CommandFailure(
                    status: .usage,
                    "--over: \(name) has no list of values; choose from \(known.listed), and set \(name) with --context"
                )
            }
            guard contexts.count * values.count <= Self.maximum else {
                throw CommandFailure(
                    status: .usage,
                    "--over: there are more than \(Self.maximum) combinations; name fewer attributes, and set the "
                        + "others with --context")
            }
            contexts = contexts.flatMap { context in
                values.map { value in
                    var context = context
                    context[name] = value
                    return context
                }
            }
        }
        self.contexts = contexts
    }

    /// The matrix, with a column for each situation.
    func matrix(in session: Session) throws -> MarketMatrix {
        let markets = try session.reporting {
            try contexts.map { try session.held(market.with($0)) }
        }
        return try MarketMatrix(markets, labels: contexts.map(\.commandText), budget: session.budget())
    }
}

extension Market {
    /// The values of an attribute that has a list of them, or the times at which a value of the market may change after
    /// the second before them. Empty for any other: a set has too many.
    fileprivate func matrixValues(of attribute: ContextAttribute) -> [ContextValue] {
        switch attribute.type {
        case .boolean: [.boolean(false), .boolean(true)]
        case .choice(let names), .locale(let names): names.map { .text($0) }
        case .date: times { .date(ContextDate(secondsSince1970: $0)) }
        case .localDate: times { .localDate(ContextLocalDate(secondsSince1970: $0)) }
        case .integer, .number, .text, .version, .set, .region, .bucket: []
        }
    }

    private func times(_ value: (_ secondsSince1970: Int64) -> ContextValue) -> [ContextValue] {
        let start = value(.min / 2)
        let changes = origin.situations?.changes(after: start, atMost: MatrixSituations.maximum) ?? []
        guard let first = changes.first?.secondsSince1970 else { return [] }
        return [value(first - 1)] + changes
    }
}
