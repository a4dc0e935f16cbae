package import GlassSchema

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
