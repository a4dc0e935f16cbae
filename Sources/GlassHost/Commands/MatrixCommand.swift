import GlassBase
import ArgumentParser
import GlassMarketFiles
import GlassMarkets
import GlassSchema

struct MatrixCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "matrix",
        abstract: "Shows a table of the keys that each market sets.",
        usage: "glass-host matrix [<options>] [<market> ...]",
        discussion: """
            Each row is a key that at least one market file sets; a list counts as one value, and a routable as one \
            key. In each market, a key has one of these states:
              declared     set in the market's own file, but in none of its base markets
              inherited    set in a base market
              overridden   set in its own file, to a value other than the inherited one
              same again   set in its own file, to the same value as the inherited one
              removed      removed with unset
              missing      set in another market, but not in this one; defaults do not count

            --missing is for CI: it shows only keys that are missing from a market, and exits with 1 if there are any. \
            To resolve a missing key, set it, remove it with unset, set a routable to false, or name the key with \
            --except. Exits with 2 if a market cannot be loaded.

            --values shows the value of each key instead of its state, and secrets by name. --as csv is for \
            spreadsheets: text that a spreadsheet would interpret as a formula gets a leading apostrophe, and a \
            removed or missing value is an empty cell.

            --over compares situations of one market: it has a column for each combination of the values of the named \
            attributes, and shows the values of the keys that differ. For date and localDate, the columns are the times \
            at which a value of the market may change, and the second before the first of them.

            Markets that extend an abstract base follow the others, base by base. If the columns do not fit the \
            terminal, each base has a table of its own, and --values lists the values of each key with the markets that \
            have them.

            EXAMPLES
              glass-host matrix
              glass-host matrix --values --below platform.networking --as markdown
              glass-host matrix ca mx --below platform.networking
              glass-host matrix --over build,locale -m ca
              glass-host matrix --over date -m ca
              glass-host matrix --missing --except routables.cashi --except routables.flyers
            """
    )

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Argument(
        help: ArgumentHelp("The markets to show. (default: all markets in the folder)", valueName: "market"),
        completion: .markets)
    var ids: [String] = []

    @Flag(help: "Show only keys that are missing from a market, and exit with 1 if there are any.")
    var missing = false

    @Flag(help: "Show the value of each key instead of its state.")
    var values = false

    @Option(name: .customLong("as"), help: "The format of the table.")
    var form = Form.text

    enum Form: String, CaseIterable, ExpressibleByArgument {
        case text
        case csv
        case markdown
    }

    @Option(
        help: ArgumentHelp("Show only this key and the keys below it.", valueName: "key.path"), completion: .keys)
    var below: String?

    @Option(
        help: ArgumentHelp(
            "A key that markets may omit, along with the keys below it; may be repeated.", valueName: "key.path"),
        completion: .keys)
    var except: [String] = []

    @Option(
        help: ArgumentHelp(
            "Show one market, with a column for each combination of the values of these attributes, such as "
                + "build,locale.", valueName: "attributes"),
        completion: .attributeNames)
    var over: String?

    func validateArguments() throws {
        if over != nil {
            if missing { throw ValidationError("--over and --missing cannot be combined") }
            if ids.count > 1 { throw ValidationError("--over shows the situations of one market") }
        }
        if form != .text, options.format == .json {
            throw ValidationError("--as \(form.rawValue) and --format json cannot be combined")
        }
        for text in except + [below].compactMap({ $0 }) where ConfigurationPath(parsing: text) == nil {
            throw ValidationError("\"\(text)\" is not a key path; use the form platform.networking.retry")
        }
    }

    func run(in session: Session) throws {
        if let over {
            let market = try session.market(ids.first)
            let situations = try MatrixSituations(of: market, over: over)
            return try print(situations.matrix(in: session), of: market.id, in: session)
        }
        let source = try session.markets()
        let names = try session.reporting { ids.isEmpty ? try source.marketIDs() : ids }
        guard !names.isEmpty else { throw source.isEmptyFailure }
        let markets = try session.map(names, of: source, "loading", failing: .impossible) { try session.held($0) }
        let columns = ids.isEmpty ? markets.groupedByBase : markets
        try print(MarketMatrix(columns, budget: session.budget()), in: session)
    }

    /// Prints a matrix of markets, or of situations of one.
    private func print(_ matrix: MarketMatrix, of market: String? = nil, in session: Session) throws {
        let root = below.flatMap { ConfigurationPath(parsing: $0) } ?? ConfigurationPath()
        let exceptions = except.compactMap { ConfigurationPath(parsing: $0) }
        for (text, path) in zip([below].compactMap { $0 } + except, (below == nil ? [] : [root]) + exceptions) {
            try requireKey(path, text, in: matrix, session)
        }
        let rows = matrix.rows.filter { row in
            guard row.path.isAtOrBelow(root), market == nil || !row.isUniform else { return false }
            return !missing || (row.isMissing && !exceptions.contains { row.path.isAtOrBelow($0) })
        }
        if session.console.isJSON {
            try session.console.result(
                json: market.map { matrix.json(rows, ofSituationsOf: $0) } ?? matrix.json(rows))
        } else {
            let document = MatrixDocument(markets: matrix.markets, rows: rows, showsValues: values || market != nil)
            switch form {
            case .text: print(rows, of: matrix, values || market != nil, on: session.console)
            // The line breaks of the CSV format itself are kept (RFC 4180 §2.1).
            case .csv: session.console.write(DisplayText(csv: document.csv))
            case .markdown: session.console.write(DisplayText(lines: document.markdown))
            }
        }
        if missing, !rows.isEmpty { throw CommandFailure(status: .no) }
    }

    /// Rejects a mistyped path, which would make a check in CI pass or fail for the wrong reason.
    private func requireKey(_ path: ConfigurationPath, _ text: String, in matrix: MarketMatrix, _ session: Session)
        throws
    {
        guard !matrix.rows.contains(where: { $0.path.isAtOrBelow(path) }) else { return }
        let known = Set(matrix.rows.flatMap { row in row.path.elements.indices.map { row.path.prefix($0 + 1) } })
        let renamed = MarketSchema(session.program.module).declaration.key(formerlyAt: path).map {
            "; it was renamed to \($0.name)"
        }
        let near = Suggestion.nearest(to: text, in: known.sorted()).map { "; did you mean \"\($0)\"?" }
        throw CommandFailure(status: .impossible, "no market declares \"\(text)\"\(renamed ?? near ?? "")")
    }

    private func print(_ rows: [MarketMatrix.Row], of matrix: MarketMatrix, _ values: Bool, on console: Console) {
        if !rows.isEmpty { printTable(rows, of: matrix, values, on: console) }
        guard missing else {
            if !console.isQuiet { console.result("\(rows.count) \(rows.count == 1 ? "key" : "keys")") }
            return
        }
        for row in rows {
            for (market, cell) in zip(matrix.markets, row.cells) where cell.state == .missing {
                let note = cell.defaultValue.map { " (the default is \($0.summary))" } ?? ""
                let place = row.cells.lazy.compactMap(\.position).first.map { ", declared at \($0)" } ?? ""
                console.result("\(market) is missing \(row.path)\(place)\(note)")
            }
        }
        if console.isQuiet { return }
        console.result(
            rows.isEmpty
                ? "no keys are missing"
                : "\(rows.count) \(rows.count == 1 ? "key is" : "keys are") missing in a market")
    }
}

