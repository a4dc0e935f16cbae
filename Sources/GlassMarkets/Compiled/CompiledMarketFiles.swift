import GlassBase
import Foundation
import GlassSchema

/// A folder that `compile --to` has written: `4/ca.json` and `4/ca.map.json`, where 4 is the number of the format.
package struct CompiledMarketFiles: Sendable {
    /// The folder's path as the user gave it.
    package let path: String

    /// Creates a reference to a folder. Reads nothing yet.
    package init(path: String) {
        self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// The name of a market's file.
    package static func name(of id: String) -> String { "\(id).json" }

    /// The name of a market's provenance map.
    package static func mapName(of id: String) -> String { "\(id).map.json" }

    /// The names of the files, those of markets and those of their maps, with their folders: `4/ca.json`. Those of former
    /// formats, which no reader opens, are first.
    package func names() throws(CompiledMarketError) -> [String] {
        var all: [String] = []
        for format in 1...CompiledMarket.format where format == CompiledMarket.format || hasFolder(format) {
            all += try names(in: format).map { "\(format)/\($0)" }
        }
        return all
    }

    /// The folder of a format.
    private func folder(_ format: Int) -> String { "\(path)/\(format)" }

    private func hasFolder(_ format: Int) -> Bool { FileManager.default.fileExists(atPath: folder(format)) }

    private func names(in format: Int) throws(CompiledMarketError) -> [String] {
        do throws(FileFailure) {
            return try ConfinedDirectory(found: folder(format)).names().filter { name in
                guard name.hasSuffix(".json") else { return false }
                let id = name.hasSuffix(".map.json") ? name.dropLast(".map.json".count) : name.dropLast(".json".count)
                return StringFormat.marketID.matches(String(id))
            }.sorted()
        } catch {
            throw .unreadable(folder(format), reason: error.reason)
        }
    }

    /// The former formats of which the folder has files.
    private var formerFormats: [Int] {
        (1..<CompiledMarket.format).filter { format in
            (try? names(in: format))?.isEmpty == false  // a folder that is missing has none
        }
    }

    /// The ids of the markets: the names of the files, without the maps.
    package func marketIDs() throws(CompiledMarketError) -> [String] {
        guard hasFolder(CompiledMarket.format) else {
            let former = formerFormats.map(String.init).joined(separator: ", ")
            throw .unreadable(
                path,
                reason: "it has no folder \(CompiledMarket.format), as `compile --to` creates it"
                    + (former.isEmpty ? "" : ", but files of former formats (\(former)): compile the markets again"))
        }
        let files = try names(in: CompiledMarket.format).filter { !$0.hasSuffix(".map.json") }
        // Not in the order of the files: a hyphen sorts before the dot of their extension.
        return files.map { String($0.dropLast(5)) }.sorted()
    }

    /// Whether the folder contains compiled markets, which may have a former format. Also false if it cannot be read.
    package var hasMarkets: Bool {
        do throws(CompiledMarketError) {
            return try !marketIDs().isEmpty
        } catch {
            return !formerFormats.isEmpty  // listing the markets reports the failure
        }
    }

    /// The path of a market's file.
    package func file(of id: String) throws(CompiledMarketError) -> String {
        // A valid id contains no path separators, so it cannot lead outside the folder.
        if StringFormat.marketID.matches(id) {
            let file = "\(folder(CompiledMarket.format))/\(Self.name(of: id))"
            if FileManager.default.fileExists(atPath: file) { return file }
        }
        let ids = try marketIDs()
        throw .noSuchMarket(id, place: path, suggestion: Suggestion.nearest(to: id, in: ids), available: ids)
    }

    /// Reads a file that was named, or one that was found in a folder and must be inside it.
    package static func read(
        _ path: String, below folder: String? = nil, limit: Int = CompiledMarket.longest
    ) throws(CompiledMarketError) -> [UInt8] {
        let bytes: [UInt8]
        do throws(FileFailure) {
            if let folder, path.hasPrefix("\(folder)/") {
                bytes = try ConfinedDirectory(folder).read(String(path.dropFirst(folder.count + 1)), limit: limit)
            } else {
                bytes = try Descriptor.regular(path).read(limit: limit)
            }
        } catch {
            throw .unreadable(path, reason: error.reason)
        }
        guard bytes.count <= limit else { throw .tooLarge(path, limit: limit) }
        return bytes
    }
}

extension CompiledMarket {
    /// Reads a compiled market, and the provenance map next to it if there is one.
    package init(file path: String, below folder: String? = nil) throws(CompiledMarketError) {
        let bytes = try CompiledMarketFiles.read(path, below: folder)
        let map = (path.hasSuffix(".json") ? String(path.dropLast(5)) : path) + ".map.json"
        // The map is optional, so failures to read it are ignored.
        let place = folder ?? path.lastIndex(of: "/").map { String(path[..<$0]) }
        let mapped = try? CompiledMarketFiles.read(map, below: place, limit: MarketProvenance.longest)  // as above
        try self.init(reading: bytes, name: path, map: mapped.map { ($0, map) })
    }
}
