import GlassBase
package import GlassMarkets
import GlassSchema
package import LuaBridge
import LuaSyntax

/// The files that a script's run has read: the script, the modules that it requires, and the files of the markets that
/// it loads.
package final class ScriptSources: Sendable {
    private let texts = Lock(SourceTexts())
    /// The number of bytes that may still be read to describe errors in more detail than Lua does.
    private let bytesToRead = Lock(16 << 20)

    /// Creates the sources of a run that has read nothing yet.
    package init() {}

    /// Adds files that were read.
    package func insert(_ sources: [MarketFile]) {
        texts.withLock { texts in
            for source in sources { texts.insert(source) }
        }
    }

    /// The failure for an uncaught error. A message of more than 16 KB is shortened. Only the script's own calls are
    /// listed, in a test those within the test, and only if there are several: one is at the failure's position.
    package func failure(_ error: LuaError) -> ScriptFailure {
        texts.withLock { texts in
            let error = syntaxError(behind: error, in: texts) ?? error
            let position = error.position.flatMap { texts.contains($0.chunk) ? $0 : nil }
            var place = position.map { SourcePosition(file: $0.chunk, line: $0.line, column: $0.column) }
            let mistake = place.flatMap { look(for: error, at: $0, in: texts.bytes(of: $0.file) ?? []) }
            if let column = mistake?.column { place?.column = column }
            if let line = mistake?.line { place?.line = line }
            return ScriptFailure(
                message: (mistake?.message ?? error.message).shortened(toBytes: 16 * 1024), place: place,
                line: place.flatMap { texts.line(at: $0) }, hint: mistake?.hint,
                isApproximate: position?.isApproximate ?? false, traceback: Self.ownCalls(in: error.traceback))
        }
    }

    private static func ownCalls(in traceback: [LuaFrame]) -> [String] {
        let end = traceback.lastIndex { $0.kind == .native && $0.function == "test" } ?? traceback.endIndex
        let own = traceback[..<end].filter { $0.kind != .native }
        return own.count > 1 ? own.map(\.description) : []
    }

    /// Whether a text may be read again. A script may fail any number of times, and each analysis reads the whole text.
    private func mayRead(_ source: [UInt8]) -> Bool {
        bytesToRead.withLock { bytes in
            bytes -= source.count + 4096
            return bytes >= 0
        }
    }

    /// The syntax error that prevented `require` from loading a file. Lua keeps only its text, which has no column.
    private func syntaxError(behind error: LuaError, in texts: SourceTexts) -> LuaError? {
        guard case .runtime = error, let frame = error.traceback.first, frame.kind == .native,
            frame.function == "require", let end = error.message.firstRange(of: /:[0-9]+:\s/)?.lowerBound
        else { return nil }
        // Lua shortens a long name at the beginning.
        let name = error.message[..<end].trimmingPrefix("...")
        guard !name.isEmpty, let file = texts.files.first(where: { $0.hasSuffix(name) }),
            let source = texts.bytes(of: file), mayRead(source)
        else { return nil }
        do {
            let state = try LuaState(profile: .script, limits: .script)
            _ = try state.perform { try $0.load(LuaSource(bytes: source, chunkName: file)) }
        } catch LuaError.syntax(var detail) {
            (detail.traceback, detail.skippedFrames) = (error.detail.traceback, error.detail.skippedFrames)
            return .syntax(detail)
        } catch {
            // Keep the original error.
        }
        return nil
    }

    /// Finds details about an error in the source text: a more exact position, and a hint.
    private func look(for error: LuaError, at place: SourcePosition, in source: [UInt8]) -> LuaSyntaxMistake? {
        guard mayRead(source) else { return nil }
        do throws(WorkBudget.Exceeded) {
            switch error {
            case .syntax:
                return LuaSyntaxMistake.find(in: LuaTree(source), message: error.message)
            case .denied(let name, _):
                return try undefined(name, at: place, in: source)
            case .runtime where place.column == nil:
                var mistake = LuaSyntaxMistake()
                let raiser = error.traceback.first.flatMap { $0.kind == .native ? $0.function : nil }
                mistake.column = LuaErrorColumn.find(
                    error.message, line: place.line, in: LuaTree(source), raisedBy: raiser)
                return mistake
            default: return nil
            }
        } catch {
            return nil  // a budget without limits never runs out
        }
    }

    /// The column of an undefined name, and the name that was probably meant.
    private func undefined(
        _ name: String, at place: SourcePosition, in source: [UInt8]
    ) throws(WorkBudget.Exceeded) -> LuaSyntaxMistake {
        let names = try LuaNames(of: LuaTree(source), knowing: [], budget: .unlimited)
        let uses = names.globals.filter { $0.name == name && $0.place.line == place.line && !$0.isAssigned }
        var mistake = LuaSyntaxMistake()
        mistake.column = uses.first?.place.column
        let advice =
            Advice(forForeign: name)
            ?? Advice.nearest(
                to: name,
                in: (uses.first?.visible ?? []) + names.assigned.sorted() + ScriptSession.globalNames + Finding.luaWords
            )
        mistake.hint = advice?.hint
        return mistake
    }
}