// MARK: - Tables

extension MatrixCommand {
    /// The minimum width of a key in a table of letters.
    private static let shortestKey = 24

    private func printTable(
        _ rows: [MarketMatrix.Row], of matrix: MarketMatrix, _ values: Bool, on console: Console
    ) {
        guard values else { return printStates(rows, of: matrix, on: console) }
        let count = matrix.markets.count
        if let width = console.width, count > 6, width < 16 + 10 * count {
            // The columns of a table would be truncated to a few characters.
            for row in rows { console.result(Self.values(of: row, in: matrix, width)) }
            return
        }
        // The end of a key is the most informative part, and a table would truncate it.
        let table = Self.table(rows, of: matrix, keyWidth: console.width.map { max(16, $0 / 2) }) { cell in
            cell.value.map { "\($0.summary)" } ?? "\(cell.state.name, cell.state == .missing ? .red : .yellow)"
        }
        console.result(table.text(console))
    }

    /// A table with a row for each key. A key that is too wide is shortened in the middle.
    private static func table(
        _ rows: [MarketMatrix.Row], of matrix: MarketMatrix, columns: [Int]? = nil, keyWidth: Int?,
        _ text: (MarketMatrix.Cell) -> DisplayText
    ) -> Table {
        let columns = columns ?? Array(matrix.markets.indices)
        var table = Table(["KEY"] + columns.map { "\(matrix.markets[$0])" })
        for row in rows {
            let key: DisplayText = "\(row.path)"
            table.add([keyWidth.map { key.shortened(to: $0) } ?? key] + columns.map { text(row.cells[$0]) })
        }
        return table
    }

