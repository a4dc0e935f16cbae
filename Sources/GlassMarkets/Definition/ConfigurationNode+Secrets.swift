import GlassBase
import GlassSchema

extension ConfigurationNode {
    /// The tree for the decoder: every secret has the value that a lookup finds. The tree itself keeps the names only.
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
    func warnOfUnsetSecrets(
        within prefixes: SecretPrefixes, in findings: inout FindingList, allowance: Allowance
    ) throws(Allowance.Exceeded) {
        try forEachSecret(allowance: allowance) { secret, position, path throws(Allowance.Exceeded) in
            guard !secret.isSet, prefixes.allow(secret.name) else { return }
            try findings.add(
                .secretUnset, severity: .warning, at: position, path: path, subject: secret.name,
                "the secret \(secret.name) is not set",
                hint: "put \(secret.name) into the environment of the host; reading it fails until then")
        }
    }

    /// Adds an error for every secret of the tree that a market may not name, in the order of the keys.
    func refuseForeignSecrets(
        outside prefixes: SecretPrefixes, in findings: inout FindingList, allowance: Allowance
    ) throws(Allowance.Exceeded) {
        try forEachSecret(allowance: allowance) { secret, position, path throws(Allowance.Exceeded) in
            guard !prefixes.allow(secret.name) else { return }
            try findings.add(
                .secretForeign, at: position, path: path, subject: secret.name,
                "a market cannot name the secret \(secret.name): \(prefixes.rule)",
                hint: prefixes.list.first.map {
                    "rename it, here and in the environment of the host, such as \($0)\(secret.name)"
                } ?? "leave the key out")
        }
    }

    /// A secret of a tree, and where it stands.
    private struct Place {
        let secret: Secret
        let position: SourcePosition?
        let path: ConfigurationPath
    }

    /// Calls `body` with every secret of the tree, also with those that a word of a market file adds or takes away.
    private func forEachSecret(
        allowance: Allowance,
        _ body: (Secret, SourcePosition?, ConfigurationPath) throws(Allowance.Exceeded) -> Void
    ) throws(Allowance.Exceeded) {
        var path = ConfigurationPath()
        var places: [Place] = []
        try collectSecrets(at: &path, into: &places, allowance: allowance)
        // The few secrets are put in order, rather than the keys of all maps on the way to them.
        for place in places.sorted(by: { $0.path.precedes($1.path) }) {
            try body(place.secret, place.position, place.path)
        }
    }

    private func collectSecrets(
        at path: inout ConfigurationPath, into places: inout [Place], allowance: Allowance
    ) throws(Allowance.Exceeded) {
        func visit(_ nodes: [ConfigurationNode]) throws(Allowance.Exceeded) {
            for (offset, node) in nodes.enumerated() {
                path.elements.append(.index(offset + 1))
                try node.collectSecrets(at: &path, into: &places, allowance: allowance)
                path.elements.removeLast()
            }
        }
        try allowance.spend(value.weight, on: .validating)
        switch value {
        case .secret(let secret): places.append(Place(secret: secret, position: position, path: path))
        case .map(let entries):
            for (key, entry) in entries {
                path.elements.append(.key(key))
                try entry.collectSecrets(at: &path, into: &places, allowance: allowance)
                path.elements.removeLast()
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

extension ConfigurationPath {
    /// Whether a path comes before another one: keys by their bytes, elements of lists by their places.
    fileprivate func precedes(_ other: ConfigurationPath) -> Bool {
        for (left, right) in zip(elements, other.elements) where left != right {
            switch (left, right) {
            case (.key(let left), .key(let right)): return left.precedesInUTF8(right)
            case (.index(let left), .index(let right)): return left < right
            case (.index, .key): return true
            case (.key, .index): return false
            }
        }
        return elements.count < other.elements.count
    }
}
