import CLuaShims

/// A release of Lua 5.4 and what is known to be wrong with it.
///
/// ```swift
/// print(LuaRelease.current)  // Lua 5.4.4: 10 known errors, 7 of them guarded
/// ```
public struct LuaRelease: Sendable, Equatable, Comparable {
    /// The last part of the version: 4 in 5.4.4.
    public let patch: Int

    /// Creates a release.
    package init(patch: Int) {
        self.patch = patch
    }

    /// The release of the library that is loaded. A distribution may have repaired some errors without changing it.
    public static var current: LuaRelease { LuaRelease(patch: Int(glua_lua_release()) % 100) }

    /// An error of Lua that a program could reach.
    public struct KnownBug: Sendable, Equatable {
        /// What goes wrong.
        public let summary: String
        /// The first release without it.
        public let fixedIn: LuaRelease
        /// What keeps programs from it; nil if nothing does. A test runs a program that reaches each guard.
        public let guardedBy: String?
    }

    /// The errors that this release has, as upstream lists them.
    public var knownBugs: [KnownBug] { Self.bugs.filter { self < $0.fixedIn } }

    /// Returns whether a release came before another.
    ///
    /// - Parameters:
    ///   - left: A release.
    ///   - right: Another release.
    /// - Returns: True when the first is older.
    public static func < (left: LuaRelease, right: LuaRelease) -> Bool { left.patch < right.patch }

    private static let bugs = [
        KnownBug(
            summary: "a __concat that grows the stack breaks it (use after free)", fixedIn: LuaRelease(patch: 5),
            guardedBy: "a metatable never has __concat"),
        KnownBug(
            summary: "coroutines that close each other overflow the C stack", fixedIn: LuaRelease(patch: 5),
            guardedBy: "coroutine.close nests at most 16 deep"),
        KnownBug(
            summary: "damaged bytecode crashes the interpreter", fixedIn: LuaRelease(patch: 5),
            guardedBy: "chunks are text, never bytecode"),
        KnownBug(
            summary: "break out of a generic for closes its value too late", fixedIn: LuaRelease(patch: 5),
            guardedBy: nil),
        KnownBug(
            summary: "bitwise operators with constant operands give wrong values after 256 constants",
            fixedIn: LuaRelease(patch: 5), guardedBy: nil),
        KnownBug(
            summary: "naming the operand of a failed operation recurses over a.b.b.b...", fixedIn: LuaRelease(patch: 7),
            guardedBy: "chunks with more than 1,000 names in one expression are refused"),
        KnownBug(
            summary: "tracebacks use more stack than they reserve", fixedIn: LuaRelease(patch: 7),
            guardedBy: "tracebacks are the library's own"),
        KnownBug(
            summary: "weak tables are used after they were freed when memory is short", fixedIn: LuaRelease(patch: 8),
            guardedBy: "a metatable never has __mode"),
        KnownBug(
            summary: "an error while a coroutine is closed can lose its message handler", fixedIn: LuaRelease(patch: 8),
            guardedBy: nil),
        KnownBug(
            summary: "table constructors overflow a counter", fixedIn: LuaRelease(patch: 8),
            guardedBy: "the size of a chunk is limited"),
    ]
}

extension LuaRelease: CustomStringConvertible {
    /// The verdict in one line.
    public var description: String {
        let bugs = knownBugs
        guard !bugs.isEmpty else { return "Lua 5.4.\(patch): no known errors" }
        return
            "Lua 5.4.\(patch): \(bugs.count) known errors, \(bugs.filter { $0.guardedBy != nil }.count) of them guarded"
    }
}
