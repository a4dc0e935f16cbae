import GlassBase
package import GlassSchema

/// The purpose of a flag, which says how long it lives.
package enum FlagKind: String, ConfigurationChoice {
    /// A feature on its way to everybody. It ends.
    case release
    /// A comparison of variants. It ends.
    case experiment
    /// A switch with which a service is kept alive.
    case operations
    /// A feature that some people have.
    case permission

    /// Whether flags of the kind have a last day.
    package var ends: Bool { self == .release || self == .experiment }
}

/// A flag, as a market file declares it.
package struct FlagDefinition: FormSection {
    /// The largest number of flags.
    package static let maximumCount = 2000
    /// The largest number of rules of a flag.
    package static let maximumRules = 64
    /// The largest number of variants of a flag.
    package static let maximumVariants = 32

    /// The purpose.
    package var kind = FlagKind.release
    /// The team that owns it.
    package var owner: String?
    /// The date after which it should be removed.
    package var expires: String?
    /// A description.
    package var doc = ""
    /// Whether its rules apply.
    package var enabled = true
    /// The value, or the name of the variant, where no rule holds.
    package var `default` = UnreadValue.none
    /// The values by the names of variants.
    package var variants: [String: UnreadValue] = [:]
    /// The rules. The first one that matches determines the value.
    package var rules: [FlagRuleDefinition] = []
    /// The layer whose slots it takes.
    package var layer: String?
    /// The first slot and the one after the last, in percent of the layer.
    package var slots: [Double]?
    /// The salt of its shares.
    package var salt: String?
    /// The vendor whose rule its shares follow.
    package var like: String?
    /// Whether reading it is an exposure, in addition to reading what a split gives.
    package var track = false

    /// The keys of the section.
    package static let keys: [ConfigurationKey<Self>] = [
        .init("kind", \.kind, required: true, "The purpose, which determines how long the flag is kept."),
        .init("owner", \.owner, .string(.nonEmpty), "The team that owns it."),
        .init(
            "expires", \.expires, .string(.date),
            "The date after which it should be removed, such as \"2027-03-31\". Required for a release or an "
                + "experiment."),
        .init("doc", \.doc, .string(.any), "What it changes, in one sentence."),
        .init("enabled", \.enabled, "Whether its rules apply. If not, everyone gets the default."),
        .init(
            "default", \.default, .data, required: true,
            "The value if no rule matches. For a flag with variants, the name of a variant."),
        .init(
            "variants", \.variants, .map(of: .data, keys: .identifier, count: 0...maximumVariants),
            "The values by name. All have the same type."),
        .init(
            "rules", \.rules, .list(of: FlagRuleDefinition.valueType, count: 0...maximumRules),
            "The rules. The first one that matches determines the value."),
        .init(
            "layer", \.layer, .string(.identifier.naming(.layer)),
            "The layer that the flag belongs to. Outside the flag's slots, no rule matches."),
        .init(
            "slots", \.slots, .list(of: .number(0...100), count: 2...2),
            "The range of the layer that the flag occupies, in percent."),
        .init("salt", \.salt, .string(.nonEmpty), "The salt for its buckets. By default, the flag's name."),
        .init(
            "like", \.like, .choice(Bucketing.Vendor.flags.map(\.rawValue)),
            "The vendor that the flag was migrated from. Users keep their bucket."),
        .init(
            "track", \.track,
            "Whether the first read sends an exposure event. A split always sends one."),
    ]

    /// The declaration with the form.
    package static let form = declaration(
        as: SectionForm("flag", .parts, "A value that differs for some users."))

    /// A release or an experiment ends; slots require a layer.
    package static let rules: [ConfigurationRule<Self>] = [
        .init(reads: ["kind", "expires"]) { flag in
            guard flag.kind.ends, flag.expires == nil else { return [] }
            return [
                Inconsistency(
                    "expires",
                    "missing: \(flag.kind == .release ? "a release" : "an experiment") must have an expiry date",
                    hint: "write expires = \"2027-03-31\", or change kind to operations or permission", others: ["kind"]
                )
            ]
        },
        .init(reads: ["layer", "slots"]) { flag in
            switch (flag.layer, flag.slots) {
            case (nil, nil): []
            case (_?, nil):
                [
                    Inconsistency(
                        "slots", "missing: a flag in a layer must have slots", hint: "write slots = { 0, 50 }",
                        others: ["layer"])
                ]
            case (nil, _?):
                [Inconsistency("slots", "slots require a layer", hint: "set layer", others: ["layer"])]
            case (_?, let slots?):
                slots[0] < slots[1]
                    ? []
                    : [
                        Inconsistency(
                            "slots", "the slots must end after they begin",
                            hint: slots[0] == slots[1]
                                ? "write the start and the end, as in { 0, 50 }"
                                : "write { \(ContextValue.number(slots[1])), \(ContextValue.number(slots[0])) }",
                            others: ["layer"])
                    ]
            }
        },
    ]

    /// Creates a flag with empty values.
    package init() {}
}

