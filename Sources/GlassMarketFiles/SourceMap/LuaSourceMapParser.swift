import GlassBase
import LuaBridge

/// Reads just enough Lua to know which table constructor ends up under which key of the returned table.
///
/// Statements are read in a flat loop over a stack of open blocks, and expressions nest up to ``maximumDepth``, with those
/// that the bodies of functions in them have; so no source can exhaust the stack. Every loop consumes a token per turn or ends.
/// A class, because an unoptimised build copies a struct of this size into the frame for each call on it.
final class LuaSourceMapParser {
    typealias Position = LuaSourceMap.Position
    typealias PathElement = LuaSourceMap.PathElement
    typealias Entry = LuaSourceMap.Entry
    typealias Table = LuaSourceMap.Table

    /// Brackets nested deeper are skipped; Lua itself refuses more than 200 levels.
    static let maximumDepth = 200
    /// A path into an included file is not followed further than this, which also bounds the time of chained locals.
    static let maximumIncludePath = 64

    /// A block that is open at the statement being read.
    struct Block {
        /// How many shadowed variables to keep when the block ends.
        var shadowedCount: Int
        /// Whether its statements may run never, or more than once.
        var isConditional: Bool
        /// The table that stands for the function whose body it is.
        var function: Int?
    }

    private var tokenizer: LuaTokenizer
    /// The token being looked at, and the one after it.
    private(set) var token: LuaToken
    private(set) var following: LuaToken

    var tables: [Table] = []
    var root = Entry(
        keyPosition: Position(line: 1, column: 1), valuePosition: Position(line: 1, column: 1), isExact: false)
    /// Whether `root` is the `return` that ends the file, not one inside a block.
    var hasFinalReturn = false
    /// How many `return`s were read that could be the one that ran.
    var returnCount = 0
    /// The variables in scope; the value is the table that each one holds, nil if that is not known.
    var variables: [String: Int?] = [:]
    /// What the locals of the open blocks hide, in order; nil if nothing.
    var shadowed: [(name: String, variable: Int??)] = []
    var blocks: [Block] = []
    /// The number of the last setting.
    var order = 0
    /// How deep the expressions are that the function being read stands in.
    private var outerDepth = 0
    /// The first table of the function being read: what it does to others happens when it is called, if ever.
    private var firstOwnTable = 0

    private let budget: WorkBudget
    private var unspentTokens = 0
    /// How many tokens are paid for at a time.
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
                // For whoever parses, the source ends here; the next to spend hears of the budget.
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

    /// Steps over `symbol` if it is next.
    @discardableResult
    func take(_ symbol: LuaToken.Symbol) -> Bool {
        guard isAt(symbol) else { return false }
        advance()
        return true
    }

    /// Steps over `keyword` if it is next.
    @discardableResult
    func take(_ keyword: LuaToken.Keyword) -> Bool {
        guard isAt(keyword) else { return false }
        advance()
        return true
    }

    /// Steps over a name if one is next.
    func takeName() -> String? {
        guard case .name(let name) = token.kind else { return nil }
        advance()
        return name
    }

    // MARK: Skipping

    /// Steps over a bracket that is next, and all up to the one that closes it.
    ///
    /// - Parameter open: How many brackets are open already; with any, what is next need not be a bracket.
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

    /// Reads the parameters and the body of a function, up to its `end`: a table whose ``PathElement/result`` is what it
    /// returns; nil for one that is nested too deeply.
    func parseFunctionBody(depth: Int) -> Int? {
        // A body takes the stack of a few expressions.
        guard isWithin(depth + Self.depthOfAFunction) else {
            skipFunctionBody()
            return nil
        }
        let function = makeTable()
        let outer = (outerDepth, firstOwnTable, variables)
        outerDepth += depth + Self.depthOfAFunction
        firstOwnTable = function
        defer { (outerDepth, firstOwnTable, variables) = outer }
        // When the function runs is not known, so its statements may run never, or more than once.
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

    /// Whether an expression may nest that deep.
    func isWithin(_ depth: Int) -> Bool { outerDepth + depth < Self.maximumDepth }

    /// Whether a table is one that the function being read makes, or no function is being read.
    func isOwn(_ table: Int) -> Bool { table >= firstOwnTable }

    /// Steps over the parameters and the body of a function, up to its `end`.
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
