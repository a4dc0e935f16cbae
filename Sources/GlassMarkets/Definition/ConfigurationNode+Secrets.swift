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

    /// Adds a warning for every secret of the tree that was looked up and has no value, or one that cannot be used, in the
    /// order of the keys. The value is in no message.
    func warnOfSecrets(
        within prefixes: SecretPrefixes, in findings: inout FindingList, budget: WorkBudget
    ) throws(WorkBudget.Exceeded) {
        try forEachSecret(budget: budget) { secret, position, path throws(WorkBudget.Exceeded) in
            guard prefixes.allow(secret.name) else { return }
            let value: String
            do throws(SecretError) {
                value = try secret.reveal()
            } catch {
                return try findings.add(
                    .secretUnset, severity: .warning, at: position, path: path, subject: secret.name,
                    "the secret \(secret.name) is not set",
                    hint: "put \(secret.name) into the environment of the host; reading it fails until then")
            }
            guard let flaw = SecretFlaw(of: value) else { return }
            try findings.add(
                .secretMalformed, severity: .warning, at: position, path: path, subject: "\(secret.name) \(flaw)",
                "the value of \(secret.name) in the environment \(flaw.text)",
                hint: flaw.hint(for: secret.name))
        }
    }

    /// Adds an error for every secret of the tree that a market may not name, in the order of the keys.
    func refuseForeignSecrets(
        outside prefixes: SecretPrefixes, in findings: inout FindingList, budget: WorkBudget
    ) throws(WorkBudget.Exceeded) {
        try forEachSecret(budget: budget) { secret, position, path throws(WorkBudget.Exceeded) in
            guard !prefixes.allow(secret.name) else { return }
            try findings.add(
                .secretNotAllowed, at: position, path: path, subject: secret.name,
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
        budget: WorkBudget,
        _ body: (Secret, SourcePosition?, ConfigurationPath) throws(WorkBudget.Exceeded) -> Void
    ) throws(WorkBudget.Exceeded) {
        var path = ConfigurationPath()
        var places: [Place] = []
        try collectSecrets(at: &path, into: &places, budget: budget)
        // The few secrets are put in order, rather than the keys of all maps on the way to them.
        for place in places.sorted(by: { $0.path.precedes($1.path) }) {
            try body(place.secret, place.position, place.path)
        }
    }

    private func collectSecrets(
        at path: inout ConfigurationPath, into places: inout [Place], budget: WorkBudget
    ) throws(WorkBudget.Exceeded) {
        func visit(_ nodes: [ConfigurationNode]) throws(WorkBudget.Exceeded) {
            for (offset, node) in nodes.enumerated() {
                path.elements.append(.index(offset + 1))
                try node.collectSecrets(at: &path, into: &places, budget: budget)
                path.elements.removeLast()
            }
        }
        try budget.spend(value.weight, on: .validating)
        switch value {
        case .secret(let secret): places.append(Place(secret: secret, position: position, path: path))
        case .map(let entries):
            for (key, entry) in entries {
                path.elements.append(.key(key))
                try entry.collectSecrets(at: &path, into: &places, budget: budget)
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

/// Why a value is none that a service would give: a file or a copy put something around it, or nothing is left of it.
///
/// A field of a header has neither control characters in its value nor white space around it, and is printable ASCII
/// ([RFC 9110 §5.5](https://www.rfc-editor.org/rfc/rfc9110#section-5.5)).
enum SecretFlaw: String {
    case empty
    case notText
    case lineBreak
    case control
    case space
    case invisible
    case notASCII

    /// Looks at a value, in time linear to its length.
    init?(of value: String) {
        let scalars = value.unicodeScalars
        guard let first = scalars.first, let last = scalars.last else {
            self = .empty
            return
        }
        // Bytes that are no UTF-8 become the replacement character where the environment is read. The rest goes by the
        // worst: what ends a line ends the header. The last line feed of a file is the most frequent.
        if scalars.contains("\u{FFFD}") {
            self = .notText
        } else if scalars.contains(where: { ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"].contains($0) }) {
            self = .lineBreak
        } else if [first, last].contains(where: \.properties.isWhitespace) {
            self = .space
        } else if scalars.contains(where: { $0.properties.generalCategory == .control }) {
            self = .control
        } else if [first, last].contains(where: { $0.properties.generalCategory == .format }) {
            self = .invisible
        } else if scalars.contains(where: { !$0.isASCII }) {
            self = .notASCII
        } else {
            return nil
        }
    }

    /// What a value has, behind its name.
    var text: String {
        switch self {
        case .empty: "is empty"
        case .notText: "is not valid UTF-8"
        case .lineBreak: "has a line break"
        case .control: "has a control character"
        case .space: "has a space or a tab at an end"
        case .invisible: "has an invisible character at an end"
        case .notASCII: "has a character outside of ASCII"
        }
    }

    /// What to do about it.
    func hint(for name: String) -> String {
        switch self {
        case .empty: "give \(name) a value, or take it out of the environment"
        case .notText: "set \(name) to printable ASCII text: a request cannot carry such a value in a header"
        case .lineBreak, .control, .space, .invisible, .notASCII:
            "set \(name) without it: a request cannot carry such a value in a header"
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
