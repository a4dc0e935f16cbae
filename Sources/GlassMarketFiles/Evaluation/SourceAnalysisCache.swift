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
        var tree: Result<LuaTree>?
        var map: Result<LuaSourceMap>?
        var names: Result<LuaNames>?
    }

    /// A cached value with the steps that it took. A load that reuses it is charged the same, so that what fits into a
    /// limit does not depend on which load came first.
    struct Result<Value: Sendable>: Sendable {
        let value: Value
        let steps: Int
    }

    /// The most recently used entry comes first.
    private let readings = Lock<[Reading]>([])

    /// The maximum number of cached files: markets share only a few.
    private static let most = 16

    /// Creates an empty cache.
    package init() {}

    /// The cached syntax of a file with this text, if any.
    func tree(of file: String, _ source: [UInt8]) -> Result<LuaTree>? { reading(of: file, source)?.tree }

    /// The cached map of a file with this text, if any.
    func map(of file: String, _ source: [UInt8]) -> Result<LuaSourceMap>? { reading(of: file, source)?.map }

    /// The cached names in a file with this text, if any.
    func names(in file: String, _ source: [UInt8]) -> Result<LuaNames>? { reading(of: file, source)?.names }

    func remember(_ tree: LuaTree, of file: String, steps: Int) {
        change(file, tree.bytes) { $0.tree = Result(value: tree, steps: steps) }
    }

    func remember(_ map: LuaSourceMap, of file: String, _ source: [UInt8], steps: Int) {
        change(file, source) { $0.map = Result(value: map, steps: steps) }
    }

    func remember(_ names: LuaNames, in file: String, _ source: [UInt8], steps: Int) {
        change(file, source) { $0.names = Result(value: names, steps: steps) }
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
