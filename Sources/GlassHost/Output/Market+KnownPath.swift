import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema

extension Market {
    /// Reads a key path that the user wrote and checks that the market has it.
    ///
    /// - Parameters:
    ///   - text: The path; empty for the whole market.
    ///   - allowance: What the search for the nearest key may use.
    /// - Returns: The path.
    /// - Throws: `CommandFailure` with status 1, naming the first key that is not there and its present name or the nearest one that is.
    func knownPath(_ text: String, allowance: Allowance) throws -> ConfigurationPath {
        guard let path = ConfigurationPath(parsing: text) else {
            throw CommandFailure(status: .no, "\"\(text)\" is no key path; write it like platform.networking.retry")
        }
        var known = effective
        guard known.node(at: path) == nil else { return path }
        var walked = ConfigurationPath()
        for element in path.elements {
            guard let node = known.node(at: ConfigurationPath([element])) else { break }
            known = node
            walked = ConfigurationPath(walked.elements + [element])
        }
        let place: SafeText = walked.elements.isEmpty ? "market \"\(id)\"" : "\(walked) of market \"\(id)\""
        guard case .map(let entries) = known.value, case .key(let missing) = path.elements[walked.elements.count] else {
            throw CommandFailure(status: .no, "\(place) has nothing at \(path)")
        }
        let renamed = schema.declaration.key(formerlyAt: walked.appending(missing))
            .map { "it was renamed to \($0.name)" as SafeText }
        let near = try Suggestion.nearest(to: missing, in: entries.keys.sorted(), allowance: allowance).map {
            "did you mean \"\($0)\"?" as SafeText
        }
        throw CommandFailure(
            status: .no,
            "\(place) has no key \"\(missing)\"; \(renamed ?? near ?? "it has \(entries.keys.sorted().listed)")"
        )
    }
}
