import GlassBase
import GlassMarkets
import GlassSchema
import LuaBridge

/// The files that a script's run has read: the script, what it requires, and those of the markets that it loads.
final class ScriptSources: Sendable {
    private let texts = Lock(SourceTexts())

    /// Adds what was read.
    ///
    /// - Parameter sources: The files; each takes the place of an earlier one of its name.
    func insert(_ sources: [MarketFile]) {
        texts.withLock { texts in
            for source in sources { texts.insert(source) }
        }
    }

    /// The failure that an uncaught error is. A message of more than 16 KB is shortened.
    ///
    /// - Parameter error: The error. Its text may be the script's own, so a position in a file that was not read is none.
    /// - Returns: The failure with the line that it is about.
    func failure(_ error: LuaError) -> ScriptFailure {
        texts.withLock { texts in
            let position = error.position.flatMap { texts.contains($0.chunk) ? $0 : nil }
            let place = position.map { SourcePosition(file: $0.chunk, line: $0.line, column: $0.column) }
            return ScriptFailure(
                message: error.message.shortened(toBytes: 16 * 1024), place: place,
                line: place.flatMap { texts.line(at: $0) },
                isApproximate: position?.isApproximate ?? false, traceback: error.traceback.map(\.description))
        }
    }
}
