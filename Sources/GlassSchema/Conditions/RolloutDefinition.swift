/// A table that spreads the values of an attribute over percentages: a share, a split, a layer.
package protocol BucketedSection: ConfigurationSection {
    /// The attribute that identifies a unit.
    var by: String { get set }
    /// The text that makes its positions independent of others.
    var salt: String? { get set }
    /// The vendor whose rule is followed.
    var like: String? { get set }
}

extension BucketedSection {
    /// The keys that shares and splits have in common.
    package static var bucketingKeys: [ConfigurationKey<Self>] {
        [
            .init(
                "by", \.by, .string(.name(of: .unit)), required: true,
                "The attribute whose values are assigned to buckets: `installID`, or `customerID` if a person must "
                    + "get the same value on all devices."),
            .init(
                "salt", \.salt, .string(.any),
                "A string that makes this share independent of others. By default, the name of the flag or the "
                    + "condition."),
            .init(
                "like", \.like, .choice(Bucketing.Vendor.flags.map(\.rawValue)),
                "The vendor that the flag was migrated from. Users keep their bucket."),
        ]
    }
}

/// A share of the units of an attribute, as a market file declares it: `{ percent = 10, by = "installID" }`.
package struct RolloutDefinition: BucketedSection, FormSection {
    /// The key of a share in a condition and in a rule of a flag.
    package static let key = "rollout"
    /// What a share is.
    package static let meaning =
        "A percentage of the values of an attribute. Anyone included at 10% stays included at 25%."

    /// The share, in percent.
    package var percent = 0.0
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
                "percent", \.percent, .percent, required: true,
                "How many percent are included. Anyone included at 10 stays included at 25.")
        ] + bucketingKeys
    /// The declaration with the form.
    package static let form = declaration(as: SectionForm(key, .whole, meaning))

    /// Creates a share with empty values.
    package init() {}
}
