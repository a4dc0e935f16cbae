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
            guard let values = attribute.matrixValues, !values.isEmpty else {
                let known = market.attributes.filter { $0.matrixValues?.isEmpty == false }.map(\.name).sorted()
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

extension ContextAttribute {
    /// The values of an attribute that has a list of them; nil for any other. A set has too many.
    fileprivate var matrixValues: [ContextValue]? {
        switch type {
        case .boolean: [.boolean(false), .boolean(true)]
        case .choice(let names), .locale(let names): names.map { .text($0) }
        case .integer, .number, .text, .version, .date, .localDate, .set, .region, .bucket: nil
        }
    }
}
