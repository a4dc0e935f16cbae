import Foundation
import GlassBase
import GlassSchema

/// The positions of the values of a compiled market, and the values that they override: the provenance map next to it.
///
/// ```json
/// {"data":{"codes":"iso-codes of 2026-02-16",…},"keys":{"currency":{"at":"ca.lua:4:14","beat":[{"at":"us.lua:5:14","value":"USD"}],"key":"ca.lua:4:3"}},
///  "histories":{…},"market":"9f3c…","removed":{"routables.pharmacy.paths":"ca.lua:31:5"},"schema":4}
/// ```
///
/// `data` names the versions of the data that the market was checked against. Files are named by their paths relative to the markets folder. `market` is the SHA-256 digest of the compiled
/// market, so that a map is never used with another version of it.
package struct MarketProvenance: Sendable {
    /// The provenance of one value.
    struct Place: Sendable {
        /// The position of the value.
        let position: SourcePosition?
        /// The position of its key.
        let keyPosition: SourcePosition?
        /// The values that it overrides, nearest first.
        let replaced: [ConfigurationNode.Layer]
    }

    /// The SHA-256 digest of the market's bytes, in hexadecimal.
    let digest: String
    private let places: [String: Place]
    /// The positions at which keys were removed, by path.
    let removals: [String: SourcePosition]
    /// The histories of values for which the files used directives, by path.
    let histories: [String: ValueHistory]

    /// The provenance of a value.
    subscript(path: ConfigurationPath) -> Place? { places[path.description] }

    // MARK: Reading

    /// The maximum size of a map, in bytes.
    static let longest = 16 << 20

    /// Reads a map.
    init(reading bytes: [UInt8], file: String) throws(CompiledMarketError) {
        let json = try CompiledMarket.json(bytes, file: file, limit: Self.longest)
        func failure(_ problem: String) -> CompiledMarketError {
            .unexpected(file, path: ConfigurationPath(), problem: problem)
        }
        try CompiledMarket.requireFormat(of: json, file: file)
        guard let digest = json["market"]?.stringValue else {
            throw failure("it does not name its market")
        }
        self.digest = digest
        func position(_ json: StrictJSON?) throws(CompiledMarketError) -> SourcePosition? {
            guard let json else { return nil }
            guard let text = json.stringValue, let position = SourcePosition(written: text) else {
                throw failure("a position must be written as FILE:LINE:COLUMN")
            }
            return position
        }
        var places: [String: Place] = [:]
        var reader = CompiledTreeReader(file: file, places: nil, keepingKinds: true)
        func layers(_ json: StrictJSON?) throws(CompiledMarketError) -> [ConfigurationNode.Layer] {
            var replaced: [ConfigurationNode.Layer] = []
            for layer in json?.arrayValue ?? [] {
                guard let value = layer["value"] else { throw failure("an overridden value is missing") }
                replaced.append(
                    ConfigurationNode.Layer(
                        value: try reader.node(value, at: ConfigurationPath()).value,
                        position: try position(layer["at"])))
            }
            return replaced
        }
        for member in json["keys"]?.members ?? [] {
            places[member.key] = Place(
                position: try position(member.value["at"]), keyPosition: try position(member.value["key"]),
                replaced: try layers(member.value["beat"]))
        }
        histories = try Self.histories(of: json["histories"], layers: layers, position: position)
        self.places = places
        var removals: [String: SourcePosition] = [:]
        for member in json["removed"]?.members ?? [] { removals[member.key] = try position(member.value) }
        self.removals = removals
    }

    // MARK: Writing

    /// The contents of the map of a market.
    ///
    /// What a value overrides and its history are those in the market's situation, so a varied value has neither.
    static func bytes(
        of market: Market, source: ConfigurationNode, conditions: [Condition], digest: String
    ) -> [UInt8] {
        var keys: [String: StrictJSON] = [:]
        let folder = market.origin.folder
        let numbers = Dictionary(uniqueKeysWithValues: conditions.enumerated().map { ($1, $0) })
        add(source, in: market.source, at: ConfigurationPath(), folder, numbers, to: &keys)
        let removed = market.origin.removed(from: market.source).map { path, position in
            (path.description, StrictJSON.string(position.written(below: folder)))
        }
        let histories = Self.histories(
            of: market, varied: source, layer: { members(of: $0, folder) },
            position: { .string($0.written(below: folder)) })
        return StrictJSON.object([
            ("data", data), ("histories", histories), ("keys", .object(unique: keys.map { ($0, $1) })),
            ("market", .string(digest)),
            ("removed", .object(unique: removed)), ("schema", .integer(StrictJSON.Integer(CompiledMarket.format))),
        ]).text()
    }

    /// The data that the market was checked against. It is not in the market itself, whose bytes are the same on every
    /// machine; only what a time zone's data decides can differ.
    private static var data: StrictJSON {
        .object([
            ("codes", .string(ReferenceData.codes)), ("locales", .string(ReferenceData.locales)),
            ("timeZones", .string(TimeZone.timeZoneDataVersion)),
        ])
    }

    /// The members for an overridden value and its position.
    private static func members(
        of layer: ConfigurationNode.Layer, _ folder: String?
    ) -> [(String, StrictJSON)] {
        // This can be anything that a file contains, because it was not validated.
        let json = try? CompiledTree.json(of: layer.value, keepingKinds: true)  // infinity has no form: as text
        let at = layer.position.map { [("at", StrictJSON.string($0.written(below: folder)))] } ?? []
        return [("value", json ?? .string(layer.value.found))] + at
    }

    /// - Parameter single: The same value in the market's situation, which knows what it overrides; nil below a varied
    ///   value.
    private static func add(
        _ node: ConfigurationNode, in single: ConfigurationNode?, at path: ConfigurationPath, _ folder: String?,
        _ numbers: [Condition: Int], to keys: inout [String: StrictJSON]
    ) {
        let node = node.writtenForm(with: numbers)
        let known = node.value.isVaried ? node : single ?? node
        var place: [(String, StrictJSON)] = []
        func note(_ name: String, _ position: SourcePosition?) {
            if let position { place.append((name, .string(position.written(below: folder)))) }
        }
        note("at", known.position)
        note("key", known.keyPosition)
        if !known.overridden.isEmpty {
            place.append(("beat", .array(known.overridden.map { .object(members(of: $0, folder)) })))
        }
        if !place.isEmpty { keys[path.description] = .object(place) }
        switch node.value {
        case .map(let entries):
            for (key, entry) in entries.inOrder {
                let inner = single?.node(at: ConfigurationPath([.key(key)]))
                add(entry, in: inner, at: path.appending(key), folder, numbers, to: &keys)
            }
        case .list(let nodes):
            for (offset, element) in nodes.enumerated() {
                let inner = single?.node(at: ConfigurationPath([.index(offset + 1)]))
                add(element, in: inner, at: path.appending(index: offset + 1), folder, numbers, to: &keys)
            }
        case .varied(let varied):
            for alternative in varied.alternatives {
                let number = numbers[alternative.condition]
                // Alternatives without a number change nothing, and are not in the file.
                guard number != nil || alternative.condition == .always else { continue }
                let inner = path.alternative(number)
                if let inside = alternative.node { add(inside, in: nil, at: inner, folder, numbers, to: &keys) }
                if let position = alternative.position {
                    keys[inner.appending("$when").description] = .object([
                        ("at", .string(position.written(below: folder)))
                    ])
                }
            }
        default: break
        }
    }
}

