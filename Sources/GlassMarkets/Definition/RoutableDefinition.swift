import GlassBase
import GlassDeepLinking
package import GlassSchema

/// A market's entry for one routable: it is disabled, or has settings.
package enum RoutableDefinition: ConfigurationRepresentable, Equatable {
    /// The market disables it.
    case off
    /// The market has it, with these settings.
    case on(RoutableSettings)

    /// `false`, `true` for the standard routable without changes, or a table.
    package static var valueType: ValueType { .either([.boolean, RoutableSettings.valueType]) }

    /// Reads `false`, `true` or a table.
    package init(validated value: ConfigurationValue) {
        switch value {
        case .boolean(false): self = .off
        case .boolean(true): self = .on(RoutableSettings())
        default: self = .on(RoutableSettings(validated: value))
        }
    }

    /// The value as a market file would write it.
    package var configurationValue: ConfigurationValue {
        switch self {
        case .off: .boolean(false)
        case .on(let settings): settings.configurationValue
        }
    }
}

/// The changes to a standard routable, or the definition of a routable that the market adds.
package struct RoutableSettings: ConfigurationSection {
    /// Paths that replace the standard ones.
    package var paths: [String]?
    /// Paths in addition to the standard ones.
    package var customPaths: [String] = []
    /// The preconditions that a link waits for.
    package var waitForPreconditions: PreconditionSetting?
    /// The destination of a link, without code.
    package var show: DeclarativeDestination?
    /// The name of the app's function that handles a link.
    package var handler: String?
    /// The market file's function that handles a link. It works only on a machine that has the file.
    package var handle: MarketFunction?
    /// The deprecated paths.
    package var deprecated: RoutableDeprecation?

    /// The keys of the section. A function is not data, so it cannot be one of several alternatives.
    package static let keys: [ConfigurationKey<Self>] = [
        .init(
            "paths", \.paths, .set(of: .string(.nonEmpty), count: 1...100), "Paths that replace the standard ones."),
        .init(
            "customPaths", \.customPaths, .set(of: .string(.nonEmpty), count: 0...100),
            "Paths in addition to the standard ones."),
        .init(
            "waitForPreconditions", \.waitForPreconditions,
            "The preconditions that a link waits for: true (all, the default), false (none), or names."),
        .init("show", \.show, "The destination of a link: a tab, a screen, and strings made from the link."),
        .init(
            "handler", \.handler, .string(.identifier.naming(.handler)),
            "The name of the app's function that handles a link."),
        .init(
            "handle", \.handle,
            "The function that handles a link in scripts and tests: function(link, state), which returns whether it "
                + "handled the link."
        ).varying(.fixed),
        .init(
            "deprecated", \.deprecated,
            "Deprecated paths and their expiry date. After that date, `review` does not report their removal as "
                + "breaking."),
    ]

    /// At most one of `show`, `handler` and `handle` may be set.
    package static let rules: [ConfigurationRule<Self>] = [
        .init(reads: ["show", "handler", "handle"]) { settings in
            let written = [
                ("show", settings.show != nil), ("handler", settings.handler != nil),
                ("handle", settings.handle != nil),
            ].filter(\.1).map(\.0)
            guard written.count > 1 else { return [] }
            return [
                Inconsistency(
                    ConfigurationPath([.key(written[1])]),
                    "\(written.joined(separator: " and ")) each define what a link does",
                    hint: "keep one of them", others: [ConfigurationPath([.key(written[0])])])
            ]
        }
    ]

    /// Creates the settings of the standard routable without changes.
    package init() {}
}

/// Deprecated paths of a routable. Apps do not use them, so compiled markets omit them.
package struct RoutableDeprecation: ConfigurationSection {
    /// The patterns, as in `paths` or `customPaths`, or the standard ones.
    package var paths: [String] = []
    /// The last day on which their links must open, such as `2027-01-31`.
    package var expires = ""

    /// The keys of the section.
    package static let keys: [ConfigurationKey<Self>] = [
        .init(
            "paths", \.paths, .set(of: .string(.nonEmpty), count: 1...100), required: true,
            "The patterns, as the routable declares them."),
        .init(
            "expires", \.expires, .string(.date), required: true,
            "The last day on which their links must open, such as \"2027-01-31\"."),
    ]

    /// The patterns are validated here, because a routable that no longer has them does not compile them.
    package static let rules: [ConfigurationRule<Self>] = [
        .init(reads: ["paths"]) { deprecation in
            deprecation.paths.enumerated().compactMap { offset, text in
                do throws(RoutePatternError) {
                    _ = try RoutePattern(text)
                    return nil
                } catch {
                    return Inconsistency(
                        ConfigurationPath([.key("paths"), .index(offset + 1)]),
                        "\(text.quotedForMessage) is not a pattern: \(error)")
                }
            }
        }
    ]

    /// Creates a deprecation with empty values.
    package init() {}
}

/// The destination of a link, as `show` declares it.
package struct DeclarativeDestination: ConfigurationSection {
    /// The tab to select.
    package var tab: String?
    /// The screen to show.
    package var screen: String?
    /// The parameters of the screen, by name; nil for the path parameters without changes.
    package var parameters: [String: String]?
    /// The parameters of the screen that a link must provide. Without one of them, it is declined.
    package var requires: [String] = []

    /// The keys of the section.
    package static let keys: [ConfigurationKey<Self>] = [
        .init("tab", \.tab, .string(.nonEmpty), "The tab to select."),
        .init("screen", \.screen, .string(.nonEmpty), "The screen to show."),
        .init(
            "parameters", \.parameters,
            .map(of: .string(.any), keys: .nonEmpty, count: 0...ShowRoutable.parameterLimit),
            "The parameters of the screen: `{name}` is a path parameter, `{?name}` a query item, `{name|text}` has a "
                + "default. If absent, the path parameters are used."),
        .init(
            "requires", \.requires, .set(of: .string(.nonEmpty), count: 0...ShowRoutable.parameterLimit),
            "The parameters of the screen that a link must provide. Without one of them, it is declined."),
    ]

    /// Creates a destination with empty values.
    package init() {}
}

/// The preconditions that a link waits for.
package enum PreconditionSetting: ConfigurationRepresentable, Equatable {
    /// All preconditions, or none.
    case all(Bool)
    /// The named preconditions.
    case named([String])

    /// `true`, `false` or a list of names.
    package static var valueType: ValueType {
        .either([.boolean, .set(of: .string(.identifier.naming(.precondition)), count: 1...20)])
    }

    /// Reads `true`, `false` or a list of names.
    package init(validated value: ConfigurationValue) {
        if case .boolean(let all) = value {
            self = .all(all)
        } else {
            self = .named([String](validated: value))
        }
    }

    /// The value as a market file would write it.
    package var configurationValue: ConfigurationValue {
        switch self {
        case .all(let all): .boolean(all)
        case .named(let names): names.configurationValue
        }
    }
}

/// A function of a market file, for the layer that can call it.
package struct MarketFunction: ConfigurationRepresentable, Equatable {
    /// The function as an opaque value.
    package let value: OpaqueValue

    /// The type of a function.
    package static var valueType: ValueType { .function }

    /// Reads an opaque value.
    package init(validated value: ConfigurationValue) {
        guard case .opaque(let function) = value else {
            preconditionFailure("a key that holds a function was declared to accept \(value.found)")
        }
        self.value = function
    }

    /// The function as an opaque value.
    package var configurationValue: ConfigurationValue { .opaque(value) }
}
