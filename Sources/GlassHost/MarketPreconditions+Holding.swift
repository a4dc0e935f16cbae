import GlassBase
import GlassMarkets
import GlassSchema

extension MarketPreconditions {
    /// Satisfies every precondition but some, as `--hold` names them.
    ///
    /// - Parameter held: The names of those that stay unmet.
    /// - Throws: `CommandFailure` with status 2 for a name that the market does not have.
    func satisfyAll(but held: [String]) throws {
        satisfyAll()
        for name in held {
            do {
                try reset(name)
            } catch {
                throw CommandFailure(status: .impossible, .unknownPrecondition, "--hold: \(error)")
            }
        }
    }
}
