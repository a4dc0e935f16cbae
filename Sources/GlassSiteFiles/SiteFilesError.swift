package import GlassDeepLinking

/// Why a site or app file cannot be made. One attempt reports every problem it meets.
package struct SiteFilesError: Error, Equatable, Sendable, CustomStringConvertible {
    /// One problem.
    package enum Issue: Equatable, Sendable, CustomStringConvertible {
        /// Two markets of the input have the same id.
        case duplicateMarket(String)

        /// A value that no file can hold. `key` is its key in the market file.
        case invalid(market: String, key: String, value: String, expected: String)

        /// A market's routes do not make a table.
        case routes(market: String, RouteTableError)

        /// Two markets describe the same app differently. `key` is the key that differs.
        case differs(app: String, key: String, markets: [String])

        /// A value that a file needs and the market does not give.
        case missing(market: String, key: String, file: String)

        /// A host, package or bundle that no market has.
        case unknown(kind: String, value: String, known: [String])

        /// Files that take more work than a host does for them: what, and the limit.
        case tooLarge(String)

        /// What is wrong, where, and what to do about it.
        package var description: String {
            switch self {
            case .duplicateMarket(let id):
                "market \"\(id)\" is given twice; give each market once"
            case .invalid(let market, let key, let value, let expected):
                "market \"\(market)\": \(key): expected \(expected), got \"\(value)\""
            case .routes(let market, let error):
                "market \"\(market)\": the routes make no table: \(error)"
            case .differs(let app, let key, let markets):
                "app \"\(app)\": markets \(markets.map { "\"\($0)\"" }.joined(separator: " and ")) give different "
                    + "values for \(key); one app has one, so make them equal"
            case .missing(let market, "appInfo.android.package", let file):
                "market \"\(market)\" has no Android app, which \(file) is about; set platform.appInfo.android, or leave "
                    + "the file out"
            case .missing(let market, let key, let file):
                "market \"\(market)\": \(key) is missing, and \(file) needs it; set it in the market file"
            case .unknown(let kind, let value, let known):
                "no market has the \(kind) \"\(value)\"; known: \(known.isEmpty ? "none" : known.joined(separator: ", "))"
            case .tooLarge(let limit):
                "\(limit); make files of fewer markets, hosts or routes"
            }
        }
    }

    /// The problems, in the order of the markets.
    package let issues: [Issue]

    /// Creates an error.
    package init(issues: [Issue]) {
        self.issues = issues
    }

    /// One problem a line.
    package var description: String {
        issues.map(\.description).joined(separator: "\n")
    }
}
