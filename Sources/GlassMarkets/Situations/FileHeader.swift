import GlassBase
package import GlassSchema

/// The keys at the top of a market file that are about situations, in addition to the keys of the market.
package enum FileHeader {
    /// The key that makes a file a base of markets. It is no key of a market: nothing inherits it.
    package static let abstract = "abstract"
    static let attributes = "attributes"
    static let conditions = "conditions"
    static let overlays = "overlays"

    /// The keys, without the keys of the market that overlays can have.
    package static let keys = keys(overlay: OverlayDefinition.form)
    /// The names of the keys.
    package static let names = Set(keys.map(\.name))

    private static func keys(overlay: SectionDeclaration) -> [KeyDeclaration] {
        [
            .part(
                abstract, .boolean,
                "Whether the file is only a base for other markets. No market inherits this key."),
            .part(
                attributes, .map(of: AttributeDefinition.valueType, keys: .name(of: .attribute)),
                "Attributes that the app sets and conditions of this market can test, in addition to the standard ones."
            ),
            .part(
                conditions, .map(of: .condition, keys: .name(of: .condition)),
                "Conditions by name. A market that extends this one can replace any of them."),
            .part(
                overlays, .list(of: .section(overlay)),
                "Values for some situations. The first overlay in the list that holds and sets a key wins."),
        ]
    }

    /// The declaration of a market file: the keys of the market and those about situations, also inside overlays.
    static func file(of market: SectionDeclaration) -> SectionDeclaration {
        let own = OverlayDefinition.form
        let overlay = SectionDeclaration(
            name: own.name,
            keys: own.keys
                + market.keys.filter { own.key($0.name) == nil && $0.canBeInOverlay }.map(\.optional),
            form: own.form)
        return SectionDeclaration(name: market.name, keys: market.keys + keys(overlay: overlay))
    }
}

extension KeyDeclaration {
    /// Whether an overlay can have this key of a market.
    fileprivate var canBeInOverlay: Bool { pace != .fixed }
}

/// The keys of an overlay, in addition to those of the market.
package struct OverlayDefinition: FormSection {
    /// The name.
    package var name = ""
    /// The condition.
    package var when: UnreadValue?
    /// The weaker overlays that may set the same keys.
    package var beats: [String]?

    /// The keys of the section.
    package static let keys: [ConfigurationKey<Self>] = [
        .init(
            "name", \.name, .string(.identifier.naming(.overlay)), required: true,
            "The name. A market that extends this one uses it to change the overlay."),
        .init(
            "when", \.when, .condition,
            "Where the overlay holds. It can be absent if a base market has an overlay with this name. Set it to "
                + "`false` to turn that overlay off."),
        .init(
            "beats", \.beats, .list(of: .string(.name(of: .overlay, matching: .identifier))),
            "The overlays below that this one overrides where both set a key."),
    ]
    /// The declaration with the form.
    package static let form = declaration(as: SectionForm("overlay", .open, "Values for some situations."))

    /// Creates an overlay with empty values.
    package init() {}
}

extension SectionDeclaration {
    /// The keys of an alternative of `vary`.
    package static let choice = SectionDeclaration(
        name: "Choice",
        keys: [
            .part("when", .condition, required: true, "Where the value holds."),
            .part("value", .enclosing, required: true, "The value of the key."),
        ], form: SectionForm("choice", .whole, "An alternative of `vary`."))

    /// The key of `vary` and `perLocale` with the value for all other situations.
    package static let fallback = KeyDeclaration.part(
        "default", .enclosing,
        "The value in all other situations. Without it, weaker overlays and base markets determine the value.")
}
