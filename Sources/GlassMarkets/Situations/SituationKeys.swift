package import GlassSchema

/// The keys and forms of a market file that are about situations.
///
/// There is one description of them for the reference, the JSON Schema, the stubs for editors, completion and hovers.
package enum SituationKeys {
    /// A key.
    package struct Key: Sendable {
        /// The name.
        package let name: String
        /// The accepted values, in Markdown and without an article.
        package let accepts: String
        /// The type for a Lua language server.
        package let luaType: String
        /// Whether a table without it is an error.
        package let isRequired: Bool
        /// The purpose, in Markdown.
        package let documentation: String

        fileprivate init(
            _ name: String, _ accepts: String, lua luaType: String, required isRequired: Bool = false,
            _ documentation: String
        ) {
            self.name = name
            self.accepts = accepts
            self.luaType = luaType
            self.isRequired = isRequired
            self.documentation = documentation
        }
    }

    /// The key that makes a file a base of markets. It is no key of a market: nothing inherits it.
    package static let abstract = Key(
        "abstract", "`true` or `false`", lua: "boolean",
        "Whether the file is only a base that markets extend, and not a market itself. No market inherits it.")

    /// The keys at the top of a file, in addition to those of the market's schema.
    package static let top = [
        abstract,
        Key(
            "attributes", "table; keys: names; values: table, see below", lua: "table<string, glass.Attribute>",
            "Facts that the app sets, for conditions of this market, in addition to the attributes of every market."),
        Key(
            "conditions", "table; keys: names; values: condition", lua: "table<string, glass.Condition>",
            "Conditions by name. A market that extends this one can replace each of them."),
        Key(
            "overlays", "list, each: table, see below", lua: "glass.Overlay[]",
            "Values for some situations. They are read from the top: the first overlay that holds and sets a key wins."),
    ]

    /// The keys of an overlay, in addition to those of the market.
    package static let overlay = [
        Key(
            "name", "name of letters and digits that starts with a letter", lua: "string", required: true,
            "The name, by which a market that extends this one changes the overlay."),
        Key(
            "when", "condition", lua: "glass.Condition",
            "Where the overlay holds. It can be absent if a base market has an overlay of the name, and is `false` to "
                + "turn that off."),
        Key(
            "beats", "list, each: name of an overlay", lua: "string[]",
            "The overlays below that may set the same keys to other values."),
    ]

    /// The keys of an alternative of `vary`.
    package static let choice = [
        Key("when", "condition", lua: "glass.Condition", required: true, "Where the value holds."),
        Key("value", "value of the key", lua: "any", required: true, "The value of the key."),
    ]

    /// The key of `vary` and `perLocale` with the value for all other situations.
    package static let fallback = Key(
        "default", "value of the key", lua: "any",
        "The value in all other situations. Without it, the weaker overlays and base markets give the value.")

    /// The keys of a table that tests the parts of a text.
    package static let textTest = [
        Key("prefix", "string or list of strings", lua: "string|string[]", "The text begins with it, or one of them."),
        Key("suffix", "string or list of strings", lua: "string|string[]", "The text ends with it, or one of them."),
        Key("contains", "string or list of strings", lua: "string|string[]", "The text contains it, or one of them."),
        Key("anyCase", "`true` or `false`", lua: "boolean", "Whether capital and small letters are the same."),
    ]

    /// What a share is.
    package static let rolloutMeaning =
        "A percentage of the values of an attribute. Anyone included at 10 % stays included at 25 %."

    /// What a split is.
    package static let splitMeaning =
        "The variants with their percentages of the values of an attribute, side by side in their order."

    /// The keys of a share.
    package static let rollout =
        [
            Key(
                RolloutKeys.percent, "number from 0 to 100, at most 3 decimal places", lua: "number", required: true,
                "The percentage.")
        ] + bucketing

    /// The keys of a split.
    package static let split =
        [
            Key(
                "weights", "list, each: list of a variant and its percentage", lua: "(string|number)[][]",
                required: true,
                "The variants with their percentages, which add up to 100 or less. All others go on to the next rule.")
        ] + bucketing

    private static let bucketing = [
        Key(
            RolloutKeys.unit, "attribute", lua: "string", required: true,
            "The attribute whose values are spread: `installID`, or `customerID` where a person must see the same on all "
                + "devices."),
        Key(
            RolloutKeys.salt, "string", lua: "string",
            "A text that makes the positions of this share independent of other shares. By default, the name of the flag "
                + "or of the condition."),
        Key(
            RolloutKeys.like, Bucketing.Vendor.flags.map { "`\"\($0.rawValue)\"`" }.joined(separator: ", "),
            lua: Bucketing.Vendor.flags.map(\.rawValue.luaLiteral).joined(separator: "|"),
            "The vendor from which the flag comes, whose users stay in their shares."),
    ]

    /// The forms of a condition, and where each holds.
    package static let conditions = [
        (form: "\"debug\"", meaning: "Where the condition of that name holds."),
        ("{ build = \"debug\", region = \"CA\" }", "Where all of the tests pass."),
        ("any { \"debug\", { audience = \"associates\" } }", "Where one of the conditions holds."),
        ("all { \"debug\", \"internal\" }", "Where all of the conditions hold."),
        ("no { build = \"release\" }", "Where the condition does not hold."),
        (
            "{ rollout = { percent = 10, by = \"installID\" } }",
            "For a share of the units: flags and keys whose conditions name it change together."
        ),
        ("true, false", "Everywhere, or nowhere."),
    ]

    /// The forms of a test of an attribute, and what passes each.
    package static let tests = [
        (
            form: "\"debug\", true, 3",
            meaning:
                "This value. A set passes if it contains the name; `fr` also covers `fr-CA`, and `CA` covers `CA-QC`."
        ),
        ("{ \"debug\", \"beta\" }", "One of the values or tests."),
        (
            "\">= 24.3 < 25\"",
            "Versions, numbers and dates in the range. A date has a time zone: `2026-11-27T00:00 America/New_York`."
        ),
        ("{ prefix = \"a\", anyCase = true }", "Texts that begin with the part; also `suffix` and `contains`."),
        ("no \"release\"", "Everything that does not pass the test, also a missing value."),
        ("missing, present", "A missing value, or any value."),
    ]

    /// The keys of an attribute that a market declares.
    package static var attribute: SectionDeclaration { AttributeDefinition.declaration }

    /// The keys of a flag.
    package static var flag: SectionDeclaration { FlagDefinition.declaration }
    /// The keys of a rule of a flag.
    package static var flagRule: SectionDeclaration { FlagRuleDefinition.declaration }
    /// The keys of a layer.
    package static var layer: SectionDeclaration { FlagLayerDefinition.declaration }

    /// The keys at the top of a file that an overlay cannot set.
    package static var notInOverlays: Set<String> { SituationReader.notInOverlays }
}

