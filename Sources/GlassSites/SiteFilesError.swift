package import GlassDeepLinking

/// The reasons that site or app files cannot be generated. One attempt reports all problems that it finds.
package struct SiteFilesError: Error, Equatable, Sendable, CustomStringConvertible {
    /// One problem.
    package enum Issue: Equatable, Sendable, CustomStringConvertible {
        /// Two markets of the input have the same id.
        case duplicateMarket(String)

        /// A value that no file can contain. `key` is its key in the market file.
        case invalid(market: String, key: String, value: String, expected: String)

        /// A market's routes do not form a table.
        case routes(market: String, RouteTableError)

        /// Two markets describe the same app differently. `key` is the key that differs.
        case differs(app: String, key: String, markets: [String])

        /// A value that a file requires but the market does not set.
        case missing(market: String, key: String, file: String)

        /// A host, package or bundle that no market has.
        case unknown(kind: String, value: String, known: [String])

        /// Generating the files exceeds a limit, which the string describes.
        case tooLarge(String)

        /// A description of the problem, its position and its fix.
        package var description: String {
            switch self {
            case .duplicateMarket(let id):
                "market \"\(id)\" appears twice; list each market once"
            case .invalid(let market, let key, let value, let expected):
                "market \"\(market)\": \(key): expected \(expected), got \"\(value)\""
            case .routes(let market, let error):
                "market \"\(market)\": the routes cannot be compiled: \(error)"
            case .differs(let app, let key, let markets):
                "app \"\(app)\": markets \(markets.map { "\"\($0)\"" }.joined(separator: " and ")) set different "
                    + "values for \(key), but an app can have only one; make them equal"
            case .missing(let market, "appInfo.android.package", let file):
                "market \"\(market)\" has no Android app, which \(file) requires; set platform.appInfo.android, or "
                    + "omit the file"
            case .missing(let market, let key, let file):
                "market \"\(market)\": \(key) is missing, but \(file) requires it; set it in the market file"
            case .unknown(let kind, let value, let known):
                "no market has the \(kind) \"\(value)\"; known: \(known.isEmpty ? "none" : known.joined(separator: ", "))"
            case .tooLarge(let limit):
                "\(limit); export fewer markets, hosts, or routes"
            }
        }
    }

    /// The problems, in the order of the markets.
    package let issues: [Issue]

    /// One problem per line.
    package var description: String {
        issues.map(\.description).joined(separator: "\n")
    }
}
