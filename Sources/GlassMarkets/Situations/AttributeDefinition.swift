package import GlassSchema

/// An attribute that a market declares: a fact that the app sets and that conditions can test.
package struct AttributeDefinition: FormSection {
    /// The kind of its values.
    package var type = "text"
    /// The values of a choice, or the names of a set.
    package var values: [String]?
    /// How often it can change.
    package var pace = "live"
    /// Whether it belongs to a person.
    package var personal = false
    /// A description.
    package var doc = ""

    static let types = ["boolean", "choice", "date", "integer", "number", "set", "text", "version"]
    private static let paces: [(name: String, pace: ContextPace)] = [
        ("build", .build), ("start", .start), ("live", .live),
    ]

    /// The keys of the section.
    package static let keys: [ConfigurationKey<Self>] = [
        .init("type", \.type, .choice(types), required: true, "The kind of its values."),
        .init(
            "values", \.values, .set(of: .string(.nonEmpty), count: 1...64),
            "The values of a choice, or the names of a set."),
        .init(
            "pace", \.pace, .choice(paces.map(\.name)),
            "How often it can change: with the build, at start, or at any time (live)."),
        .init("personal", \.personal, .boolean, "Whether it is personal data, which is never logged."),
        .init("doc", \.doc, .string(.any), "Where it comes from, in one sentence."),
    ]

    /// The declaration with the form.
    package static let form = declaration(
        as: SectionForm("attribute", .parts, "An attribute of situations that a market declares."))

    /// Creates a definition with empty values.
    package init() {}

    /// The values belong to choices and sets.
    package static let rules: [ConfigurationRule<Self>] = [
        .init(reads: ["type", "values"]) { attribute in
            switch (attribute.type, attribute.values) {
            case ("choice", nil):
                [Inconsistency("values", "missing: a choice must have values", others: ["type"])]
            case ("choice", _), ("set", _), (_, nil): []
            default:
                [Inconsistency("values", "only a choice or a set has values", hint: "remove them", others: ["type"])]
            }
        }
    ]

    /// The attribute.
    func attribute(named name: String) -> ContextAttribute {
        let contextType: ContextType =
            switch type {
            case "boolean": .boolean
            case "choice": .choice(values ?? [])
            case "date": .date
            case "integer": .integer
            case "number": .number
            case "set": .set(values)
            case "version": .version
            default: .text
            }
        return ContextAttribute(
            name, contextType, pace: Self.paces.first { $0.name == pace }?.pace ?? .live, isPersonal: personal,
            documentation: doc)
    }
}
