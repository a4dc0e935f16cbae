package import GlassBase

/// A file listed in targets metadata, with the metadata that controls its delivery (`custom`).
package struct TargetEntry: Sendable, Equatable {
    /// Its path below `targets/`, such as `1/ca.json`.
    package var path: String
    /// Its length in bytes.
    package var length: Int
    /// Its SHA-256 digest.
    package var digest: String
    /// The metadata about it; `nil` for a file that devices do not fetch on their own.
    package var custom: StrictJSON?

    /// Creates an entry for a file.
    package init(path: String, bytes: [UInt8], custom: StrictJSON? = nil) {
        self.path = path
        length = bytes.count
        digest = bytes.sha256
        self.custom = custom
    }

    /// Decodes an entry of targets metadata.
    package init(_ path: String, _ json: StrictJSON) throws(PublishingError) {
        guard let length = json["length"]?.intValue, let digest = json["hashes"]?["sha256"]?.stringValue else {
            throw .impossible("the published targets list \(path) without a length or a SHA-256")
        }
        self.path = path
        self.length = length
        self.digest = digest
        custom = json["custom"]
    }

    /// The encoded value of the entry.
    package var json: StrictJSON {
        .object(
            [("hashes", .object([("sha256", .string(digest))])), ("length", .integer(length))]
                + (custom.map { [("custom", $0)] } ?? []))
    }

    /// The path of the file below the published folder. The file name starts with the digest (specification 1.0,
    /// section 6.2), so that the content of a path never changes.
    package var file: String {
        var parts = path.split(separator: "/").map(String.init)
        let name = parts.removeLast()
        return (["targets"] + parts + ["\(digest).\(name)"]).joined(separator: "/")
    }

    /// The market's id; `nil` for other files, such as a provenance map.
    package var market: String? { custom?["market"]?.stringValue }
    /// The serial of the publication that introduced it.
    package var serial: Int? { custom?["serial"]?.intValue }
    /// The percentage of installations that get it, in units of 0.01%; `nil` for all.
    package var share: Int? { custom?["rollout"]?["share"]?.intValue }
    /// The app versions that get it.
    package var apps: AppRange { AppRange(custom?["app"]) }
}

/// The range of app versions that a market is for.
package struct AppRange: Sendable, Equatable {
    /// The lowest version, if limited.
    package var min: String?
    /// The highest version, if limited.
    package var max: String?

    /// Creates a range; without arguments, it contains all versions.
    package init(min: String? = nil, max: String? = nil) {
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
