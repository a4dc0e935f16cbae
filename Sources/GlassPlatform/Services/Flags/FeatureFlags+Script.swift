package import GlassFlags
import GlassMarkets
package import GlassSchema

extension FeatureFlags {
    /// The script methods for reading and forcing values.
    package var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod(
                "value", ["name", "default?"], "The value of a flag, or the default if nothing gives one of its type."
            ) { arguments in
                let name = FlagName(unnumbered: try arguments.string(0, "name"))
                let standard = arguments[1].flagValue
                let type = standard.flatMap { FlagType(of: $0) }
                guard let value = self.value(of: name, as: type ?? .boolean)?.flagValue,
                    type == nil || FlagType(of: value).map({ type?.accepts($0) == true }) == true
                else { return arguments[1] }
                return ScriptValue(value)
            },
            ScriptMethod(
                "details", ["name", "context?"],
                "A table with the value of a flag, its reason and where it comes from, in the app's situation or another."
            ) { arguments in
                try self.scriptDetails(arguments, isExposure: true)
            },
            ScriptMethod("peek", ["name", "context?"], "The same as details, without exposing anybody.") { arguments in
                try self.scriptDetails(arguments, isExposure: false)
            },
            ScriptMethod("force", ["name", "value"], "Forces a value, in debug and beta builds.", keeps: true) {
                arguments in
                let name = try arguments.string(0, "name")
                guard let value = arguments[1].flagValue else {
                    throw ScriptArgumentError(
                        method: "force", parameter: "value", expected: "a value of a flag", found: arguments[1].found)
                }
                try self.force(value, for: FlagName(unnumbered: name))
                return .nil
            },
            ScriptMethod("unforce", ["name"], "Ends the forcing of a value.") { arguments in
                self.unforce(FlagName(unnumbered: try arguments.string(0, "name")))
                return .nil
            },
            ScriptMethod("forced", [], "The forced values by flag.") { _ in
                .map(self.forced.mapValues { ScriptValue($0) })
            },
            ScriptMethod("names", [], "The names of the market's flags.") { _ in
                .list(self.names.map { .string($0) })
            },
        ]
    }

    private func scriptDetails(_ arguments: ScriptArguments, isExposure: Bool) throws -> ScriptValue {
        let name = FlagName(unnumbered: try arguments.string(0, "name"))
        var context: MarketContext?
        if case .map(let entries) = arguments[1] {
            let attributes = (self as? MarketFeatureFlags)?.attributes ?? ContextAttribute.builtIn
            context = try attributes.context(from: entries.compactMapValues(\.flagValue), zones: .utc)
        } else if arguments[1] != .nil {
            throw ScriptArgumentError(
                method: "details", parameter: "context", expected: "a table of attributes", found: arguments[1].found)
        }
        let details = self.answer(of: name, as: .boolean, in: context, isExposure: isExposure)
        var table: [String: ScriptValue] = [
            "name": .string(details.name), "reason": .string(details.reason.rawValue),
            "provider": .string(details.provider), "ignoresForcedValue": .boolean(details.ignoresForcedValue),
        ]
        table["value"] = details.content.map { ScriptValue($0.flagValue) }
        table["variant"] = details.variant.map { .string($0) }
        table["rule"] = details.rule.map { .string($0.name) }
        table["position"] = details.rule?.position.map { .string($0.description) }
        table["missingUnit"] = details.missingUnit.map { .string($0) }
        table["error"] = details.error.map { ["code": .string($0.code.rawValue), "message": .string($0.message)] }
        return .map(table)
    }
}

extension ScriptValue {
    /// The value as that of a flag; nil for nil and objects.
    fileprivate var flagValue: ConfigurationValue? {
        switch self {
        case .boolean(let value): .boolean(value)
        case .integer(let value): .integer(value)
        case .number(let value): .number(value)
        case .string(let value): .string(value)
        case .list(let values): .list(values: values.compactMap(\.flagValue))
        case .map(let values): .map(values: values.compactMapValues(\.flagValue))
        case .nil, .object: nil
        }
    }
}
