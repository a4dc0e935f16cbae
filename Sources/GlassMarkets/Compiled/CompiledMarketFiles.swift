import GlassBase
import Foundation
import GlassSchema

/// A folder that `compile --to` wrote: `1/ca.json` and `1/ca.map.json`, where 1 is the format.
package struct CompiledMarketFiles: Sendable {
    /// The folder's path as the user gave it.
    package let path: String

    /// Creates a reference to a folder. Reads nothing yet.
    package init(path: String) {
        self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// The name of a market's file.
    package static func name(of id: String) -> String { "\(id).json" }

    /// The name of a market's map.
    package static func mapName(of id: String) -> String { "\(id).map.json" }

    /// The folder of a format.
    private func folder(_ generation: Int) -> String { "\(path)/\(generation)" }

    /// The formats that are read, the newest one first.
    private static var generations: [Int] { (1...CompiledMarket.generation).reversed() }

    /// The ids of the markets: the names of the files, without the maps.
    package func marketIDs() throws(CompiledMarketError) -> [String] {
        var ids: Set<String> = []
        var failure: (any Error)?
        var found = false
        for generation in Self.generations {
            do {
                let names = try FileManager.default.contentsOfDirectory(atPath: folder(generation))
                ids.formUnion(names.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) })
                found = true
            } catch {
                failure = failure ?? error
            }
        }
        guard found else {
            let names = Self.generations.map { "\($0)" }.joined(separator: " or ")
            throw .unreadable(
                path,
                reason: "it has no folder \(names), as `compile --to` makes; \(failure?.localizedDescription ?? "")")
        }
        return ids.filter { StringFormat.marketID.matches($0) }.sorted()
    }

    /// Whether the folder has compiled markets. False also when it cannot be read.
    package var hasMarkets: Bool {
        (try? marketIDs())?.isEmpty == false  // what is wrong with it is said when it is read
    }

    /// The path of a market's file, in the newest format in which there is one.
    package func file(of id: String) throws(CompiledMarketError) -> String {
        // An id is no path: what is none cannot lead out of the folder.
        if StringFormat.marketID.matches(id) {
            for generation in Self.generations {
                let file = "\(folder(generation))/\(Self.name(of: id))"
                if FileManager.default.fileExists(atPath: file) { return file }
            }
        }
        let ids = try marketIDs()
        throw .noSuchMarket(id, place: path, suggestion: Suggestion.nearest(to: id, in: ids), available: ids)
    }

    /// Reads a file of compiled markets.
    package static func read(_ path: String, limit: Int = CompiledMarket.longest) throws(CompiledMarketError) -> [UInt8]
    {
        // Without waiting: a pipe of that name has nobody at its other end.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw .unreadable(path, reason: reason(errno)) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .unreadable(path, reason: reason(errno)) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .unreadable(path, reason: "it is not a regular file") }
        var bytes: [UInt8] = []
        // One byte more than it may have tells a file that is too long, also one that grows while it is read.
        let room = min(Int(status.st_size), limit) + 1
        while bytes.count <= limit {
            var failure: Int32 = 0
            let before = bytes.count
            let part = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                let got = Foundation.read(file, buffer.baseAddress, buffer.count)
                if got < 0 { failure = errno }
                count = max(0, got)
            }
            if failure == EINTR { continue }
            guard failure == 0 else { throw .unreadable(path, reason: reason(failure)) }
            bytes += part
            if bytes.count == before { return bytes }
        }
        throw .tooLarge(path, limit: limit)
    }

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)).lowercased() }
}

extension CompiledMarket {
    /// Reads a compiled market, and the map beside it when there is one.
    package init(file path: String) throws(CompiledMarketError) {
        let bytes = try CompiledMarketFiles.read(path)
        let map = (path.hasSuffix(".json") ? String(path.dropLast(5)) : path) + ".map.json"
        let mapped = try? CompiledMarketFiles.read(map, limit: MarketProvenance.longest)  // as good without one
        try self.init(reading: bytes, name: path, map: mapped.map { ($0, map) })
    }
}
