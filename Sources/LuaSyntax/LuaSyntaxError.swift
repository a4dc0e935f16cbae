/// A mistake in a text, with the token that it is about.
package struct LuaSyntaxError: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        // Something is missing before the token.
        case missing(LuaTokenKind)
        case missingValue
        /// The comma between two fields.
        case missingSeparator
        /// `return` before the table that begins the file.
        case missingReturn
        /// The brace between `return` and a key.
        case missingBrace

        /// The bracket or block that the token opens is not closed before another token.
        case unclosed(until: Int)
        /// The token closes nothing.
        case surplus

        // The token stands for another one, often because another language has it.
        case colonForAssign, arrowForAssign, assignForEqual
        case keyInQuotes, keyIsNumber, keyIsKeyword
        /// The expression that begins at the token is a key, which needs brackets.
        case keyNeedsBrackets
        /// The bracket opens a list, which needs braces.
        case listInBrackets
        case foreignComment, foreignOperator

        // Lua's own rules.
        case invalidToken, unexpectedToken
        /// The expression that begins at the token is not a call, so it is not a statement.
        case notStatement
        /// The expression that ends with the token cannot be assigned to.
        case notAssignable
        case statementAfterReturn, breakOutsideLoop, varargsOutsideFunction, unknownAttribute
        case tooDeep
    }

    package let kind: Kind
    /// The index of the token.
    package let token: Int

    /// The token at which the mistake shows when one reads from the start: for an unclosed bracket, where its region
    /// ends. Lua reports the first mistake in this order.
    package var noticed: Int { if case .unclosed(let end) = kind { end } else { token } }
}
