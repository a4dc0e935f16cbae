/// A structure whose properties are read from a configuration.
///
/// Each key is declared once, in ``keys``. From that come decoding, diagnostics, the effective values and the
/// generated reference.
///
/// ```swift
/// struct Retry: ConfigurationSection {
///     var maxRetries = 3
///     static let keys: [ConfigurationKey<Retry>] = [
///         .init("maxRetries", \.maxRetries, .integer(0...10), "How often a request is tried again.")
///     ]
/// }
/// ```
public protocol ConfigurationSection: ConfigurationRepresentable, Equatable {
    /// Its keys, in the order of the reference page.
    static var keys: [ConfigurationKey<Self>] { get }
    /// The section with every default. A required key has a value here that no market ever sees.
    init()
    /// Rules between keys; called only when each key is valid.
    ///
    /// - Returns: What is wrong, each with the path of the key below this section.
    func inconsistencies() -> [Inconsistency]
}

/// A contradiction between values of one section.
public struct Inconsistency: Sendable, Equatable {
    /// The key to point at, below the section.
    package var path: ConfigurationPath
    /// What is wrong.
    package var message: String
    /// What to do.
    package var hint: String?
    /// The same for a program.
    package private(set) var correction: Correction?
    /// The other keys that it is about, below the section.
    package var others: [ConfigurationPath] = []
    /// What tells it apart from another one at the same key, as data.
    package var subject = ""
    /// How bad it is.
    package var severity: Finding.Severity

    /// Creates an inconsistency.
    ///
    /// - Parameters:
    ///   - path: The key to point at, below the section.
    ///   - severity: How bad it is; with a warning the configuration can be used.
    ///   - message: What is wrong.
    ///   - hint: What to do.
    ///   - others: The other keys that it is about, below the section. In a market that extends another one it is told
    ///     at the key that the market itself sets.
    public init(
        _ path: ConfigurationPath, severity: Finding.Severity = .error, _ message: String, hint: String? = nil,
        others: [ConfigurationPath] = []
    ) {
        self.path = path
        self.others = others
        self.severity = severity
        self.message = message
        self.hint = hint
    }

    /// The elements of a list that say a second time what an earlier one says.
    package static func repeated<Element, Identity: Hashable>(
        in list: [Element], _ key: String, at inner: String, by identity: (Element) -> Identity,
        _ name: (Element) -> String
    ) -> [Inconsistency] {
        var seen: Set<Identity> = []
        var found: [Inconsistency] = []
        for (offset, element) in list.enumerated() where !seen.insert(identity(element)).inserted {
            var repeated = Inconsistency(
                ConfigurationPath([.key(key), .index(offset + 1), .key(inner)]),
                "\(name(element)) stands twice in this list")
            repeated.subject = name(element)
            found.append(repeated)
        }
        return found
    }

    /// Creates a finding about a name that may be misspelt.
    package init(
        _ path: ConfigurationPath, _ message: String, misspelt name: String, in candidates: [String],
        else hint: String, others: [ConfigurationPath] = []
    ) {
        let near = Advice.nearest(to: name, in: candidates)
        self.init(path, message, hint: near?.hint ?? hint, others: others)
        correction = near?.correction
    }
}

extension ConfigurationSection {
    /// No rules between keys.
    public func inconsistencies() -> [Inconsistency] { [] }

    /// The section without the structure: what generators and validation read. Built anew on each access; O(keys).
    package static var declaration: SectionDeclaration {
        SectionDeclaration(name: "\(Self.self)", keys: keys.map(\.declaration)) { node, path in
            var counts: [ConfigurationPath: Int] = [:]
            return Self(validated: node.value).inconsistencies().map { found in
                let inner = node.nearest(to: found.path)
                // An app's own section may say two things of one key and has no word for either but its message.
                let number = counts[found.path, default: 0] + 1
                counts[found.path] = number
                var finding = Finding(
                    .inconsistent, severity: found.severity, at: inner.position,
                    path: ConfigurationPath(path.elements + found.path.elements),
                    subject: found.subject.isEmpty && number > 1 ? "\(number)" : found.subject, found.message,
                    advice: Advice(found.hint, found.correction))
                // A key that nobody wrote has no place of its own.
                finding.related = found.others.compactMap { other in
                    guard let position = node.node(at: other)?.position, position != inner.position else { return nil }
                    return Finding.RelatedPosition(position, ofClashWith: "\(other)")
                }
                return finding
            }
        }
    }

    /// The type of a key that holds this section.
    public static var valueType: ValueType { .section(declaration) }

    /// Reads the section from a value that ``ConfigurationValidator`` passed.
    ///
    /// - Parameter value: A map; a key that it does not have keeps its default.
    public init(validated value: ConfigurationValue) {
        self.init()
        guard case .map(let entries) = value else { return }
        for key in Self.keys {
            if let node = entries[key.declaration.name] { key.assign(&self, node.value) }
        }
    }

    /// The section as a map of all keys that have a value.
    public var configurationValue: ConfigurationValue {
        var entries: [String: ConfigurationNode] = [:]
        for key in Self.keys {
            if let value = key.value(of: self) { entries[key.declaration.name] = ConfigurationNode(value) }
        }
        return .map(entries)
    }
}

extension ConfigurationNode {
    /// The deepest node on the way to a path: the thing to point at when the path itself was never written.
    fileprivate func nearest(to path: ConfigurationPath) -> ConfigurationNode {
        var found = self
        for end in path.elements.indices {
            guard let next = node(at: ConfigurationPath(Array(path.elements[...end]))) else { break }
            found = next
        }
        return found
    }
}
