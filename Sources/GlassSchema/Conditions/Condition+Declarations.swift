extension SectionDeclaration {
    /// The keys of a condition's table that are no attributes. Any other key is the name of an attribute, with a test.
    ///
    /// In a market file, `all`, `any` and `no` are words in front of a value; in data, they are its only key.
    package static let condition = SectionDeclaration(
        name: "Condition",
        keys: [
            .part("all", .list(of: .condition), "Where all of the conditions hold."),
            .part("any", .list(of: .condition), "Where one of the conditions holds."),
            .part("no", .condition, "Where the condition does not hold."),
            .part(RolloutDefinition.key, RolloutDefinition.valueType, RolloutDefinition.meaning),
        ])

    /// The keys of a table that tests the parts of a text.
    package static let textTest = SectionDeclaration(
        name: "TextTest",
        keys: [
            .part("prefix", textParts, "The text begins with this string, or with one of these."),
            .part("suffix", textParts, "The text ends with this string, or with one of these."),
            .part("contains", textParts, "The text contains this string, or one of these."),
            .part("anyCase", .boolean, "Whether case is ignored."),
        ], form: SectionForm("textTest", .whole, "A test of the parts of a text."))

    private static let textParts = ValueType.either([.string(.any), .list(of: .string(.any))])
}

extension KeyDeclaration {
    /// A key of a table that a market writes as a whole, and that no structure of a configuration stores.
    package static func part(
        _ name: String, _ type: ValueType, required isRequired: Bool = false, _ documentation: String
    ) -> KeyDeclaration {
        KeyDeclaration(
            name: name, type: type, isRequired: isRequired, defaultValue: nil, appliesOn: .all,
            documentation: documentation)
    }
}
