import GlassBase
import LuaBridge

/// Reads the names in a Lua text by Lua's scoping rules ([manual
/// §3.5](https://www.lua.org/manual/5.4/manual.html#3.5)).
///
/// A flat loop over a stack of open constructs, so that no text can exhaust the stack of the thread. Every turn
/// consumes a token or closes a construct. It is a class because an unoptimized build copies a struct of this size for
/// each call on it.
final class LuaNameReader {
    typealias Place = LuaNames.Place

    /// A construct that is open at a token.
    enum Frame {
        case block(Block)
        /// The expressions of a statement.
        case expressions(Purpose)
        case parenthesis
        case arguments
        /// `[…]` after a value.
        case index
        /// `[…] =` in a table.
        case key
        case table(Table)
    }

    struct Block {
        /// The number of locals before the block.
        let locals: Int
        let isFunction: Bool
        /// Whether the function is the value of an expression.
        var isValue = false
        /// The index of the function whose body this is, if a local may hold that function.
        var function: Int?
    }

    /// A function that a local holds, which may be used as `handle` by its name.
    struct LocalFunction {
        /// Its parameters, as indices in ``parameters``.
        var parameters: Range<Int> = 0..<0
        /// Whether it is used as `handle`.
        var isHandle = false
        /// Whether its local is also used in another way, so that its parameters may be anything.
        var isUsedOtherwise = false
    }

    /// The purpose of the expressions of a statement.
    enum Purpose {
        case plain
        /// The values of locals, which are in scope after them.
        case local([String])
        /// The expressions of a `for` loop.
        case loop([String])
        /// The condition of a `repeat` loop, which ends after it.
        case until
        /// A call, or the targets of an assignment.
        case targets
    }

    struct Table {
        var keys: [String: Place] = [:]
        /// Whether it is the argument of a call.
        let isArgument: Bool
    }

    /// The construct that is expected next.
    enum Mode {
        case statement
        case operand
        /// A continuation of a value; only a variable, a call or an expression in parentheses can be called or indexed.
        case suffix(isPrefix: Bool)
    }

    /// A parameter of `handle`.
    struct Parameter {
        let index: Int
        var members: [LuaNames.Member] = []
        /// Whether it is changed, passed on or used in any way other than by a field or method that is written out.
        var isBareName = false
    }

    private var tokenizer: LuaTokenizer
    private(set) var token: LuaToken
    private(set) var following: LuaToken
    private let budget: WorkBudget
    private let known: Set<String>
    private var unspentTokens = 0
    private static let tokensPerCharge = 64

    var names = LuaNames()
    /// Whether the text sets its own global environment (`_ENV`).
    var hasOwnEnvironment = false
    var frames: [Frame] = []
    var mode = Mode.statement
    /// The key whose value is read next, to detect `handle = function`.
    var key: String?
    /// The variables in scope, in order, each with its `handle` parameter and function, if any.
    private(set) var locals: [(name: String, parameter: Int?, function: Int?)] = []
    /// The indices in ``locals`` of each name, innermost last.
    private var indices: [String: [Int]] = [:]
    private var functionDepth = 0
    private(set) var parameters: [Parameter] = []
    private(set) var functions: [LocalFunction] = []
    /// The offset of the value of a statement that declares a single local, to detect a function there.
    var valueStart: Int?
    /// The function that was closed last, and the start of the token after it.
    private var closed: (function: Int, next: Int)?
    /// The number of parameters of functions that are written at `handle`, and of functions that locals hold.
    private var parameterCounts = (ofHandle: 0, ofLocals: 0)
    /// The parameter that was just read, for a field or method after it.
    var parameter: Int?

    init(_ source: [UInt8], knowing known: Set<String>, budget: WorkBudget) {
        self.known = known
        self.budget = budget
        tokenizer = LuaTokenizer(source)
        token = tokenizer.next()
        following = tokenizer.next()
    }

    /// Reads the whole text and completes ``names``.
    func read() throws(WorkBudget.Exceeded) {
        while !isAtEnd {
            if unspentTokens >= Self.tokensPerCharge {
                try budget.spend(unspentTokens, on: .positions)
                unspentTokens = 0
            }
            switch mode {
            case .statement: readStatement()
            case .operand: readOperand()
            case .suffix(let isPrefix): readSuffix(isPrefix: isPrefix)
            }
        }
        for function in functions where !function.isHandle || function.isUsedOtherwise {
            for parameter in function.parameters { parameters[parameter].isBareName = true }
        }
        for parameter in parameters where !parameter.isBareName { names.members += parameter.members }
        names.members = Array(names.members.prefix(LuaNames.most))
    }

    // MARK: Tokens

    var isAtEnd: Bool { token.kind == .endOfFile }

    var place: Place { Place(line: token.line, column: token.column) }

    func advance() {
        unspentTokens += 1
        token = following
        if following.kind != .endOfFile { following = tokenizer.next() }
    }

