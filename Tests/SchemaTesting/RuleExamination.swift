package import GlassSchema

/// What changes of a section show about one of its rules.
package struct RuleExamination: Sendable {
    /// The keys that the rule does not declare to read, although a change of them changed its result.
    package private(set) var undeclared: Set<ConfigurationPath> = []
    /// The declared keys whose change changed its result.
    package private(set) var read: Set<ConfigurationPath> = []
    /// Whether it found a contradiction in a section before any change.
    package private(set) var hasFound = false

    /// Creates an examination without values.
    package init() {}

    /// Changes each key of a section, and compares the results of the rule.
    package mutating func examine(_ rule: SectionRule, in value: ConfigurationValue, _ changes: [KeyChange]) {
        let before = rule.inconsistencies(in: value)
        if !before.isEmpty { hasFound = true }
        for change in changes {
            let declared = rule.reads.first { change.path.elements.starts(with: $0.elements) }
            if let declared {
                if read.contains(declared) { continue }
            } else if rule.reads.contains(where: { $0.elements.starts(with: change.path.elements) }) {
                // The change of a section in which the rule reads a key shows nothing about the section's other keys.
                continue
            }
            guard rule.inconsistencies(in: change.applied(to: value)) != before else { continue }
            if let declared { read.insert(declared) } else { undeclared.insert(change.path) }
        }
    }
}
