import CLuaShims

/// A release of Lua 5.4 and its known errors.
///
/// ```swift
/// print(LuaRelease.current)  // Lua 5.4.4: 10 known errors, 7 of them guarded
/// ```
public struct LuaRelease: Sendable, Equatable, Comparable {
    /// The last part of the version: 4 in 5.4.4.
    public let patch: Int

    /// The release of the library that is loaded. A distribution may have fixed some errors without changing it.
    public static var current: LuaRelease { LuaRelease(patch: Int(glua_lua_release()) % 100) }

    /// An error in Lua that a program could reach.
    public struct KnownBug: Sendable, Equatable {
        /// The effect of the error.
        public let summary: String
        /// The first release without the error.
        public let fixedIn: LuaRelease
        /// The guard against the error; nil if there is none. For each guard, a test runs a program that would reach
        /// the error.
        public let guardedBy: String?
    }

    /// The errors of this release, as listed by the Lua project.
    public var knownBugs: [KnownBug] { Self.bugs.filter { self < $0.fixedIn } }

    /// Returns whether a release is older than another.
    ///
    /// - Parameters:
    ///   - left: A release.
    ///   - right: Another release.
    /// - Returns: True if the first is older.
    public static func < (left: LuaRelease, right: LuaRelease) -> Bool { left.patch < right.patch }

    private static let bugs = [
        KnownBug(
            summary: "a __concat that grows the stack breaks it (use after free)", fixedIn: LuaRelease(patch: 5),
            guardedBy: "a metatable never has __concat"),
        KnownBug(
            summary: "coroutines that close each other overflow the C stack", fixedIn: LuaRelease(patch: 5),
            guardedBy: "coroutine.close nests at most 16 deep"),
        KnownBug(
            summary: "corrupt bytecode crashes the interpreter", fixedIn: LuaRelease(patch: 5),
            guardedBy: "chunks are text, never bytecode"),
        KnownBug(
            summary: "break out of a generic for closes its value too late", fixedIn: LuaRelease(patch: 5),
            guardedBy: nil),
        KnownBug(
            summary: "bitwise operators with constant operands give wrong values after 256 constants",
            fixedIn: LuaRelease(patch: 5), guardedBy: nil),
        KnownBug(
            summary: "naming the operand of a failed operation recurses over a.b.b.b...", fixedIn: LuaRelease(patch: 7),
            guardedBy: "chunks with more than 1,000 names in one expression are rejected"),
        KnownBug(
            summary: "tracebacks use more stack than they reserve", fixedIn: LuaRelease(patch: 7),
            guardedBy: "the library creates its own tracebacks"),
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
    /// The number of known errors, in one line.
    public var description: String {
        let bugs = knownBugs
        guard !bugs.isEmpty else { return "Lua 5.4.\(patch): no known errors" }
        return
            "Lua 5.4.\(patch): \(bugs.count) known errors, \(bugs.filter { $0.guardedBy != nil }.count) of them guarded"
    }
}
