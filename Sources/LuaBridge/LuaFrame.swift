/// A function call in a traceback, which lists the innermost call first.
public struct LuaFrame: Sendable, Equatable {
    /// The kinds of functions.
    public enum Kind: Sendable, Equatable {
        /// A function written in Lua.
        case lua
        /// A host or library function.
        case native
        /// The chunk itself.
        case main
        /// A Lua function that replaced its caller through a tail call.
        case tailCall
    }

    /// The chunk's name; empty for native functions.
    public var chunk: String
    /// The current line; nil for native functions.
    public var line: Int?
    /// The function's name as its caller wrote it, if there is one.
    public var function: String?
    /// The kind of function.
    public var kind: Kind

    /// Creates a frame.
    package init(chunk: String, line: Int?, function: String?, kind: Kind) {
        self.chunk = chunk
        self.line = line
        self.function = function
        self.kind = kind
    }
}

extension LuaFrame: CustomStringConvertible {
    /// The frame as a line of a traceback: `markets/ca.lua:41: in function 'handle'`.
    public var description: String {
        let place = line.map { "\(chunk):\($0)" } ?? "[native]"
        switch kind {
        case .main: return "\(place): in main chunk"
        case .lua, .native, .tailCall:
            let name = function.map { "function '\($0)'" } ?? "a function"
            return kind == .tailCall ? "\(place): in \(name) (after a tail call)" : "\(place): in \(name)"
        }
    }
}
