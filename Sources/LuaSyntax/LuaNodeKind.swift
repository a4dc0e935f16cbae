/// The kind of a node of a ``LuaTree``.
package enum LuaNodeKind: UInt8, Sendable {
    // Statements, which are the children of a block. A call is a statement by its chain, a stray token by its error.
    case block, local, localFunction, function, assignment
    case `if`, `while`, `for`, `repeat`, `do`, `return`, `break`, goto, label

    // Parts of statements.
    /// `elseif` or `else` with its block.
    case clause
    /// The parameters of a function; its children are their names.
    case parameters
    /// `<const>` or `<close>` behind a local name.
    case attribute

    // Expressions.
    case literal, name, table, functionValue
    /// Operands and operators in source order, without precedence; its children are the operands.
    case operation
    /// An expression in parentheses.
    case parenthesis
    /// A name or parenthesis, followed by its parts: `member`, `index` or `method`, and for calls `arguments`, a table
    /// or a literal.
    case chain
    case member, index, method, arguments

    /// A table's `key = value`. All other children of a table are its elements.
    case field
    /// Tokens that fit nowhere.
    case error
}