extension ContextAttribute {
    /// The values, in Markdown and without an article.
    package var accepts: String {
        switch type {
        case .boolean: "`true` or `false`"
        case .integer: "whole number"
        case .number: "number"
        case .choice(let names):
            names.isEmpty
                ? "name of \(valuesPath.map { "one of `\($0)`" } ?? "a choice")"
                : names.map { "`\"\($0)\"`" }.joined(separator: ", ")
        case .text: isUnitOnly ? "string; only `missing` and `present` are tests" : "string"
        case .version: "version of one to four numbers"
        case .date: "date and time with a time zone"
        case .localDate: "date and time without a time zone"
        case .set(let names): "set of " + (names.map { $0.map { "`\"\($0)\"`" }.joined(separator: ", ") } ?? "names")
        case .locale: "locale of the market, or its language"
        case .region: "country or part of one, as in `\"CA\"` and `\"CA-QC\"`"
        case .bucket: "whole number from 0 to 99999"
        }
    }

    /// How often it changes, in words.
    package var paceText: String {
        switch pace {
        case .fixed: "never"
        case .build: "with the build"
        case .start: "at start"
        case .live: isPersonal ? "at any time; personal" : "at any time"
        }
    }

    /// The default value, in Markdown; nil if it has none.
    package var defaultText: String? {
        if let defaultPath { return "`\(defaultPath)`" }
        if case .set(let names)? = defaultValue, names.isEmpty { return "`{}`" }
        if let defaultValue { return "`\(defaultValue)`" }
        return switch type {
        case .date, .localDate: "now"
        case .locale: "the market's first"
        default: nil
        }
    }

    /// The type of a test for a Lua language server.
    package var luaType: String {
        switch type {
        case .boolean: return "boolean"
        case .integer, .number, .bucket: return "number|string|(number|string)[]"
        case .choice(let names) where !names.isEmpty:
            let choices = names.map(\.luaLiteral).joined(separator: "|")
            return "\(choices)|(\(choices))[]"
        case .set(let names?):
            let choices = names.map(\.luaLiteral).joined(separator: "|")
            return "\(choices)|(\(choices))[]"
        case .text where isUnitOnly: return "glass.Presence"
        case .text: return "string|string[]|glass.TextTest"
        case .choice, .set, .version, .date, .localDate, .locale, .region: return "string|string[]"
        }
    }
}

