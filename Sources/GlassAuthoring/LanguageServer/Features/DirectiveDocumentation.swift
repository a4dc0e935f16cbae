/// The documentation of directives that editors show.
enum DirectiveDocumentation {
    /// The documentation of each directive, by name.
    static let meanings: [String: String] = [
        "accept":
            "`accept { value, rule = \"reason\" }` is the value. The rule's warnings about it, or about a key inside "
            + "it, are accepted.",
        "append": "`append { … }` appends these elements to the base market's list.",
        "prepend": "`prepend { … }` puts these elements before the base market's list.",
        "vary":
            "`vary { { when = condition, value = … }, default = … }` is the first value whose condition holds in the "
            + "situation. Without a default, weaker overlays and base markets determine the value.",
        "perLocale":
            "`perLocale { en = …, fr = … }` is the value for the locale. `fr` covers `fr-CA`, unless `fr-CA` has a "
            + "value of its own.",
        "any": "`any { … }` holds if one of these conditions holds.",
        "all": "`all { … }` holds if all of these conditions hold.",
        "no":
            "`no { … }` holds if this condition does not; `no \"release\"` is a test that every other value passes, "
            + "including a missing value.",
        "missing": "`missing` passes if the attribute has no value.",
        "present": "`present` passes if the attribute has a value.",
        "remove": "`remove { … }` removes these elements from the base market's list.",
        "unset": "`unset` removes the inherited key; the default applies, if there is one.",
        "secret": "`secret \"NAME\"` is a value that the app looks up by this name; no file contains it.",
        "undecided":
            "`undecided \"…\"` is an example that the market still has to replace with its own value; "
            + "`check` lists it.",
        "include": "`include \"shared/file.lua\"` is the value that a file in the markets folder returns.",
        "market": "`market { … }` returns the table unchanged; editors use it to recognize a market.",
        "extends": "The base market, whose values this market inherits.",
    ]
}
