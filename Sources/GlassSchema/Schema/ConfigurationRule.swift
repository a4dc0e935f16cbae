/// A rule between keys of a section, with the keys that it reads.
///
/// ```swift
/// struct Range: ConfigurationSection {
///     var low = 1
///     var high = 2
///     static let keys: [ConfigurationKey<Range>] = [
///         .init("low", \.low, "The lower end."),
///         .init("high", \.high, "The upper end."),
///     ]
///     static let rules: [ConfigurationRule<Range>] = [
///         .init(reads: ["low", "high"]) { range in
///             guard range.low > range.high else { return [] }
///             return [Inconsistency("low", "\(range.low) is more than high, \(range.high)", others: ["high"])]
///         }
///     ]
/// }
/// ```
///
/// A check proves a rule for every combination of values that its keys can have, and for no other keys. Declare one rule
/// for each independent matter, so that each reads as few keys as possible.
///
/// `Root` is a ``ConfigurationSection``; the type does not require it for the reason given at ``ConfigurationKey``.
public struct ConfigurationRule<Root>: Sendable {
    let reads: [ConfigurationPath]
    let severity: Finding.Severity
    let code: FindingCode
    let check: @Sendable (Root) -> [Inconsistency]

    /// Declares a rule.
    ///
    /// - Parameters:
    ///   - reads: The paths of all keys that the rule reads, below the section. A path includes everything below it.
    ///     Traps when the section is used if the section has no such key.
    ///   - severity: The highest severity of the rule's findings. A rule about what works but is probably not meant is
    ///     a warning, which a team can accept.
    ///   - code: The code of the rule's findings.
    ///   - check: Returns the contradictions in a section, each with the path of its key below the section. Called only
    ///     if each key is valid. The result may depend only on the keys that `reads` names.
    public init(
        reads: [ConfigurationPath], severity: Finding.Severity = .error, code: FindingCode = .inconsistent,
        _ check: @escaping @Sendable (Root) -> [Inconsistency]
    ) {
        self.reads = reads
        self.severity = severity
        self.code = code
        self.check = check
    }

    /// The contradictions in a section, no more severe than the rule.
    func inconsistencies(in root: Root) -> [Inconsistency] {
        guard severity != .error || code != .inconsistent else { return check(root) }
        return check(root).map { found in
            var found = found
            if found.severity == .error { found.severity = severity }
            found.code = code
            return found
        }
    }
}

/// A rule between keys of a section, without the structure that it reads.
package struct SectionRule: Sendable {
    /// The paths of the keys that it reads, below the section. A path includes everything below it.
    package let reads: [ConfigurationPath]
    /// The highest severity of its findings.
    package let severity: Finding.Severity
    private let find: @Sendable (inout DecodedSection) -> [Inconsistency]

    /// Erases the structure of a rule.
    package init<Root: ConfigurationSection>(_ rule: ConfigurationRule<Root>) {
        reads = rule.reads
        severity = rule.severity
        find = { section in rule.inconsistencies(in: section.decoded()) }
    }

    /// The contradictions in a section whose keys are each valid.
    package func inconsistencies(in value: ConfigurationValue) -> [Inconsistency] {
        var section = DecodedSection(value)
        return find(&section)
    }

    /// The findings of this rule alone. Several contradictions at one path are numbered within the rule.
    package func check(_ node: ConfigurationNode, _ path: ConfigurationPath) -> [Finding] {
        Self.check([self], node, path)
    }

    /// The findings of all rules of a section. The section is decoded once, and several contradictions at one path are
    /// numbered across the rules.
    static func check(_ rules: [SectionRule], _ node: ConfigurationNode, _ path: ConfigurationPath) -> [Finding] {
        var section = DecodedSection(node.value)
        var counts: [ConfigurationPath: Int] = [:]
        return rules.flatMap { $0.find(&section) }.map { found in
            // An app's own section may report two problems of one key, and only their messages distinguish them.
            let number = counts[found.path, default: 0] + 1
            counts[found.path] = number
            return found.finding(in: node, at: path, number: number)
        }
    }
}

/// A section that rules read, which is decoded once for all rules of the same structure.
private struct DecodedSection {
    private let value: ConfigurationValue
    private var last: (any ConfigurationSection)?

    init(_ value: ConfigurationValue) { self.value = value }

    mutating func decoded<Root: ConfigurationSection>() -> Root {
        // A routable's section has the rules of two structures, one after the other.
        if let root = last as? Root { return root }
        let root = Root(validated: value)
        last = root
        return root
    }
}

extension Inconsistency {
    fileprivate func finding(in node: ConfigurationNode, at section: ConfigurationPath, number: Int) -> Finding {
        let inner = node.nearest(to: path)
        var finding = Finding(
            code, severity: severity, at: inner.position,
            path: ConfigurationPath(section.elements + path.elements),
            subject: subject.isEmpty && number > 1 ? "\(number)" : subject, message, advice: Advice(hint, correction))
        // A key that is not in a file has no position.
        finding.related = others.compactMap { other in
            guard let position = node.node(at: other)?.position, position != inner.position else { return nil }
            return Finding.RelatedPosition(position, ofClashWith: "\(other)")
        }
        return finding
    }
}

extension ConfigurationNode {
    /// The deepest existing node on a path, which is reported if the path itself is not in a file.
    fileprivate func nearest(to path: ConfigurationPath) -> ConfigurationNode {
        var found = self
        for end in path.elements.indices {
            guard let next = node(at: ConfigurationPath(Array(path.elements[...end]))) else { break }
            found = next
        }
        return found
    }
}
