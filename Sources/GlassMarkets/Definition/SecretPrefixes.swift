/// The prefixes of the names of secrets. They prevent a market from reading arbitrary variables of the host.
struct SecretPrefixes: Sendable {
    /// The prefixes; without any, markets cannot use secrets.
    let list: [String]

    /// Whether a market may use a secret.
    func allow(_ name: String) -> Bool { list.contains { name.hasPrefix($0) } }

    /// The rule, for a message.
    var rule: String {
        list.isEmpty
            ? "this host allows no secrets in markets" : "names must begin with \(list.joined(separator: " or "))"
    }
}
