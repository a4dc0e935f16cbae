import GlassBase
import LuaBridge

/// Parses just enough Lua to find out which table constructor ends up under which key of the returned table.
///
/// Statements are parsed in a flat loop over a stack of open blocks, and expressions nest up to ``maximumDepth``,
/// including those in the bodies of functions within them. So no source can exhaust the stack. Every loop consumes a
/// token in each iteration or ends. It is a class because an unoptimized build copies a struct of this size into the
/// frame of each call on it.
final class LuaSourceMapParser {
    typealias Position = LuaSourceMap.Position
    typealias PathElement = LuaSourceMap.PathElement
    typealias Entry = LuaSourceMap.Entry
    typealias Table = LuaSourceMap.Table

    /// The maximum nesting of brackets. Deeper ones are skipped; Lua itself rejects more than 200 levels.
    static let maximumDepth = 200
    /// The maximum length of a path in an included file. It also limits the time for chained locals.
    static let maximumIncludePath = 64

    /// A block that is open at the current statement.
    struct Block {
        /// The number of shadowed variables to keep when the block ends.
        var shadowedCount: Int
        /// Whether its statements may not run at all, or more than once.
        var isConditional: Bool
        /// The table that represents the function whose body this is.
        var function: Int?
    }

    private var tokenizer: LuaTokenizer
    /// The current token, and the one after it.
    private(set) var token: LuaToken
    private(set) var following: LuaToken

    var tables: [Table] = []
    var root = Entry(
        keyPosition: Position(line: 1, column: 1), valuePosition: Position(line: 1, column: 1), isExact: false)
    /// Whether `root` is the `return` that ends the file, rather than one inside a block.
    var hasFinalReturn = false
    /// The number of `return` statements so far that may be the one that runs.
    var returnCount = 0
    /// The variables in scope, each with the table that it holds; nil if that is not known.
    var variables: [String: Int?] = [:]
    /// The variables that the locals of the open blocks shadow, in order; nil if there was none.
    var shadowed: [(name: String, variable: Int??)] = []
    var blocks: [Block] = []
    /// The number of the last assignment.
    var order = 0
    /// The depth of the expressions that contain the current function.
    private var outerDepth = 0
    /// The first table created in the current function. Changes to other tables take effect when the function is
    /// called, if ever.
    private var firstOwnTable = 0

    private let budget: WorkBudget
    private var unspentTokens = 0
    /// The number of tokens that are charged at a time.
    private static let tokensPerCharge = 64

    init(_ source: [UInt8], budget: WorkBudget) {
        self.budget = budget
        tokenizer = LuaTokenizer(source)
        token = tokenizer.next()
        following = tokenizer.next()
    }

    // MARK: Tokens

    var position: Position { Position(line: token.line, column: token.column) }
    var isAtEnd: Bool { token.kind == .endOfFile }

    func advance() {
        unspentTokens += 1
        if unspentTokens == Self.tokensPerCharge {
            unspentTokens = 0
            do {
                try budget.spend(Self.tokensPerCharge, on: .positions)
            } catch {
                // The parser sees the end of the file; the next charge throws the exceeded budget.
                following.kind = .endOfFile
                token.kind = .endOfFile
            }
        }
        guard !isAtEnd else { return }
        token = following
        following = following.kind == .endOfFile ? following : tokenizer.next()
    }

    func isAt(_ symbol: LuaToken.Symbol) -> Bool {
        token.kind == .symbol(symbol)
    }

    func isAt(_ keyword: LuaToken.Keyword) -> Bool {
        token.kind == .keyword(keyword)
    }

    /// Skips `symbol` if it is next.
    @discardableResult
    func take(_ symbol: LuaToken.Symbol) -> Bool {
        guard isAt(symbol) else { return false }
        advance()
        return true
    }

    /// Skips `keyword` if it is next.
    @discardableResult
    func take(_ keyword: LuaToken.Keyword) -> Bool {
        guard isAt(keyword) else { return false }
        advance()
        return true
    }

    /// Skips a name if one is next, and returns it.
    func takeName() -> String? {
        guard case .name(let name) = token.kind else { return nil }
        advance()
        return name
    }

    // MARK: Skipping

    /// Skips the bracket that is next, and everything up to the one that closes it.
    ///
    /// - Parameter open: The number of brackets that are already open; if there are any, the next token need not be a
    ///   bracket.
    func skipBrackets(open: Int = 0) {
        var depth = open
        repeat {
            switch token.kind {
            case .symbol(.leftBrace), .symbol(.leftBracket), .symbol(.leftParenthesis): depth += 1
            case .symbol(.rightBrace), .symbol(.rightBracket), .symbol(.rightParenthesis): depth -= 1
            default: break
            }
            advance()
        } while depth > 0 && !isAtEnd
    }

    /// Parses the parameters and the body of a function, up to its `end`. Returns a table whose ``PathElement/result``
    /// is the function's result; nil if the function is nested too deeply.
    func parseFunctionBody(depth: Int) -> Int? {
        // A body takes as much stack as a few expressions.
        guard isWithin(depth + Self.depthOfAFunction) else {
            skipFunctionBody()
            return nil
        }
        let function = makeTable()
        let outer = (outerDepth, firstOwnTable, variables)
        outerDepth += depth + Self.depthOfAFunction
        firstOwnTable = function
        defer { (outerDepth, firstOwnTable, variables) = outer }
        // It is unknown when the function runs, so its statements may not run at all, or more than once.
        blocks.append(Block(shadowedCount: shadowed.count, isConditional: true, function: function))
        let open = blocks.count
        if take(.leftParenthesis) {
            while let name = takeName() {
                declare(name, holding: nil)
                guard take(.comma) else { break }
            }
            take(.ellipsis)
            take(.rightParenthesis)
        }
        while !isAtEnd, blocks.count >= open { parseStatement() }
        while blocks.count >= open { closeBlock() }
        return function
    }

    private static let depthOfAFunction = 8

    /// Whether an expression may nest to this depth.
    func isWithin(_ depth: Int) -> Bool { outerDepth + depth < Self.maximumDepth }

    /// Whether the current function created a table, or no function is being parsed.
    func isOwn(_ table: Int) -> Bool { table >= firstOwnTable }

    /// Skips the parameters and the body of a function, up to its `end`.
    private func skipFunctionBody() {
        var depth = 1
        while depth > 0, !isAtEnd {
            // `while` and `for` are counted by their `do`.
            switch token.kind {
            case .keyword(.function), .keyword(.if), .keyword(.do), .keyword(.repeat): depth += 1
            case .keyword(.end), .keyword(.until): depth -= 1
            default: break
            }
            advance()
        }
    }

    // MARK: Variables and blocks

    var isConditional: Bool { blocks.last?.isConditional ?? false }

    func openBlock(isConditional conditional: Bool) {
        blocks.append(Block(shadowedCount: shadowed.count, isConditional: conditional || isConditional))
    }

    func closeBlock() {
        guard let block = blocks.popLast() else { return }
        while shadowed.count > block.shadowedCount, let hidden = shadowed.popLast() {
            variables[hidden.name] = hidden.variable
        }
    }

    /// Declares a local variable in the innermost block.
    func declare(_ name: String, holding table: Int?) {
        shadowed.append((name, variables[name]))
        variables.updateValue(table, forKey: name)
    }
}
