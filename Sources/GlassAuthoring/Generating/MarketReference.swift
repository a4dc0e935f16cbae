import GlassBase
import GlassDeepLinking
package import GlassMarkets
import GlassSchema
import LuaBridge
import GlassMarketFiles

/// The reference page of a module: every key, directive, routable, precondition and handler, and the scripting
/// interface.
package struct MarketReference: Sendable {
    private let schema: MarketSchema

    package init(of module: MarketModule) {
        schema = MarketSchema(module)
    }

    /// The page in Markdown, ending with a line break.
    package var page: String {
        var page = schema.declaration.referencePage(
            title: "Every key of a market",
            summary: MarketSchema.summary + """


                A note such as "May vary by build." says how often a value can vary with the situation. A key without \
                such a note follows its table. Top-level keys vary at start. Keys that remote configuration can change \
                can vary at any time.
                """)
        page += situations
        page += "\n## Directives of a market file\n\n| directive | result |\n|---|---|\n"
        for word in LuaInterface.words { page += Self.row(word, receiver: "") }
        for value in LuaInterface.values {
            page += Markdown.row([Markdown.code(value.name), Markdown.cell(markup: value.summary)]) + "\n"
        }
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

    /// The keys and forms about situations, and the attributes.
    private var situations: String {
        var text = "\n## Situations\n\nA file can also have these keys, which make values depend on the situation. "
        text += "A market that extends another can replace its conditions by name, and its own values override the "
        text += "overlays of its base market.\n\n"
        text += SectionDeclaration(name: "", keys: FileHeader.keys).formTable
        text += "\n## attributes.*\n\nEach entry has these keys:\n\n" + AttributeDefinition.form.referenceTable
        text += "\n## overlays[n]\n\nEach entry has these keys, and any keys of the market except "
        text += schema.notInOverlays.sorted().map(Markdown.code).joined(separator: ", ") + ":\n\n"
        text += OverlayDefinition.form.formTable
        text += Self.table("Conditions", "condition", "holds", Self.conditions)
        text += Self.table("Tests", "test", "passes", Self.tests)
        text +=
            "\n## Shares\n\n\(RolloutDefinition.meaning) Conditions and rules of flags set it with `rollout`:\n\n"
        text += RolloutDefinition.form.formTable
        text += "\n\(SplitDefinition.meaning) Rules of flags set them with `split`:\n\n"
        text += SplitDefinition.form.formTable
        text += "\n## Attributes\n\n| attribute | values | changes | default | is |\n|---|---|---|---|---|\n"
        for attribute in schema.module.contextAttributes {
            let cells = [
                attribute.accepts, attribute.paceText, attribute.defaultText ?? "none", attribute.documentation,
            ]
            text += Markdown.row([Markdown.code(attribute.name)] + cells.map(Markdown.cell(markup:))) + "\n"
        }
        return text
    }

    /// The forms of a condition, and where each holds.
    private static let conditions = [
        (form: "\"debug\"", meaning: "Where the condition of that name holds."),
        ("{ build = \"debug\", region = \"CA\" }", "Where all tests pass."),
        ("any { \"debug\", { audience = \"associates\" } }", "Where one of the conditions holds."),
        ("all { \"debug\", \"internal\" }", "Where all of the conditions hold."),
        ("no { build = \"release\" }", "Where the condition does not hold."),
        (
            "{ rollout = { percent = 10, by = \"installID\" } }",
            "For a share of users. To change several flags and keys together, give the condition a name."
        ),
        ("true, false", "Everywhere, or nowhere."),
    ]

    /// The forms of a test of an attribute, and what passes each.
    private static let tests = [
        (
            form: "\"debug\", true, 3",
            meaning:
                "This value. A set passes if it contains the name; `fr` also covers `fr-CA`, and `CA` covers `CA-QC`."
        ),
        ("{ \"debug\", \"beta\" }", "One of the values or tests."),
        (
            "\">= 24.3 < 25\"",
            "Versions, numbers and dates in the range. A date has a time zone: `2026-11-27T00:00 America/New_York`."
        ),
        (
            "{ prefix = \"a\", anyCase = true }",
            "Texts that begin with this string. `suffix` and `contains` work the same way."
        ),
        ("no \"release\"", "Everything that does not pass the test, including a missing value."),
        ("missing, present", "A missing value, or any value."),
    ]

    private static func table(
        _ title: String, _ form: String, _ meaning: String, _ rows: [(form: String, meaning: String)]
    ) -> String {
        let lines = rows.map { Markdown.row([Markdown.code($0.form), Markdown.cell(markup: $0.meaning)]) + "\n" }
        return "\n## \(title)\n\n| \(form) | \(meaning) |\n|---|---|\n" + lines.joined()
    }

    /// The table of names that markets can use; empty if there are none.
    private static func table(_ title: String, _ rows: [(name: String, summary: String)]) -> String {
        guard !rows.isEmpty else { return "" }
        let lines = rows.map { Markdown.row([Markdown.code($0.name), Markdown.cell(markup: $0.summary)]) + "\n" }
        return "\n## \(title)\n\n| name | means |\n|---|---|\n" + lines.joined()
    }

    /// The syntax of patterns such as `postalCodePattern`.
    private static var patterns: String {
        var text = "\n## Patterns\n\n| syntax | matches |\n|---|---|\n"
        for (written, meaning) in TextPattern.grammar {
            text += Markdown.row([Markdown.code(written), Markdown.cell(markup: meaning)]) + "\n"
        }
        return text + """

            A pattern must match the whole text and is case-sensitive. Nested repetition is not supported: \
            `([0-9]{3}-?)+` is rejected, `([0-9]{3}-?)?` is not. A pattern has at most \
            \(TextPattern.maximumPatternLength) bytes, its repetitions expand to at most \
            \(TextPattern.maximumCharacters.grouped) characters, and it matches texts of at most \
            \(TextPattern.maximumTextLength) bytes, in a time that depends only on the length of the text.

            """
    }

    /// The limits on the size of a market.
    private static var sizes: String {
        let limits = MarketLimits()
        return """

            ## Size limits of a market

            | item | maximum |
            |---|---|
            | a file | \(limits.evaluation.sourceSize / 1024) KB |
            | a key | \(ConfigurationLimits.maximumKeyLength) bytes |
            | a list, or the keys of a table | \(ConfigurationLimits.maximumElements.grouped) |
            | markets in an `extends` chain | \(MarketLimits.maximumChainLength) |
            | CPU time of its Lua code | \(Int(limits.evaluation.cpuTime / BuildSpeed.slowdownOfLua / .milliseconds(1))) ms |
            | CPU time of the whole load | \(Int(limits.load / .milliseconds(1))) ms |
            | findings that are listed | \(FindingList.maximumOfAFile) for each file |

            """
    }

    private static func row(_ function: LuaInterface.Function, receiver: String) -> String {
        let parameters = function.parameters.map(\.name).joined(separator: ", ")
        let returns = function.returns.map { " → \(Markdown.code($0))" } ?? ""
        let call = Markdown.code("\(receiver)\(function.name)(\(parameters))") + returns
        return Markdown.row([call, Markdown.cell(markup: function.summary)]) + "\n"
    }
}
