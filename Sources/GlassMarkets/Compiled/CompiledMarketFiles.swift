import GlassBase
import Foundation
import GlassSchema

/// A folder that `compile --to` has written: `1/ca.json` and `1/ca.map.json`, where 1 is the generation of the format.
///
/// A market whose values depend on the situation also has `2/ca.json` and `2/ca.map.json`, and one with flags
/// `3/ca.json` and `3/ca.map.json`. Readers take the newest generation that they know.
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

    /// The names of the files, those of markets and those of their maps, with their folders: `1/ca.json`.
    package func names() throws(CompiledMarketError) -> [String] {
        var all: [String] = []
        for generation in 1...CompiledMarket.generation {
            let folder = folder(generation)
            // Only markets with conditions or flags need the folders of later generations.
            if generation > CompiledMarket.plain, !FileManager.default.fileExists(atPath: folder) { continue }
            do throws(FileFailure) {
                all += try ConfinedDirectory(found: folder).names().filter { name in
                    guard name.hasSuffix(".json") else { return false }
                    let id =
                        name.hasSuffix(".map.json") ? name.dropLast(".map.json".count) : name.dropLast(".json".count)
                    return StringFormat.marketID.matches(String(id))
                }.sorted().map { "\(generation)/\($0)" }
            } catch {
                throw .unreadable(folder, reason: error.reason)
            }
        }
        return all
    }

    /// The folder of a format.
    private func folder(_ generation: Int) -> String { "\(path)/\(generation)" }

    /// The formats that can be read, newest first.
    private static var generations: [Int] { (1...CompiledMarket.generation).reversed() }

    /// The ids of the markets: the names of the files, without the maps.
    package func marketIDs() throws(CompiledMarketError) -> [String] {
        var ids: Set<String> = []
        var failure: FileFailure?
        var found = false
        for generation in Self.generations {
            do throws(FileFailure) {
                let names = try ConfinedDirectory(found: folder(generation)).names()
                ids.formUnion(names.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) })
                found = true
            } catch {
                failure = error  // at last that of the folder that every market needs
            }
        }
        guard found else {
            throw .unreadable(
                path,
                reason:
                    "it has no folder \(CompiledMarket.plain), as `compile --to` creates it; \(failure?.reason ?? "")")
        }
        return ids.filter { StringFormat.marketID.matches($0) }.sorted()
    }

    /// Whether the folder contains compiled markets. Also false if it cannot be read.
    package var hasMarkets: Bool {
        (try? marketIDs())?.isEmpty == false  // reading it reports the failure
    }

    /// The path of a market's file, in the newest format that exists.
    package func file(of id: String) throws(CompiledMarketError) -> String {
        // A valid id contains no path separators, so it cannot lead outside the folder.
        if StringFormat.marketID.matches(id) {
            for generation in Self.generations {
                let file = "\(folder(generation))/\(Self.name(of: id))"
                if FileManager.default.fileExists(atPath: file) { return file }
            }
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
