import GlassBase
import GlassDeepLinking
package import GlassMarkets
import GlassSchema
import LuaBridge

/// The reference page of a module: every key, word, routable, precondition and handler, and what a script sees.
package struct MarketReference: Sendable {
    private let schema: MarketSchema

    /// Prepares the page.
    package init(of module: MarketModule) {
        schema = MarketSchema(module)
    }

    /// The page in Markdown, ending with a line break.
    package var page: String {
        var page = schema.declaration.referencePage(
            title: "Every key of a market", summary: MarketSchema.summary)
        page += "\n## Words of a market file\n\n| word | gives |\n|---|---|\n"
        for word in LuaInterface.words { page += Self.row(word, receiver: "") }
        page += "| `unset` | Drops the key of the extended market. |\n"
        page += Self.patterns + Self.sizes
        page += "\n## Routables\n\n| id | opens | paths |\n|---|---|---|\n"
        for routable in schema.module.features {
            let paths = routable.paths.map(Markdown.code).joined(separator: ", ")
            page += Markdown.row([Markdown.code(routable.id), Markdown.cell(markup: routable.summary), paths]) + "\n"
        }
        page += Self.table("Preconditions", schema.module.preconditions.map { ($0.name, $0.summary) })
        page += Self.table("Handlers", schema.module.handlers.map { ($0.name, $0.summary) })
        for type in [LuaInterface.module] + LuaInterface.classes {
            page += "\n## \(type.name)\n\n\(type.summary)\n\n| member | is |\n|---|---|\n"
            for field in type.fields {
                let member = "\(Markdown.code(field.name)): \(Markdown.code(field.type))"
                page += Markdown.row([member, Markdown.cell(markup: field.summary)]) + "\n"
            }
            for method in type.methods {
                page += Self.row(method, receiver: type.name == LuaInterface.module.name ? "glass." : ":")
            }
        }
        return page
    }

    /// What markets can name; nothing where there is nothing.
    private static func table(_ title: String, _ rows: [(name: String, summary: String)]) -> String {
        guard !rows.isEmpty else { return "" }
        let lines = rows.map { Markdown.row([Markdown.code($0.name), Markdown.cell(markup: $0.summary)]) + "\n" }
        return "\n## \(title)\n\n| name | means |\n|---|---|\n" + lines.joined()
    }

    /// The language of patterns such as `postalCodePattern`.
    private static var patterns: String {
        var text = "\n## Patterns\n\n| written | stands for |\n|---|---|\n"
        for (written, meaning) in TextPattern.grammar {
            text += Markdown.row([Markdown.code(written), Markdown.cell(markup: meaning)]) + "\n"
        }
        return text + """

            A pattern matches a whole text, and case counts. What repeats contains nothing that repeats: `([0-9]{3}-?)+` is \
            refused, `([0-9]{3}-?)?` is not. A pattern has at most \(TextPattern.maximumPatternLength) bytes, its repetitions \
            stand for at most \(TextPattern.maximumCharacters.grouped) characters, and it matches texts of at most \
            \(TextPattern.maximumTextLength) bytes, in a time that grows with the text alone.

            """
    }

    /// How large a market may be.
    private static var sizes: String {
        let limits = MarketLimits()
        return """

            ## How large a market may be

            | what | at most |
            |---|---|
            | a file | \(limits.evaluation.sourceSize / 1024) KB |
            | a key | \(ConfigurationLimits.maximumKeyLength) bytes |
            | a list, or the keys of a table | \(ConfigurationLimits.maximumElements.grouped) |
            | markets that extend each other | \(MarketEvaluation.maximumChainLength) |
            | CPU time of its Lua | \((limits.evaluation.cpuTime / BuildSpeed.slowdownOfLua).milliseconds) ms |
            | CPU time of the whole load | \(limits.load.milliseconds) ms |
            | findings that are told one by one | \(FindingList.maximumOfAFile) for each file |

            """
    }

    private static func row(_ function: LuaInterface.Function, receiver: String) -> String {
        let parameters = function.parameters.map(\.name).joined(separator: ", ")
        let returns = function.returns.map { " → \(Markdown.code($0))" } ?? ""
        let call = Markdown.code("\(receiver)\(function.name)(\(parameters))") + returns
        return Markdown.row([call, Markdown.cell(markup: function.summary)]) + "\n"
    }
}
