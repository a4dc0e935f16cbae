import GlassBase

/// Searches files for secret values before they are published. A market only names its secrets; their values stay on
/// the app's servers and with the developers.
struct SecretScan: Sendable {
    /// The values by name, in the forms in which a file can contain them.
    private let forms: [(name: String, bytes: [UInt8])]

    /// The minimum length of a value to search for. A shorter one would be found in any file.
    static let shortest = 4

    /// Prepares the search.
    init(_ values: [String: String]) {
        forms = values.sorted { $0.key < $1.key }.flatMap { name, value -> [(String, [UInt8])] in
            guard value.utf8.count >= Self.shortest else { return [] }
            // The value itself, and its JSON string form.
            let literal = Array(StrictJSON.string(value).text().dropFirst().dropLast())
            let plain = Array(value.utf8)
            return [(name, plain)] + (literal == plain ? [] : [(name, literal)])
        }
    }

    /// Searches for the secrets of an environment: the variables whose names have a prefix of the module's secrets.
    init(environment: [String: String], prefixes: [String]) {
        self.init(environment.filter { variable in prefixes.contains { variable.key.hasPrefix($0) } })
    }

    /// Throws if a file contains a value.
    func check(_ files: [RepositoryFolder.File]) throws(PublishingError) {
        for file in files {
            for (name, bytes) in forms where Self.contains(file.bytes, bytes) {
                throw .refused(
                    "\(file.name) contains the value of the secret \(name), which anyone could then read; "
                        + "write secret \"\(name)\" in the market instead")
            }
        }
    }

    private static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
        guard let first = part.first, text.count >= part.count else { return false }
        for start in 0...(text.count - part.count) where text[start] == first {
            if text[start..<(start + part.count)].elementsEqual(part) { return true }
        }
        return false
    }
}
