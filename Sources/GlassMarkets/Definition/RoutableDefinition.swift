import GlassBase
import GlassDeepLinking
package import GlassSchema

/// A market's entry for one routable: that the market does not have it, or how it differs from the standard one.
package enum RoutableDefinition: ConfigurationRepresentable, Equatable {
    /// The market does not have it.
    case off
    /// The market has it, with these settings.
    case on(RoutableSettings)

    /// `false`, `true` for the standard routable as it is, or a table.
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

/// How a routable differs from the standard one, or what a routable of the market's own does.
package struct RoutableSettings: ConfigurationSection {
    /// Paths instead of the standard ones.
    package var paths: [String]?
    /// Paths beside the standard ones.
    package var customPaths: [String] = []
    /// Which preconditions a link waits for.
    package var waitForPreconditions: PreconditionSetting?
    /// What a link shows, without code.
    package var show: DeclarativeDestination?
    /// The app's function that handles a link, by name.
    package var handler: String?
    /// The market file's function that handles a link; it cannot leave the machine that has the file.
    package var handle: MarketFunction?
    /// Paths that will go.
    package var deprecated: RoutableDeprecation?

    /// The keys of the section.
    package static let keys: [ConfigurationKey<Self>] = [
        .init(
            "paths", \.paths, .set(of: .string(.nonEmpty), count: 1...100), "Paths instead of the standard ones."),
        .init(
            "customPaths", \.customPaths, .set(of: .string(.nonEmpty), count: 0...100),
            "Paths beside the standard ones."),
        .init(
            "waitForPreconditions", \.waitForPreconditions,
            "Which preconditions a link waits for: true (all, the default), false (none), or names."),
        .init("show", \.show, "What a link shows: a tab, a screen, and texts made from the link."),
        .init("handler", \.handler, .string(.identifier), "The app's function that handles a link, by name."),
        .init(
            "handle", \.handle,
            "What handles a link in scripts and tests: function(link, state), returns whether it took it."),
        .init(
            "deprecated", \.deprecated,
            "Paths that will go, and when: `review` does not call their loss a break after that day."),
    ]

    /// The standard routable as it is.
    package init() {}

    /// At most one of `show`, `handler` and `handle` may be set.
    package func inconsistencies() -> [Inconsistency] {
        let written = [("show", show != nil), ("handler", handler != nil), ("handle", handle != nil)]
            .filter(\.1).map(\.0)
        guard written.count > 1 else { return [] }
        return [
            Inconsistency(
                ConfigurationPath([.key(written[1])]), "\(written.joined(separator: " and ")) say what a link does",
                hint: "keep one of them", others: [ConfigurationPath([.key(written[0])])])
        ]
    }
}

/// Paths of a routable that will go. Nobody on a phone reads it, so compiled markets do not have it.
package struct RoutableDeprecation: ConfigurationSection {
    /// The patterns, as `paths` or `customPaths` has them, or the standard ones.
    package var paths: [String] = []
    /// The last day on which their links must open, as `2027-01-31`.
    package var expires = ""

    /// The keys of the section.
    package static let keys: [ConfigurationKey<Self>] = [
        .init(
            "paths", \.paths, .set(of: .string(.nonEmpty), count: 1...100), required: true,
            "The patterns, as the routable has them."),
        .init(
            "expires", \.expires, .string(.date), required: true,
            "The last day on which their links must open, such as \"2027-01-31\"."),
    ]

    /// Creates a deprecation to be filled in.
    package init() {}

    /// Whether they are patterns is asked here: a routable that has them no more does not compile them.
    package func inconsistencies() -> [Inconsistency] {
        paths.enumerated().compactMap { offset, text in
            do throws(RoutePatternError) {
                _ = try RoutePattern(text)
                return nil
            } catch {
                return Inconsistency(
                    ConfigurationPath([.key("paths"), .index(offset + 1)]),
                    "\(text.quotedForMessage) is no pattern: \(error)")
            }
        }
    }
}

/// What a link shows, as `show` says it.
package struct DeclarativeDestination: ConfigurationSection {
    /// The tab to select.
    package var tab: String?
    /// The screen to show.
    package var screen: String?
    /// What the screen is shown with, by name; nil for the path parameters as they are.
    package var parameters: [String: String]?
    /// The shown parameters without which a link is declined.
    package var requires: [String] = []

    /// The keys of the section.
    package static let keys: [ConfigurationKey<Self>] = [
        .init("tab", \.tab, .string(.nonEmpty), "The tab to select."),
        .init("screen", \.screen, .string(.nonEmpty), "The screen to show."),
        .init(
            "parameters", \.parameters,
            .map(of: .string(.any), keys: .nonEmpty, count: 0...ShowRoutable.parameterLimit),
            "What the screen is shown with: `{name}` is a path parameter, `{?name}` a query item, `{name|text}` has a "
                + "default. Without it the path parameters as they are."),
        .init(
            "requires", \.requires, .set(of: .string(.nonEmpty), count: 0...ShowRoutable.parameterLimit),
            "The shown parameters without which a link is declined."),
    ]

    /// Shows nothing yet.
    package init() {}
}

/// Which preconditions a link waits for.
package enum PreconditionSetting: ConfigurationRepresentable, Equatable {
    /// All that exist, or none.
    case all(Bool)
    /// These.
    case named([String])

    /// `true`, `false` or a list of names.
    package static var valueType: ValueType {
        .either([.boolean, .set(of: .string(.identifier), count: 1...20)])
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
    /// The function as the evaluation left it.
    package let value: OpaqueValue

    /// A function.
    package static var valueType: ValueType { .function }

    /// Reads an opaque value.
    package init(validated value: ConfigurationValue) {
        guard case .opaque(let function) = value else {
            preconditionFailure("a key that holds a function was declared to accept \(value.found)")
        }
        self.value = function
    }

    /// The function, still opaque.
    package var configurationValue: ConfigurationValue { .opaque(value) }
}
