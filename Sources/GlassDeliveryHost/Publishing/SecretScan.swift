import GlassBase

/// Looks for values of secrets in what is about to be published: a market names its secrets, and their values stay where
/// the app's servers and the developers have them.
package struct SecretScan: Sendable {
    /// The values by name, as they may stand in a file.
    private let forms: [(name: String, bytes: [UInt8])]

    /// A shorter value cannot be told from other text: it would be found in any file.
    package static let shortest = 4

    /// Prepares the search.
    package init(_ values: [String: String]) {
        forms = values.sorted { $0.key < $1.key }.flatMap { name, value -> [(String, [UInt8])] in
            guard value.utf8.count >= Self.shortest else { return [] }
            // As it is, and as a string of JSON has it.
            let literal = Array(StrictJSON.string(value).text().dropFirst().dropLast())
            let plain = Array(value.utf8)
            return [(name, plain)] + (literal == plain ? [] : [(name, literal)])
        }
    }

    /// The secrets of an environment: the variables whose names have a prefix of a module's secrets.
    package init(environment: [String: String], prefixes: [String]) {
        self.init(environment.filter { variable in prefixes.contains { variable.key.hasPrefix($0) } })
    }

    /// Refuses files with a value in them.
    package func check(_ files: [RepositoryFolder.File]) throws(PublishingError) {
        for file in files {
            for (name, bytes) in forms where Self.contains(file.bytes, bytes) {
                throw .refused(
                    "\(file.name) contains the value of the secret \(name), which everyone could read then; "
                        + "name it in the market with secret \"\(name)\"")
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