extension ConfigurationNode {
    /// The value as it is in the file, where one whose alternatives have no numbers is written without them.
    fileprivate func writtenForm(with numbers: [Condition: Int]) -> ConfigurationNode {
        guard case .varied(let varied) = value, !varied.alternatives.contains(where: { numbers[$0.condition] != nil })
        else { return self }
        return varied.alternatives.first { $0.condition == .always }?.node ?? self
    }
}

extension StrictJSON {
    /// An object with members, some of which may have the same name. The first of those is kept.
    ///
    /// Paths are not unique as text, because a key may contain a bracket.
    static func object(unique members: [(String, StrictJSON)]) -> StrictJSON {
        var seen: Set<[UInt8]> = []
        return .object(members.filter { seen.insert(Array($0.0.utf8)).inserted })
    }
}

extension SourcePosition {
    /// Parses `FILE:LINE:COLUMN`, where the column 0 stands for an unknown one.
    fileprivate init?(written text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count > 2, let line = Int(parts[parts.count - 2]), line > 0,
            let column = Int(parts[parts.count - 1]),
            column >= 0
        else { return nil }
        self.init(
            file: parts.dropLast(2).joined(separator: ":"), line: line, column: column == 0 ? nil : column)
    }

    /// The position as `FILE:LINE:COLUMN`, with only the part of the file's path that is below a folder.
    fileprivate func written(below folder: String?) -> String {
        var name = file
        if let folder {
            // Never a path of this machine: for a file outside the folder, only the last part is written.
            name =
                file.hasPrefix(folder + "/")
                ? String(file.dropFirst(folder.count + 1)) : file.split(separator: "/").last.map(String.init) ?? file
        }
        return "\(name):\(line):\(column ?? 0)"
    }
}