extension MarketSchema {
    /// The JSON Schema of a market: the effective configuration, and the keys about situations of its file.
    package func jsonSchema(title: String) -> ConfigurationValue {
        let schema = declaration.jsonSchema(title: title, summary: Self.summary)
        guard case .map(var fields) = schema, case .map(var properties)? = fields["properties"]?.value else {
            return schema
        }
        for key in SituationKeys.top {
            var own = Self.forms[key.name] ?? [:]
            own["description"] = .string(key.documentation)
            properties[key.name] = ConfigurationNode(.map(values: own))
        }
        fields["properties"] = ConfigurationNode(.map(properties))
        fields["$defs"] = ConfigurationNode(
            .map(values: [
                "condition": Self.condition(module.contextAttributes),
                "rollout": Self.table(SituationKeys.rollout, SituationKeys.rolloutMeaning),
                "split": Self.table(SituationKeys.split, SituationKeys.splitMeaning),
            ]))
        let rule = ["properties", "flags", "additionalProperties", "properties", "rules", "items", "properties"]
        return ConfigurationValue.map(fields)
            .merging(["$ref": "#/$defs/rollout"], at: rule + ["rollout"])
            .merging(["$ref": "#/$defs/split"], at: rule + ["split"])
    }

    /// The form of a share or a split.
    private static func table(_ keys: [SituationKeys.Key], _ summary: String) -> ConfigurationValue {
        func form(_ name: String) -> [String: ConfigurationValue] {
            switch name {
            case RolloutKeys.percent: ["type": "number", "minimum": .integer(0), "maximum": .integer(100)]
            case RolloutKeys.like: ["enum": .list(values: Bucketing.Vendor.flags.map { .string($0.rawValue) })]
            case "weights":
                [
                    "type": "array", "maxItems": .integer(FlagDefinition.maximumVariants),
                    "items": .map(values: [
                        "type": "array", "minItems": .integer(2), "maxItems": .integer(2),
                        "prefixItems": .list(values: [
                            .map(values: ["type": "string"]), .map(values: ["type": "number"]),
                        ]),
                    ]),
                ]
            default: ["type": "string"]
            }
        }
        let properties = keys.map { key in
            (
                key.name,
                ConfigurationValue.map(
                    values: form(key.name).merging(["description": .string(key.documentation)]) { $1 })
            )
        }
        return .map(values: [
            "type": "object", "description": .string(summary), "additionalProperties": .boolean(false),
            "properties": .map(values: Dictionary(uniqueKeysWithValues: properties)),
            "required": .list(values: keys.filter(\.isRequired).map { .string($0.name) }),
        ])
    }

    private static let forms: [String: [String: ConfigurationValue]] = [
        "abstract": ["type": "boolean"],
        "attributes": [
            "type": "object",
            "propertyNames": .map(values: ["pattern": .string(StringFormat.identifier.pattern ?? "")]),
            "additionalProperties": AttributeDefinition.declaration.jsonSchema,
        ],
        "conditions": ["type": "object", "additionalProperties": .map(values: ["$ref": "#/$defs/condition"])],
        "overlays": [
            "type": "array",
            "items": .map(values: [
                "type": "object", "required": .list(values: ["name"]),
                "properties": .map(
                    values: Dictionary(
                        uniqueKeysWithValues: SituationKeys.overlay.map { key in
                            var form: [String: ConfigurationValue] =
                                switch key.name {
                                case "when": ["$ref": "#/$defs/condition"]
                                case "beats": ["type": "array", "items": .map(values: ["type": "string"])]
                                default: ["type": "string", "pattern": .string(StringFormat.identifier.pattern ?? "")]
                                }
                            form["description"] = .string(key.documentation)
                            return (key.name, .map(values: form))
                        })),
            ]),
        ],
    ]

    /// A condition in its data form.
    private static func condition(_ attributes: [ContextAttribute]) -> ConfigurationValue {
        let own: ConfigurationValue = .map(values: ["$ref": "#/$defs/condition"])
        let list: ConfigurationValue = .map(values: ["type": "array", "items": own])
        var properties: [String: ConfigurationValue] = [
            "all": list, "any": list, "no": own, "rollout": .map(values: ["$ref": "#/$defs/rollout"]),
        ]
        for attribute in attributes {
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

extension ConfigurationValue {
    /// The value with further members of the table at a path of keys; unchanged if the path leads to no table.
    fileprivate func merging(_ members: [String: ConfigurationValue], at path: [String]) -> ConfigurationValue {
        guard case .map(var entries) = self else { return self }
        guard let key = path.first else {
            for (name, value) in members { entries[name] = ConfigurationNode(value) }
            return .map(entries)
        }
        guard let inner = entries[key] else { return self }
        entries[key] = ConfigurationNode(inner.value.merging(members, at: Array(path.dropFirst())))
        return .map(entries)
    }
}
