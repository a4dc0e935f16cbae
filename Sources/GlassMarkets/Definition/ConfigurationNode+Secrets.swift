import GlassBase
import GlassSchema

extension ConfigurationNode {
    /// The tree for the decoder: every secret has the value that a lookup finds. The tree itself keeps the names only.
    ///
    /// - Parameter lookup: Answers the value of a name, or nil.
    /// - Returns: The tree with values; what it replaced in other markets is left as it is.
    func resolvingSecrets(by lookup: (String) -> String?) -> ConfigurationNode {
        var resolved = self
        switch value {
        case .secret(let secret): resolved.value = .secret(secret.resolved(by: lookup))
        case .map(let entries): resolved.value = .map(entries.mapValues { $0.resolvingSecrets(by: lookup) })
        case .list(let nodes): resolved.value = .list(nodes.map { $0.resolvingSecrets(by: lookup) })
        default: break
        }
        return resolved
    }

    /// Adds a warning for every secret of the tree that was looked up and has no value, in the order of the keys.
    ///
    /// - Parameters:
    ///   - prefixes: What the names of those that are looked up begin with.
    ///   - findings: Gets the warnings.
    ///   - allowance: What looking may use.
    /// - Throws: `Allowance.Exceeded` when there is more to look at than there may be.
    func warnOfUnsetSecrets(
        within prefixes: SecretPrefixes, in findings: inout FindingList, allowance: Allowance
    ) throws(Allowance.Exceeded) {
        try forEachSecret(allowance: allowance) { secret, position, path throws(Allowance.Exceeded) in
            guard !secret.isSet, prefixes.allow(secret.name) else { return }
            try findings.add(
                .secretUnset, severity: .warning, at: position, path: path, "the secret \(secret.name) is not set",
                hint: "put \(secret.name) into the environment of the host; reading it fails until then")
        }
    }

    /// Adds an error for every secret of the tree that a market may not name, in the order of the keys.
    ///
    /// - Parameters:
    ///   - prefixes: What the names that it may begin with.
    ///   - findings: Gets the errors.
    ///   - allowance: What looking may use.
    /// - Throws: `Allowance.Exceeded` when there is more to look at than there may be.
    func refuseForeignSecrets(
        outside prefixes: SecretPrefixes, in findings: inout FindingList, allowance: Allowance
    ) throws(Allowance.Exceeded) {
        try forEachSecret(allowance: allowance) { secret, position, path throws(Allowance.Exceeded) in
            guard !prefixes.allow(secret.name) else { return }
            try findings.add(
                .secretForeign, at: position, path: path,
                "a market cannot name the secret \(secret.name): \(prefixes.rule)",
                hint: prefixes.list.first.map {
                    "rename it, here and in the environment of the host, such as \($0)\(secret.name)"
                } ?? "leave the key out")
        }
    }

    /// Calls `body` with every secret of the tree, also with those that a word of a market file adds or takes away.
    private func forEachSecret(
        at path: ConfigurationPath = ConfigurationPath(), allowance: Allowance,
        _ body: (Secret, SourcePosition?, ConfigurationPath) throws(Allowance.Exceeded) -> Void
    ) throws(Allowance.Exceeded) {
        func visit(_ nodes: [ConfigurationNode]) throws(Allowance.Exceeded) {
            for (offset, node) in nodes.enumerated() {
                try node.forEachSecret(at: path.appending(index: offset + 1), allowance: allowance, body)
            }
        }
        try allowance.spend(value.weight, on: .validating)
        switch value {
        case .secret(let secret): try body(secret, position, path)
        case .map(let entries):
            for (key, entry) in entries.inOrder {
                try entry.forEachSecret(at: path.appending(key), allowance: allowance, body)
            }
        case .list(let nodes): try visit(nodes)
        default:
            switch value.word?.kind {
            case .append(let nodes), .remove(let nodes): try visit(nodes)
            case .unset, nil: break
            }
        }
    }
}
