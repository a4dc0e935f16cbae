import GlassBase
import GlassDeepLinking
import GlassSchema

/// The reference page: every key, every word, every standard routable, and what a script sees.
public enum MarketReference {
    /// The page in Markdown, ending with a line break.
    public static var page: String {
        var page = MarketDefinition.declaration.referencePage(title: "Every key of a market")
        page += "\n## Words of a market file\n\n| word | gives |\n|---|---|\n"
        for word in LuaInterface.words { page += row(word, receiver: "") }
        page += "| `unset` | Drops the key of the extended market. |\n"
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

    private static func row(_ function: LuaInterface.Function, receiver: String) -> String {
        let parameters = function.parameters.map(\.name).joined(separator: ", ")
        let returns = function.returns.map { " → \(Markdown.code($0))" } ?? ""
        let call = Markdown.code("\(receiver)\(function.name)(\(parameters))") + returns
        return Markdown.row([call, Markdown.cell(markup: function.summary)]) + "\n"
    }
}
