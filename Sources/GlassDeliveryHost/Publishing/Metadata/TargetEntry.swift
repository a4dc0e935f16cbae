import GlassBase
import GlassMarkets

/// A file listed in targets metadata, with the metadata that controls its delivery (`custom`).
struct TargetEntry: Sendable, Equatable {
    /// Its path below `targets/`, such as `4/ca.json`.
    var path: String
    /// Its length in bytes.
    var length: Int
    /// Its SHA-256 digest.
    var digest: String
    /// The metadata about it; `nil` for a file that devices do not fetch on their own.
    var custom: StrictJSON?

    /// Creates an entry for a file.
    init(path: String, bytes: [UInt8], custom: StrictJSON? = nil) {
        self.path = path
        length = bytes.count
        digest = bytes.sha256
        self.custom = custom
    }

    /// Decodes an entry of targets metadata.
    init(_ path: String, _ json: StrictJSON) throws(PublishingError) {
        guard let length = json["length"]?.intValue, let digest = json["hashes"]?["sha256"]?.stringValue else {
            throw .impossible("the published targets list \(path) without a length or a SHA-256")
        }
        self.path = path
        self.length = length
        self.digest = digest
        custom = json["custom"]
    }

    /// The encoded value of the entry.
    var json: StrictJSON {
        .object(
            [("hashes", .object([("sha256", .string(digest))])), ("length", .integer(length))]
                + (custom.map { [("custom", $0)] } ?? []))
    }

    /// The path of the file below the published folder. The file name starts with the digest (specification 1.0,
    /// section 6.2), so that the content of a path never changes.
    var file: String {
        var parts = path.split(separator: "/").map(String.init)
        let name = parts.removeLast()
        return (["targets"] + parts + ["\(digest).\(name)"]).joined(separator: "/")
    }

    /// The path of the provenance map of the market.
    var mapPath: String { "\(path.hasSuffix(".json") ? String(path.dropLast(5)) : path).map.json" }
    /// Whether it has the format that this version reads.
    var isReadable: Bool { path.hasPrefix("\(CompiledMarket.format)/") }
    /// The market's id; `nil` for other files, such as a provenance map.
    var market: String? { custom?["market"]?.stringValue }
    /// The serial of the publication that introduced it.
    var serial: Int? { custom?["serial"]?.intValue }
    /// The percentage of installations that get it, in units of 0.01%; `nil` for all.
    var share: Int? { custom?["rollout"]?["share"]?.intValue }
    /// The app versions that get it.
    var apps: AppRange { AppRange(custom?["app"]) }
}

/// The range of app versions that a market is for.
struct AppRange: Sendable, Equatable {
    /// The lowest version, if limited.
    var min: String?
    /// The highest version, if limited.
    var max: String?

    /// Creates a range; without arguments, it contains all versions.
    init(min: String? = nil, max: String? = nil) {
        self.min = min
        self.max = max
    }

    init(_ json: StrictJSON?) {
        self.init(min: json?["min"]?.stringValue, max: json?["max"]?.stringValue)
    }

    /// The encoded range for `custom`; `nil` for any version.
    var json: StrictJSON? {
        let members = [("min", min), ("max", max)].compactMap { name, text in text.map { (name, StrictJSON.string($0)) }
        }
        return members.isEmpty ? nil : .object(members)
    }
}
