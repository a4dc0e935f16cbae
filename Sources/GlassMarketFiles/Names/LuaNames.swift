import GlassBase
import GlassSchema

/// What a Lua text says about names: the globals it uses, the keys that a table constructor has twice, and what it asks of
/// the parameters of `handle`.
struct LuaNames: Sendable {
    /// A place in the text, both numbers from 1.
    struct Place: Sendable, Hashable {
        let line: Int
        let column: Int
    }

    /// A name that is no local variable where it stands.
    struct Global: Sendable {
        let name: String
        let place: Place
        let isAssigned: Bool
        let isInFunction: Bool
        /// The locals in scope, the innermost first, for a suggestion.
        let visible: [String]
    }

    /// A key that a table constructor has already.
    struct Duplicate: Sendable {
        let key: String
        let place: Place
        let first: Place
    }

    /// A field or a method of a parameter of `handle`.
    struct Member: Sendable {
        /// Which parameter, from 0.
        let parameter: Int
        let name: String
        let place: Place
    }

    /// Names that are no locals, in the order of the text; the first of them.
    var globals: [Global] = []
    /// The globals that the text assigns outside of functions.
    var assigned: Set<String> = []
    /// The same with the place of the first assignment of each, in the order of the text; the first of them.
    var settings: [(name: String, place: Place)] = []
    /// The globals that the text reads.
    var read: Set<String> = []
    /// Keys that are there twice; the first of them.
    var duplicates: [Duplicate] = []
    /// What `handle` functions ask of parameters that they neither change nor pass on.
    var members: [Member] = []

    /// How many of each kind are remembered: no file tells more.
    static let most = 2 * FindingList.maximumOfAFile

    /// Reads a text.
    init(of source: [UInt8], knowing globals: Set<String>, budget: WorkBudget) throws(WorkBudget.Exceeded) {
        let reader = LuaNameReader(source, knowing: globals, budget: budget)
        try reader.read()
        self = reader.names
        // Under an environment of its own, what a global is depends on how it runs.
        if reader.hasOwnEnvironment {
            self.globals = []
            settings = []
        }
    }

    /// Nothing.
    init() {}
}
