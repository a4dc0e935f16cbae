package import GlassBase

/// A file that targets metadata lists, with what steers its delivery (its `custom`).
package struct TargetEntry: Sendable, Equatable {
    /// Its path below `targets/`, such as `1/ca.json`.
    package var path: String
    /// Its length in bytes.
    package var length: Int
    /// Its SHA-256.
    package var digest: String
    /// What is said about it; nil for a file that no device fetches by itself.
    package var custom: StrictJSON?

    /// Lists a file.
    package init(path: String, bytes: [UInt8], custom: StrictJSON? = nil) {
        self.path = path
        length = bytes.count
        digest = bytes.sha256
        self.custom = custom
    }

    /// Reads an entry of targets metadata.
    package init(_ path: String, _ json: StrictJSON) throws(PublishingError) {
        guard let length = json["length"]?.intValue, let digest = json["hashes"]?["sha256"]?.stringValue else {
            throw .impossible("the published targets list \(path) without a length or a SHA-256")
        }
        self.path = path
        self.length = length
        self.digest = digest
        custom = json["custom"]
    }

    /// The value of the entry.
    package var json: StrictJSON {
        .object(
            [("hashes", .object([("sha256", .string(digest))])), ("length", .integer(length))]
                + (custom.map { [("custom", $0)] } ?? []))
    }

    /// Where the file is, below the folder that is served: with its digest before its name (specification 1.0,
    /// section 6.2), so that no name ever changes its content.
    package var file: String {
        var parts = path.split(separator: "/").map(String.init)
        let name = parts.removeLast()
        return (["targets"] + parts + ["\(digest).\(name)"]).joined(separator: "/")
    }

    /// The market's id; nil for another file, such as the map of a market.
    package var market: String? { custom?["market"]?.stringValue }
    /// Which publication brought it.
    package var serial: Int? { custom?["serial"]?.intValue }
    /// Of 10,000 installs, how many get it; nil for all.
    package var share: Int? { custom?["rollout"]?["share"]?.intValue }
    /// The app versions that get it.
    package var apps: AppRange { AppRange(custom?["app"]) }
}

/// The versions of the app that a market is for.
package struct AppRange: Sendable, Equatable {
    /// The lowest version; nil for any.
    package var min: String?
    /// The highest version; nil for any.
    package var max: String?

    /// Any version, or those between two.
    package init(min: String? = nil, max: String? = nil) {
        self.min = min
        self.max = max
    }

    init(_ json: StrictJSON?) {
        self.init(min: json?["min"]?.stringValue, max: json?["max"]?.stringValue)
    }

    /// As it stands in `custom`; nil for any version.
    var json: StrictJSON? {
        let members = [("min", min), ("max", max)].compactMap { name, text in text.map { (name, StrictJSON.string($0)) }
        }
        return members.isEmpty ? nil : .object(members)
    }
}
