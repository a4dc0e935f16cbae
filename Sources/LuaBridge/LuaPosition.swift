/// A position in Lua source.
public struct LuaPosition: Sendable, Equatable, Hashable {
    /// The chunk's name.
    public var chunk: String
    /// The line, from 1.
    public var line: Int
    /// The column, from 1, in Unicode scalars; nil if only the line is known.
    public var column: Int?
    /// Whether this is only the last line that was seen before the failure.
    public var isApproximate: Bool

    /// Creates a position.
    package init(chunk: String, line: Int, column: Int? = nil, isApproximate: Bool = false) {
        self.chunk = chunk
        self.line = line
        self.column = column
        self.isApproximate = isApproximate
    }
}

extension LuaPosition: CustomStringConvertible {
    /// The position as editors read it: `markets/ca.lua:41:7`.
    public var description: String {
        guard let column else { return "\(chunk):\(line)" }
        return "\(chunk):\(line):\(column)"
    }
}
