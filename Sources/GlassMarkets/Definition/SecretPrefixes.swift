/// What the names of secrets begin with, so that a market cannot have the host read any variable that it can name.
struct SecretPrefixes: Sendable {
    /// The prefixes; without any, a market can name no secret.
    let list: [String]

    /// Whether a market may name a secret.
    func allow(_ name: String) -> Bool { list.contains { name.hasPrefix($0) } }

    /// The rule, for a diagnostic.
    var rule: String {
        list.isEmpty ? "this host has none for markets" : "names begin with \(list.joined(separator: " or "))"
    }
}
