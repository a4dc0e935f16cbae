import GlassSchema

extension ConfigurationNode {
    /// Gives every secret of the tree the value that a lookup finds.
    ///
    /// - Parameter lookup: Answers the value of a name, or nil.
    mutating func resolveSecrets(by lookup: (String) -> String?) {
        switch value {
        case .secret(let secret):
            value = .secret(secret.resolved(by: lookup))
        case .map(let entries):
            value = .map(
                entries.mapValues { entry in
                    var resolved = entry
                    resolved.resolveSecrets(by: lookup)
                    return resolved
                })
        case .list(let nodes):
            value = .list(
                nodes.map { node in
                    var resolved = node
                    resolved.resolveSecrets(by: lookup)
                    return resolved
                })
        default:
            break
        }
    }

    /// A warning for every secret of the tree that has no value.
    ///
    /// - Parameter path: Where this node stands.
    /// - Returns: The warnings in the order of the keys.
    func unsetSecrets(at path: ConfigurationPath = ConfigurationPath()) -> [Finding] {
        switch value {
        case .secret(let secret) where !secret.isSet:
            [
                Finding(
                    .secretUnset, severity: .warning, at: position, path: path, "the secret \(secret.name) is not set",
                    hint: "put \(secret.name) into the environment of the host; reading it fails until then")
            ]
        case .map(let entries):
            entries.inOrder.flatMap { $0.value.unsetSecrets(at: path.appending($0.key)) }
        case .list(let nodes):
            nodes.enumerated().flatMap { $0.element.unsetSecrets(at: path.appending(index: $0.offset + 1)) }
        default:
            []
        }
    }
}