    /// Prints the states as words if they fit the width, and otherwise as letters with a legend, in tables of the markets
    /// that have the same abstract base and fit beside the keys.
    private func printStates(_ rows: [MarketMatrix.Row], of matrix: MarketMatrix, on console: Console) {
        let words = Self.table(rows, of: matrix, keyWidth: nil) { $0.state.marked("\($0.state.name)") }
        guard let width = console.width, !words.fits(width) else { return console.result(words.text(console)) }
        let longestKey = max(3, rows.map { DisplayText("\($0.path)").count }.max() ?? 0)
        var tables: [(columns: [Int], room: Int)] = []
        for (column, market) in matrix.markets.enumerated() {
            let needed = 2 + DisplayText(market).count
            let isOther = column > 0 && matrix.groups[column] != matrix.groups[column - 1]
            if tables.isEmpty || isOther || tables[tables.count - 1].room < needed {
                tables.append(([], width - min(longestKey, Self.shortestKey)))
            }
            tables[tables.count - 1].columns.append(column)
            tables[tables.count - 1].room -= needed
        }
        let isGrouped = matrix.groups.contains { $0 != nil }
        for (index, (columns, room)) in tables.enumerated() {
            if index > 0 { console.result("") }
            if isGrouped {
                let base = matrix.groups[columns[0]]
                console.result(
                    (base.map { "markets that extend \($0)" } ?? "other markets" as DisplayText).styled(.dim))
            }
            let keyWidth = min(longestKey, Self.shortestKey + max(0, room))
            let table = Self.table(rows, of: matrix, columns: columns, keyWidth: keyWidth) {
                $0.state.marked($0.state.letter)
            }
            console.result(table.text(console))
        }
        let states: [MarketMatrix.State] = [
            .declared, .inherited(from: ""), .overridden, .repeated, .removed, .missing,
        ]
        let legend = states.map { "\($0.letter) \($0.name)" as DisplayText }
        let line = legend.joined(separator: "  ")
        console.result((line.count <= width ? line : legend.joined(separator: "\n")).styled(.dim))
    }

    /// A key with its distinct values, each with the markets that have it, for more markets than columns fit.
    private static func values(of row: MarketMatrix.Row, in matrix: MarketMatrix, _ width: Int) -> DisplayText {
        var values: [(text: DisplayText, markets: [String])] = []
        for (market, cell) in zip(matrix.markets, row.cells) {
            let text = cell.value.map { "\($0.summary)" as DisplayText } ?? "\(cell.state.name)"
            if let index = values.firstIndex(where: { $0.text == text }) {
                values[index].markets.append(market)
            } else {
                values.append((text, [market]))
            }
        }
        let lines = values.map { value -> DisplayText in
            let markets = value.markets.count == matrix.markets.count ? "all" : value.markets.joined(separator: ", ")
            let line: DisplayText = "  \(value.text.cut(to: max(16, width / 2)))  \(markets)"
            return line.wrapped(to: width, indent: 4)
        }
        let key: DisplayText = "\(row.path)"
        return ([key.shortened(to: width).styled(.bold)] + lines).joined(separator: "\n")
    }
}

extension MarketMatrix.State {
    fileprivate var letter: DisplayText {
        switch self {
        case .declared: "D"
        case .inherited: "·"
        case .overridden: "O"
        case .repeated: "="
        case .removed: "-"
        case .missing: "!"
        }
    }

    /// A text in the color of the state.
    fileprivate func marked(_ text: DisplayText) -> DisplayText {
        switch self {
        case .missing: text.styled(.red)
        case .overridden: text.styled(.green)
        case .repeated, .removed: text.styled(.yellow)
        case .declared, .inherited: text
        }
    }
}

extension ConfigurationPath {
    fileprivate func isAtOrBelow(_ other: ConfigurationPath) -> Bool { elements.starts(with: other.elements) }

    /// The first elements, as text.
    fileprivate func prefix(_ count: Int) -> String { ConfigurationPath(Array(elements.prefix(count))).description }
}