/// A rule of a flag, as a market file declares it.
package struct FlagRuleDefinition: FormSection {
    /// The name.
    package var name = ""
    /// The condition.
    package var when: UnreadValue?
    /// The value, for a flag without variants.
    package var value: UnreadValue?
    /// The variant, for a flag with variants.
    package var variant: String?
    /// The share of those for whom the condition holds, as a `RolloutDefinition` that may have errors.
    package var rollout: UnreadValue?
    /// The variants by their weights, as a ``SplitDefinition`` that may have errors.
    package var split: UnreadValue?

    /// The keys of the section.
    package static let keys: [ConfigurationKey<Self>] = [
        .init("name", \.name, .string(.flag), required: true, "The name, for explanations and events."),
        .init("when", \.when, .condition, "Where the rule matches; everywhere if absent."),
        .init("value", \.value, .data, "The value, for a flag without variants."),
        .init("variant", \.variant, .string(.identifier.naming(.variant)), "The variant, for a flag with variants."),
        .init(
            RolloutDefinition.key, \.rollout, RolloutDefinition.valueType,
            "The share for which the rule matches: `{ percent = 10, by = \"installID\" }`. All others continue with "
                + "the next rule."),
        .init(
            "split", \.split, SplitDefinition.valueType,
            "The variants with their percentages: `{ by = \"installID\", weights = { { \"a\", 50 }, { \"b\", 50 } } }`. "
                + "All others continue with the next rule."),
    ]

    /// The declaration with the form.
    package static let form = declaration(as: SectionForm("flagRule", .parts, "A rule of a flag."))

    /// A rule gives one thing.
    package static let rules: [ConfigurationRule<Self>] = [
        .init(reads: ["value", "variant", "split", "rollout"]) { rule in
            let given = [
                ("value", rule.value != nil), ("variant", rule.variant != nil), ("split", rule.split != nil),
            ].filter(\.1).map(\.0)
            if given.isEmpty {
                return [Inconsistency("value", "missing: a rule must have a value, a variant, or a split")]
            }
            if given.count > 1 {
                return [
                    Inconsistency(
                        ConfigurationPath([.key(given[1])]),
                        "\(given.joined(separator: " and ")) cannot be in the same rule",
                        hint: "keep one of them", others: [ConfigurationPath([.key(given[0])])])
                ]
            }
            if rule.split != nil, rule.rollout != nil {
                return [
                    Inconsistency(
                        "rollout", "a rule with a split cannot have a rollout",
                        hint: "make the weights of the split add up to less than 100",
                        others: ["split"])
                ]
            }
            return []
        }
    ]

    /// Creates a rule with empty values.
    package init() {}
}

/// The variants of a flag with their percentages of the units of an attribute, as a market file declares them.
package struct SplitDefinition: BucketedSection, FormSection {
    /// What a split is.
    package static let meaning =
        "Variants with percentages of the values of an attribute, as consecutive ranges."

    /// The variants with their percentages.
    package var weights: [UnreadValue] = []
    /// The attribute that identifies a unit.
    package var by = ""
    /// The text that makes its positions independent of other shares.
    package var salt: String?
    /// The vendor whose rule is followed.
    package var like: String?

    /// The keys of the section.
    package static let keys: [ConfigurationKey<Self>] =
        [
            .init(
                "weights", \.weights,
                .list(
                    of: .row([.string(.name(of: .variant)), .percent], called: "a variant and its percentage"),
                    count: 1...FlagDefinition.maximumVariants),
                required: true,
                "The variants with their percentages, which add up to at most 100. All others continue with the next "
                    + "rule.")
        ] + bucketingKeys
    /// The declaration with the form.
    package static let form = declaration(as: SectionForm("split", .whole, meaning))

    /// Creates a split with empty values.
    package init() {}
}

/// A layer, as a market file declares it.
package struct FlagLayerDefinition: BucketedSection, FormSection {
    /// The attribute that identifies a unit.
    package var by = ""
    /// The salt of its slots.
    package var salt: String?
    /// The vendor whose rule its slots follow.
    package var like: String?
    /// A description.
    package var doc = ""

    /// The keys of the section.
    package static let keys: [ConfigurationKey<Self>] = [
        .init(
            "by", \.by, .string(.identifier.naming(.unit)), required: true,
            "The attribute whose values are assigned to slots, such as `installID`."),
        .init("salt", \.salt, .string(.nonEmpty), "The salt for its slots. By default, the layer's name."),
        .init(
            "like", \.like, .choice(["growthbook"]),
            "GrowthBook, if the layer was migrated from one of its namespaces. Users keep their slot."),
        .init("doc", \.doc, .string(.any), "What the experiments have in common, in one sentence."),
    ]

    /// The declaration with the form.
    package static let form = declaration(
        as: SectionForm("layer", .parts, "A group of mutually exclusive experiments."))

    /// Creates a layer with empty values.
    package init() {}
}
