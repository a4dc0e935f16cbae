import GlassBase
import GlassMarkets
import GlassSchema

extension MarketPreconditions {
    /// Satisfies every precondition except those named with `--hold`.
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
