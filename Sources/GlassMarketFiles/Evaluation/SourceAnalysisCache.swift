import GlassBase

/// What loads read in the texts of files besides running them, for later loads of the same texts.
///
/// Markets that extend one market read its files each, and a language server loads two hundred of them after each edit.
package final class SourceAnalysisCache: Sendable {
    private struct Reading {
        let file: String
        let source: [UInt8]
        var map: LuaSourceMap?
        var names: LuaNames?
    }

    /// The latest first.
    private let readings = Lock<[Reading]>([])

    /// How many files are remembered: those that markets share are few.
    private static let most = 16

    /// Remembers nothing yet.
    package init() {}

    /// The map of a file with this text, if it is remembered.
    func map(of file: String, _ source: [UInt8]) -> LuaSourceMap? { reading(of: file, source)?.map }

    /// What the names of a file with this text are, if it is remembered.
    func names(in file: String, _ source: [UInt8]) -> LuaNames? { reading(of: file, source)?.names }

    /// Remembers a map.
    func remember(_ map: LuaSourceMap, of file: String, _ source: [UInt8]) {
        change(file, source) { $0.map = map }
    }

    /// Remembers names.
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
                // Of another text nothing is true any more.
                if known.source == source { reading = known }
            }
            body(&reading)
            readings.insert(reading, at: 0)
            if readings.count > Self.most { readings.removeLast() }
        }
    }
}
