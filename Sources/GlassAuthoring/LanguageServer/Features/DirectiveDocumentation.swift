/// The documentation of directives that editors show.
enum DirectiveDocumentation {
    /// The documentation of each directive, by name.
    static let meanings: [String: String] = [
        "append": "`append { … }` appends these elements to the base market's list.",
        "remove": "`remove { … }` removes these elements from the base market's list.",
        "unset": "`unset` removes the inherited key; the default applies, if there is one.",
        "secret": "`secret \"NAME\"` is a value that the app looks up by this name; no file contains it.",
        "include": "`include \"shared/file.lua\"` is the value that a file in the markets folder returns.",
        "market": "`market { … }` returns the table unchanged; editors use it to recognize a market.",
        "extends": "The base market, whose values this market inherits.",
    ]
}
