package import GlassSchema

extension MarketSchema {
    /// The JSON Schema of a market: the effective configuration, and the keys about situations of its file.
    package func jsonSchema(title: String) -> ConfigurationValue {
        SectionDeclaration(name: declaration.name, keys: declaration.keys + FileHeader.keys)
            .jsonSchema(title: title, summary: Self.summary, definitions: ["condition": condition])
    }

    /// A condition in its data form.
    private var condition: ConfigurationValue {
        var properties: [String: ConfigurationValue] = [:]
        for key in SectionDeclaration.condition.keys { properties[key.name] = key.type.jsonSchema }
        for attribute in module.contextAttributes {
            properties[attribute.name] = .map(values: ["description": .string(attribute.documentation)])
        }
        return .map(values: [
            "description": "A condition on the situation: the name of one, or what it tests.",
            "anyOf": .list(values: [
                .map(values: ["type": "boolean"]), .map(values: ["type": "string"]),
                .map(values: ["type": "object", "properties": .map(values: properties)]),
            ]),
        ])
    }
}
