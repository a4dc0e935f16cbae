import GlassBase
import GlassSchema
import LuaSyntax

/// The names in a Lua text: the globals that it uses, the duplicate keys of its table constructors, and the members of
/// `handle` parameters that it uses.
struct LuaNames: Sendable {
    typealias Place = LuaLines.Position

    /// A name that is not a local variable where it is used.
    struct Global: Sendable {
        let name: String
        let place: Place
        let isAssigned: Bool
        let isInFunction: Bool
        /// The locals in scope, innermost first, for a suggestion.
        let visible: [String]
        /// What is wrong if the name is undefined, if it is not the name.
        let cause: UndefinedNames?
    }

    /// A key that the table constructor already contains.
    struct Duplicate: Sendable {
        let key: String
        let place: Place
        let first: Place
        /// Whether both values are tables.
        let areTables: Bool
    }

    /// A field or method of a `handle` parameter.
    struct Member: Sendable {
        /// The index of the parameter, starting at 0.
        let parameter: Int
        /// The name of the parameter.
        let variable: String
        let name: String
        let place: Place
        /// How the member is used.
        let use: Use
        /// The dot or colon before it.
        let sign: (place: Place, bytes: Range<Int>)

        enum Use { case field, dotCall, methodCall }
    }

    /// An entry of the table that the file returns, or of a table in it.
    struct Entry: Sendable {
        /// The path of the key, or of the table of an element.
        let path: ConfigurationPath
        let place: Place
        /// The bytes of the entry with its separator; of the value, if that is `nil`.
        let bytes: Range<Int>
        /// Whether its table has nothing else.
        let isAlone: Bool
    }

    /// The names that are not locals, in source order, up to ``most``.
    var globals: [Global] = []
    /// The globals that the text assigns outside functions.
    var assigned: Set<String> = []
    /// The same globals with the position of the first assignment of each, in source order, up to ``most``.
    var settings: [(name: String, place: Place)] = []
    /// The globals that the text reads.
    var read: Set<String> = []
    /// The duplicate keys, up to ``most``.
    var duplicates: [Duplicate] = []
    /// The members of `handle` parameters that the functions use but neither change nor pass on.
    var members: [Member] = []
    /// The `handle` functions whose parameters are in the wrong order.
    var swappedParameters: [LuaSyntaxMistake] = []
    /// The strings that are added.
    var sums: [LuaSyntaxMistake] = []
    /// The keys that are set to `nil`.
    var nilKeys: [Entry] = []
    /// The calls of `print` that are elements.
    var prints: [Entry] = []

    /// The maximum number of each kind: more findings than that are not listed for a file.
    static let most = 2 * FindingList.maximumOfAFile

    /// Reads a text.
    init(of tree: LuaTree, knowing globals: Set<String>, budget: WorkBudget) throws(WorkBudget.Exceeded) {
        let collector = try LuaNameCollector(tree, knowing: globals, budget: budget)
        self = collector.names
        // If the text sets its own environment, its globals depend on how it is run.
        if collector.hasOwnEnvironment {
            self.globals = []
            settings = []
        }
    }

    /// Creates an empty result.
    init() {}
}
