import CLua

/// The system's Lua, which decides what is valid.
final class SystemParser {
    private let state: OpaquePointer

    init() {
        guard let state = luaL_newstate() else { fatalError("Lua has no memory for a state") }
        self.state = state
    }

    deinit { lua_close(state) }

    /// The message with which Lua rejects a text; nil if it accepts the text.
    func rejection(of text: [UInt8]) -> String? {
        var start = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        // Lua skips the first line only when it reads a file.
        if start < text.count, text[start] == UInt8(ascii: "#") {
            start = text[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
        }
        lua_settop(state, 0)
        let status = text[start...].withUnsafeBytes {
            luaL_loadbufferx(state, $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count, "=text", "t")
        }
        return status == LUA_OK ? nil : String(cString: lua_tolstring(state, -1, nil))
    }

    /// Whether a message is about a rule that the tree leaves to Lua: scopes and limits.
    static func isBeyondGrammar(_ message: String) -> Bool {
        [
            "no visible label", "already defined", "attempt to assign to const", "jumps into the scope", "overflow",
            "too many", "limit", "levels",
        ].contains { message.contains($0) }
    }
}
