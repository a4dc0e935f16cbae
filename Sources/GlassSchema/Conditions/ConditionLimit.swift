package import GlassBase

/// A limit that the conditions of a market exceed, so that they cannot be proven.
package enum ConditionLimit: Error, Sendable, Hashable, CustomStringConvertible {
    /// The conditions test too many attributes.
    case attributes
    /// The conditions distinguish too many values of the attribute.
    case classes(String)
    /// The conditions name too many elements of the set.
    case elements(String)
    /// A condition tests too many attributes at once.
    case tests
    /// A condition has too many alternatives.
    case boxes
    /// Conditions combine to too many alternatives.
    case products
    /// Too many situations to examine one by one.
    case situations
    /// A question that takes too many steps to answer.
    case steps
    /// The budget of the job is exhausted, so that the job cannot continue.
    case exceeded(WorkBudget.Exceeded)

    /// The largest number of attributes that the conditions of a market test.
    package static let maximumAttributes = 64
    /// The largest number of attributes that a condition tests at once.
    package static let maximumTests = 16
    /// The largest number of alternatives of a condition.
    package static let maximumBoxes = 16
    /// The largest number of alternatives of a combination of conditions.
    package static let maximumProducts = 512
    /// The largest number of situations that are examined one by one.
    package static let maximumSituations = 4096
    /// The largest number of steps to answer a question about a decision list.
    package static let maximumSteps = 10_000

    /// The limit, as a sentence.
    package var description: String {
        switch self {
        case .attributes: "the conditions test more than \(Self.maximumAttributes) attributes"
        case .classes(let name): "the conditions distinguish more than \(ClassMask.capacity) values of \(name)"
        case .elements(let name): "the conditions name more than \(ContextAttribute.maximumSetSize) elements of \(name)"
        case .tests: "the condition tests more than \(Self.maximumTests) attributes at once"
        case .boxes: "the condition has more than \(Self.maximumBoxes) alternatives"
        case .products: "the conditions combine to more than \(Self.maximumProducts) alternatives"
        case .situations: "more than \(Self.maximumSituations.grouped) situations would have to be examined"
        case .steps: "the evaluation takes more than \(Self.maximumSteps.grouped) steps"
        case .exceeded(let exceeded): "\(exceeded)"
        }
    }
}
