/// The words of a market file, as an editor explains them.
enum DirectiveDocumentation {
    /// What each word means, by the word.
    static let meanings: [String: String] = [
        "append": "`append { … }` puts these elements behind those of the list of the market that is extended.",
        "remove": "`remove { … }` takes these elements out of the list of the market that is extended.",
        "unset": "`unset` drops the key of the market that is extended: what holds is the default, or nothing.",
        "secret": "`secret \"NAME\"` is a value that the app looks up under this name; no file has it.",
        "include": "`include \"shared/file.lua\"` is what a file of the markets folder returns.",
        "market": "`market { … }` is the table itself: it tells editors that a market is meant.",
        "extends": "The market that this one starts from.",
    ]
}
