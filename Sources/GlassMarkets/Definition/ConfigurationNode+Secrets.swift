import GlassBase
import GlassSchema

extension ConfigurationNode {
    /// The tree for the decoder, in which every secret has the value that was looked up. The tree itself contains only
    /// the names.
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

    /// Adds a warning for every secret in the tree that was looked up and has no value, or an unusable one, in the
    /// order of the keys. No message contains the value.
    func warnOfSecrets(
        within prefixes: SecretPrefixes, in findings: FindingList, budget: WorkBudget
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
                    hint: "set \(secret.name) in the host's environment; until then, reading it fails")
            }
            guard let flaw = SecretFlaw(of: value) else { return }
            try findings.add(
                .secretMalformed, severity: .warning, at: position, path: path, subject: "\(secret.name) \(flaw)",
                "the value of \(secret.name) in the environment \(flaw.text)",
                hint: flaw.hint(for: secret.name))
        }
    }

    /// Adds an error for every secret in the tree that a market may not use, in the order of the keys.
    func refuseForeignSecrets(
        outside prefixes: SecretPrefixes, in findings: FindingList, budget: WorkBudget
    ) throws(WorkBudget.Exceeded) {
        try forEachSecret(budget: budget) { secret, position, path throws(WorkBudget.Exceeded) in
            guard !prefixes.allow(secret.name) else { return }
            try findings.add(
                .secretNotAllowed, at: position, path: path, subject: secret.name,
                "a market cannot use the secret \(secret.name): \(prefixes.rule)",
                hint: prefixes.list.first.map {
                    "rename it here and in the host's environment, for example to \($0)\(secret.name)"
                } ?? "remove the key")
        }
    }

    /// A secret in a tree, with its position and path.
    private struct Place {
        let secret: Secret
        let position: SourcePosition?
        let path: ConfigurationPath
    }

    /// Calls `body` with every secret in the tree, including those in directives and in the alternatives of varied
    /// values.
    private func forEachSecret(
        budget: WorkBudget,
        _ body: (Secret, SourcePosition?, ConfigurationPath) throws(WorkBudget.Exceeded) -> Void
    ) throws(WorkBudget.Exceeded) {
        var places: [Place] = []
        try visit([.lists, .directives, .alternatives], inOrder: false) { visited throws(WorkBudget.Exceeded) in
            try budget.spend(visited.node.value.weight, on: .validating)
            if case .secret(let secret) = visited.node.value {
                places.append(Place(secret: secret, position: visited.node.position, path: visited.path))
            }
            return true
        }
        // The few secrets are sorted, rather than the keys of all maps that lead to them.
        for place in places.sorted(by: { $0.path.precedes($1.path) }) {
            try body(place.secret, place.position, place.path)
        }
    }
}

/// The reason why a value cannot be one that a service issued: a file or a copy operation added something around it, or
/// it is empty.
///
/// The value of a header field contains no control characters, has no white space around it, and is printable ASCII
/// ([RFC 9110 §5.5](https://www.rfc-editor.org/rfc/rfc9110#section-5.5)).
enum SecretFlaw: String {
    case empty
    case notText
    case lineBreak
    case control
    case space
    case invisible
    case notASCII

    /// Examines a value in linear time.
    init?(of value: String) {
        let scalars = value.unicodeScalars
        guard let first = scalars.first, let last = scalars.last else {
            self = .empty
            return
        }
        // Bytes that are not UTF-8 become the replacement character when the environment is read. The other flaws are
        // ordered by their effect: a line end also ends the header. The most frequent one is the line feed at the end
        // of a file.
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

    /// The flaw, to follow the name of the secret.
    var text: String {
        switch self {
        case .empty: "is empty"
        case .notText: "is not valid UTF-8"
        case .lineBreak: "contains a line break"
        case .control: "contains a control character"
        case .space: "begins or ends with a space or a tab"
        case .invisible: "begins or ends with an invisible character"
        case .notASCII: "contains a character outside ASCII"
        }
    }

    /// The hint for the flaw.
    func hint(for name: String) -> String {
        switch self {
        case .empty: "set \(name) to a value, or remove it from the environment"
        case .notText: "set \(name) to printable ASCII text: a request cannot carry such a value in a header"
        case .lineBreak, .control, .space, .invisible, .notASCII:
            "set \(name) without it: a request cannot carry such a value in a header"
        }
    }
}

extension ConfigurationPath {
    /// Whether a path precedes another one: keys are ordered by their bytes, list elements by their indices.
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
