import GlassSchema
import LuaSyntax

/// The probable cause of a syntax error.
///
/// Lua reports what it expected; the author of the file needs to know what they wrote instead. Where the syntax tree
/// does not know it, Lua's own message is used.
struct LuaSyntaxMistake: Equatable {
    /// The line of the mistake; nil to use the one that Lua reports.
    var line: Int?
    /// The column of the mistake.
    var column: Int?
    /// The message; nil to use Lua's own.
    var message: String?
    var hint: String?
    /// The hint as changes of the text; empty if the hint leaves a choice.
    var edits: [Correction.Edit] = []
    /// Whether the edits are the only ones that can have been meant.
    var isUnambiguous = true
    /// The position at which the mistake was noticed, if it is a different one.
    var noticed: Notice?
    /// What distinguishes the mistake from others at the same sign, for the fingerprint of its finding.
    var subject = ""

    /// The position at which a mistake was noticed.
    struct Notice: Equatable {
        let line: Int
        let column: Int
        let message: String
    }

    /// Explains the first mistake in a text that Lua rejected with a message.
    static func find(in tree: LuaTree, message: String) -> LuaSyntaxMistake? {
        let reader = LuaMistakeReader(tree: tree, message: message)
        if message.hasPrefix("unfinished long comment") { return reader.unfinishedComment }
        return tree.errors.first.flatMap(reader.mistake)
    }

    /// The token that opens what Lua expects to be closed, if Lua's message names its line.
    static func opening(named message: String, in tree: LuaTree) -> Notice? {
        guard let named = message.firstMatch(of: /\(to close '([^']+)' at line ([0-9]+)\)/), let line = Int(named.2)
        else { return nil }
        let opener = tree.tokens(onLine: line).first { tree.text(of: $0) == named.1 }
        return opener.map {
            Notice(line: line, column: tree.position(of: $0).column, message: "\(named.1) is opened here")
        }
    }
}
