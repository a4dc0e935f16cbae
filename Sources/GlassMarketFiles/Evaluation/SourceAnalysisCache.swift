import GlassBase
import LuaSyntax

/// Caches what loads derive from source text, for later loads of the same text.
///
/// Markets that share a base market each read its files, and a language server loads two hundred of them after each
/// edit.
package final class SourceAnalysisCache: Sendable {
    private struct Reading {
        let file: String
        let source: [UInt8]
        var tree: LuaTree?
        var map: LuaSourceMap?
        var names: LuaNames?
    }

    /// The most recently used entry comes first.
    private let readings = Lock<[Reading]>([])

    /// The maximum number of cached files: markets share only a few.
    private static let most = 16

    /// Creates an empty cache.
    package init() {}

    /// The cached syntax of a file with this text, if any.
    func tree(of file: String, _ source: [UInt8]) -> LuaTree? { reading(of: file, source)?.tree }

    /// The cached map of a file with this text, if any.
    func map(of file: String, _ source: [UInt8]) -> LuaSourceMap? { reading(of: file, source)?.map }

    /// The cached names in a file with this text, if any.
    func names(in file: String, _ source: [UInt8]) -> LuaNames? { reading(of: file, source)?.names }

    func remember(_ tree: LuaTree, of file: String) {
        change(file, tree.bytes) { $0.tree = tree }
    }

    func remember(_ map: LuaSourceMap, of file: String, _ source: [UInt8]) {
        change(file, source) { $0.map = map }
    }

    func remember(_ names: LuaNames, in file: String, _ source: [UInt8]) {
        change(file, source) { $0.names = names }
    }

    private func reading(of file: String, _ source: [UInt8]) -> Reading? {
        readings.withLock { readings in
            guard let place = readings.firstIndex(where: { $0.file == file && $0.source == source }) else { return nil }
            let reading = readings.remove(at: place)
            readings.insert(reading, at: 0)
            return reading
        }
    }

    private func change(_ file: String, _ source: [UInt8], _ body: (inout Reading) -> Void) {
        readings.withLock { readings in
            var reading = Reading(file: file, source: source)
            if let place = readings.firstIndex(where: { $0.file == file }) {
                let known = readings.remove(at: place)
                // The text changed, so earlier results are stale.
                if known.source == source { reading = known }
            }
            body(&reading)
            readings.insert(reading, at: 0)
            if readings.count > Self.most { readings.removeLast() }
        }
    }
}
