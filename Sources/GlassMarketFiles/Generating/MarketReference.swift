import GlassBase
import GlassDeepLinking
import GlassSchema
import LuaBridge

/// The reference page: every key, every word, every standard routable, and what a script sees.
public enum MarketReference {
    /// The page in Markdown, ending with a line break.
    public static var page: String {
        var page = MarketDefinition.declaration.referencePage(title: "Every key of a market")
        page += "\n## Words of a market file\n\n| word | gives |\n|---|---|\n"
        for word in LuaInterface.words { page += row(word, receiver: "") }
        page += "| `unset` | Drops the key of the extended market. |\n"
        page += patterns + sizes
        page += "\n## Standard routables\n\n| id | opens | paths |\n|---|---|---|\n"
        for routable in StandardRoutables.all {
            let paths = routable.paths.map(Markdown.code).joined(separator: ", ")
            page += Markdown.row([Markdown.code(routable.id), Markdown.cell(markup: routable.summary), paths]) + "\n"
        }
        for type in [LuaInterface.module] + LuaInterface.classes {
            page += "\n## \(type.name)\n\n\(type.summary)\n\n| member | is |\n|---|---|\n"
            for field in type.fields {
                let member = "\(Markdown.code(field.name)): \(Markdown.code(field.type))"
                page += Markdown.row([member, Markdown.cell(markup: field.summary)]) + "\n"
            }
            for method in type.methods {
                page += row(method, receiver: type.name == LuaInterface.module.name ? "glass." : ":")
            }
        }
        return page
    }

    /// The language of patterns such as `postalCodePattern`.
    private static var patterns: String {
        var text = "\n## Patterns\n\n| written | stands for |\n|---|---|\n"
        for (written, meaning) in TextPattern.grammar {
            text += Markdown.row([Markdown.code(written), Markdown.cell(markup: meaning)]) + "\n"
        }
        return text + """

            A pattern matches a whole text, and case counts. What repeats contains nothing that repeats: `([0-9]{3}-?)+` is \
            refused, `([0-9]{3}-?)?` is not. A pattern has at most \(TextPattern.longestPattern) bytes, its repetitions \
            stand for at most \(TextPattern.mostCharacters.grouped) characters, and it matches texts of at most \
            \(TextPattern.longestText) bytes, in a time that grows with the text alone.

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
            | a key | \(LuaConfigurationReader.longestKey) bytes |
            | a list, or the keys of a table | \(LuaConfigurationReader.mostElements.grouped) |
            | markets that extend each other | \(MarketEvaluation.longestChain) |
            | CPU time of its Lua | \(limits.evaluation.cpuTime.milliseconds) ms |
            | CPU time of the whole load | \(limits.load.milliseconds) ms |
            | findings that are told one by one | \(FindingList.mostOfAFile) for each file |

            """
    }

    private static func row(_ function: LuaInterface.Function, receiver: String) -> String {
        let parameters = function.parameters.map(\.name).joined(separator: ", ")
        let returns = function.returns.map { " → \(Markdown.code($0))" } ?? ""
        let call = Markdown.code("\(receiver)\(function.name)(\(parameters))") + returns
        return Markdown.row([call, Markdown.cell(markup: function.summary)]) + "\n"
    }
}
