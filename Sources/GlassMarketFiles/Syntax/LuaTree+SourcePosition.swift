package import GlassSchema
package import LuaSyntax

extension LuaTree {
    /// The byte at a position in this text; nil if the position has no column.
    package func byte(at position: SourcePosition) -> Int? {
        position.column.map { lines.byte(at: LuaLines.Position(line: position.line, column: $0)) }
    }

    /// The token that begins at a position, if any.
    package func token(at position: SourcePosition) -> Int? { byte(at: position).flatMap(token(at:)) }

    /// A byte as a position in the file of this text.
    package func position(ofByte byte: Int, in file: String) -> SourcePosition {
        let position = lines.position(of: byte)
        return SourcePosition(file: file, line: position.line, column: position.column)
    }
}
