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

    /// A warning for every secret of the tree that was looked up and has no value.
    ///
    /// - Parameter prefixes: What the names of those that are looked up begin with.
    /// - Returns: The warnings in the order of the keys.
    func unsetSecrets(within prefixes: SecretPrefixes) -> [Finding] {
        secrets().filter { !$0.secret.isSet && prefixes.allow($0.secret.name) }.map { found in
            let name = found.secret.name
            return Finding(
                .secretUnset, severity: .warning, at: found.position, path: found.path, "the secret \(name) is not set",
                hint: "put \(name) into the environment of the host; reading it fails until then")
        }
    }

    /// An error for every secret of the tree that a market may not name.
    ///
    /// - Parameter prefixes: What the names that it may begin with.
    /// - Returns: The errors in the order of the keys.
    func foreignSecrets(outside prefixes: SecretPrefixes) -> [Finding] {
        secrets().filter { !prefixes.allow($0.secret.name) }.map { found in
            Finding(
                .secretForeign, at: found.position, path: found.path,
                "a market cannot name the secret \(found.secret.name): \(prefixes.rule)",
                hint: prefixes.list.first.map {
                    "rename it, here and in the environment of the host, such as \($0)\(found.secret.name)"
                } ?? "leave the key out")
        }
    }

    /// Every secret of the tree, also those that a word of a market file adds or takes away.
    private func secrets(
        at path: ConfigurationPath = ConfigurationPath()
    ) -> [(secret: Secret, position: SourcePosition?, path: ConfigurationPath)] {
        func all(
            _ nodes: [ConfigurationNode]
        ) -> [(secret: Secret, position: SourcePosition?, path: ConfigurationPath)] {
            nodes.enumerated().flatMap { $0.element.secrets(at: path.appending(index: $0.offset + 1)) }
        }
        switch value {
        case .secret(let secret): return [(secret, position, path)]
        case .map(let entries): return entries.inOrder.flatMap { $0.value.secrets(at: path.appending($0.key)) }
        case .list(let nodes): return all(nodes)
        default:
            switch value.word?.kind {
            case .append(let nodes), .remove(let nodes): return all(nodes)
            case .unset, nil: return []
            }
        }
    }
}
