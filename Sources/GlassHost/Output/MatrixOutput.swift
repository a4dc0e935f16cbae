import GlassMarkets
import GlassSchema

/// A matrix as JSON: the state and value of each key in each market.
struct MatrixOutput: Encodable {
    struct Row: Encodable {
        let key: String
        let missing: Bool
        let cells: [Cell]

        init(_ row: MarketMatrix.Row) {
            key = row.path.description
            missing = row.isMissing
            cells = row.cells.map(Cell.init)
        }
    }

    struct Cell: Encodable {
        let state: String
        @Nullable var from: String?
        @Nullable var value: JSONValue?
        @Nullable var position: String?
        @Nullable var defaultValue: JSONValue?

        init(_ cell: MarketMatrix.Cell) {
            state = cell.state == .repeated ? "sameAgain" : cell.state.name
            if case .inherited(let id) = cell.state { from = id }
            value = cell.value.map(JSONValue.init)
            position = cell.position.map { "\($0)" }
            defaultValue = cell.defaultValue.map(JSONValue.init)
        }
    }

    let markets: [String]
    let rows: [Row]
}
