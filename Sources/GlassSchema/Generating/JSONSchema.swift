extension SectionDeclaration {
    /// A JSON Schema of draft 2020-12 for the effective configuration. The `value` that `glass-host show --format json`
    /// prints is valid against it.
    ///
    /// A market file itself is Lua and can omit inherited values, so `glass-host check` checks it, not this schema.
    ///
    /// - Parameter definitions: Further members of `$defs`, to which those of the sections that markets write as a whole
    ///   are added.
    package func jsonSchema(
        title: String, summary: String, definitions: [String: ConfigurationValue] = [:]
    ) -> ConfigurationValue {
        var definitions = definitions
        for section in forms(.whole) {
            guard let form = section.form else { continue }
            let description: [String: ConfigurationValue] = ["description": .string(form.summary)]
            definitions[form.name] = .map(values: section.objectSchema.merging(description) { $1 })
        }
        var fields = objectSchema
        if !definitions.isEmpty { fields["$defs"] = .map(values: definitions) }
        fields["description"] = .string(summary)
        fields["$schema"] = .string("https://json-schema.org/draft/2020-12/schema")
        fields["title"] = .string(title)
        return .map(values: fields)
    }

    /// The schema of the section as a part of another schema.
    package var jsonSchema: ConfigurationValue { .map(values: objectSchema) }

    fileprivate var objectSchema: [String: ConfigurationValue] {
        var properties: [String: ConfigurationValue] = [:]
        for key in keys { properties[key.name] = .map(values: key.schema) }
        var fields: [String: ConfigurationValue] = [
            "type": .string("object"),
            "properties": .map(values: properties),
        ]
        // The other keys of an open section depend on where it stands.
        if form?.extent != .open {
            fields["additionalProperties"] = others.map { .map(values: $0.schema) } ?? .boolean(false)
        }
        if others != nil { fields["propertyNames"] = .map(values: StringFormat.identifier.schema) }
        let required = keys.filter(\.isRequired).map { ConfigurationValue.string($0.name) }
        if !required.isEmpty { fields["required"] = .list(values: required) }
        return fields
    }
}

extension KeyDeclaration {
    fileprivate var schema: [String: ConfigurationValue] {
        var fields = type.schema
        fields["description"] = .string(documentation + notes)
        // The defaults of a section are those of its keys.
        if case .section = type { return fields }
        if let defaultValue { fields["default"] = defaultValue }
        return fields
    }
}

extension ValueType {
    package var jsonSchema: ConfigurationValue { .map(values: schema) }

    fileprivate var schema: [String: ConfigurationValue] {
        switch self {
        case .boolean: return ["type": "boolean"]
        case .integer(let range):
            var fields: [String: ConfigurationValue] = ["type": "integer"]
            if range.lowerBound > Int.min { fields["minimum"] = .integer(range.lowerBound) }
            if range.upperBound < Int.max { fields["maximum"] = .integer(range.upperBound) }
            return fields
        case .number(let range):
            var fields: [String: ConfigurationValue] = ["type": "number"]
            if range.lowerBound > -.infinity { fields["minimum"] = .number(range.lowerBound) }
            if range.upperBound < .infinity { fields["maximum"] = .number(range.upperBound) }
            return fields
        case .percent: return ["type": "number", "minimum": .integer(0), "maximum": .integer(100)]
        case .string(let format): return format.schema
        case .choice(let names): return ["enum": .list(values: names.map { .string($0) })]
        case .secret: return ["type": "string", "pattern": "^<secret [A-Za-z][A-Za-z0-9_]*>$"]
        case .scalar: return ["type": .list(values: ["boolean", "number", "string"])]
        case .list(let element, let count, let unique):
            var fields: [String: ConfigurationValue] = ["type": "array", "items": .map(values: element.schema)]
            if count.lowerBound > 0 { fields["minItems"] = .integer(count.lowerBound) }
            if count.upperBound < Int.max { fields["maxItems"] = .integer(count.upperBound) }
            if unique { fields["uniqueItems"] = .boolean(true) }
            return fields
        case .row(let types, _):
            return [
                "type": "array", "minItems": .integer(types.count), "maxItems": .integer(types.count),
                "prefixItems": .list(values: types.map { .map(values: $0.schema) }),
            ]
        case .map(let element, let keys, let count):
            var fields: [String: ConfigurationValue] = [
                "type": "object", "additionalProperties": .map(values: element.schema),
            ]
            // Names of things can be any texts.
            if keys.referent == nil || keys.pattern != nil { fields["propertyNames"] = .map(values: keys.schema) }
            if count.lowerBound > 0 { fields["minProperties"] = .integer(count.lowerBound) }
            if count.upperBound < Int.max { fields["maxProperties"] = .integer(count.upperBound) }
            return fields
        case .section(let section):
            guard let form = section.form, form.extent == .whole else { return section.objectSchema }
            return ["$ref": .string("#/$defs/\(form.name)")]
        case .function: return ["const": "<a function>"]
        case .condition: return ["$ref": "#/$defs/condition"]
        case .data, .test, .enclosing: return [:]
        case .either(let types): return ["anyOf": .list(values: types.map { .map(values: $0.schema) })]
        }
    }
}

extension StringFormat {
    fileprivate var schema: [String: ConfigurationValue] {
        var fields: [String: ConfigurationValue] = ["type": "string"]
        if let pattern { fields["pattern"] = .string(pattern) }
        return fields
    }
}

extension ConfigurationValue: ExpressibleByStringLiteral {
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
}