    func isAt(_ symbol: LuaToken.Symbol) -> Bool { token.kind == .symbol(symbol) }

    func isAt(_ keyword: LuaToken.Keyword) -> Bool { token.kind == .keyword(keyword) }

    @discardableResult
    func take(_ symbol: LuaToken.Symbol) -> Bool {
        guard isAt(symbol) else { return false }
        advance()
        return true
    }

    func takeName() -> String? {
        guard case .name(let name) = token.kind else { return nil }
        advance()
        return name
    }

    // MARK: Scopes

    func declare(_ name: String, parameter: Int? = nil, function: Int? = nil) {
        if name == "_ENV" { hasOwnEnvironment = true }
        indices[name, default: []].append(locals.count)
        locals.append((name, parameter, function))
    }

    /// Adds a function that a local holds; returns nil if there are too many.
    func addFunction() -> Int? {
        guard functions.count < LuaNames.most else { return nil }
        functions.append(LocalFunction())
        return functions.count - 1
    }

    /// The function that ends right before the token, to be assigned to the local that holds it.
    var functionBehind: Int? { closed?.next == token.range.lowerBound ? closed?.function : nil }

    func open(_ block: Block) {
        if block.isFunction { functionDepth += 1 }
        frames.append(.block(block))
    }

    /// Closes the innermost block and everything that is open in it.
    @discardableResult
    func closeBlock() -> Block? {
        while let frame = frames.popLast() {
            guard case .block(let block) = frame else { continue }
            if block.isFunction { functionDepth -= 1 }
            closed = block.function.map { ($0, token.range.lowerBound) }
            while locals.count > block.locals, let last = locals.popLast() { _ = indices[last.name]?.popLast() }
            return block
        }
        return nil
    }

    func openBlock() { open(Block(locals: locals.count, isFunction: false)) }

    /// Reads the parameters of a function and opens its body.
    func openFunction(isValue: Bool, isMethod: Bool = false, function: Int? = nil) {
        let isHandle = key == "handle"
        key = nil
        open(Block(locals: locals.count, isFunction: true, isValue: isValue, function: function))
        let first = parameters.count
        if isMethod { declare("self") }
        mode = .statement
        guard take(.leftParenthesis) else { return }
        var count = 0
        while let name = takeName() {
            if isHandle, parameterCounts.ofHandle < LuaNames.most {
                parameterCounts.ofHandle += 1
                declare(name, parameter: parameters.count)
                parameters.append(Parameter(index: count))
            } else if !isHandle, function != nil, parameterCounts.ofLocals < LuaNames.most {
                parameterCounts.ofLocals += 1
                declare(name, parameter: parameters.count)
                parameters.append(Parameter(index: count))
            } else {
                declare(name)
            }
            count += 1
            guard take(.comma) else { break }
        }
        take(.ellipsis)
        take(.rightParenthesis)
        if let function { functions[function].parameters = first..<parameters.count }
    }

    /// Records a name that is read or assigned.
    func note(_ name: String, at place: Place, isAssigned: Bool) {
        if name == "_ENV" { hasOwnEnvironment = true }
        parameter = nil
        if let index = indices[name]?.last {
            if let function = locals[index].function { noteUse(of: function, isAssigned: isAssigned) }
            guard let found = locals[index].parameter else { return }
            if !isAssigned, isAt(.dot) || isAt(.colon) {
                parameter = found
            } else {
                parameters[found].isBareName = true
            }
            return
        }
        let isInFunction = functionDepth > 0
        if !isAssigned { names.read.insert(name) }
        if isAssigned, !isInFunction, names.assigned.insert(name).inserted, names.settings.count < LuaNames.most {
            names.settings.append((name, place))
        }
        guard isAssigned ? isInFunction : !known.contains(name), names.globals.count < LuaNames.most else { return }
        names.globals.append(
            LuaNames.Global(
                name: name, place: place, isAssigned: isAssigned, isInFunction: isInFunction,
                visible: locals.reversed().map(\.name)))
        unspentTokens += locals.count
    }

    /// Records how a function that a local holds is used.
    private func noteUse(of function: Int, isAssigned: Bool) {
        if !isAssigned, key == "handle", isAt(.comma) || isAt(.semicolon) || isAt(.rightBrace) {
            functions[function].isHandle = true
        } else {
            functions[function].isUsedOtherwise = true
        }
    }

    /// Records a field or method of the parameter that was just read.
    func noteMember() {
        guard let parameter else { return }
        self.parameter = nil
        guard case .name(let name) = following.kind else { return }
        parameters[parameter].members.append(
            LuaNames.Member(
                parameter: parameters[parameter].index, name: name,
                place: Place(line: following.line, column: following.column)))
        if parameters[parameter].members.count > LuaNames.most { parameters[parameter].members.removeLast() }
    }

    /// Allows any field on a parameter, because one of its fields is assigned.
    func markUnrestricted(_ parameter: Int) { parameters[parameter].isBareName = true }
}
