/// Reads tokens into nodes by Lua's grammar ([manual §9](https://www.lua.org/manual/5.4/manual.html#9)).
///
/// Each bracket and block is read within the region that ``LuaBrackets`` found for it. Whatever a region contains, what
/// follows it is read as if nothing had happened.
///
/// A class, because an unoptimized build would copy a struct of this size into the frame of each of its methods.
final class LuaParser {
    /// The maximum number of regions in each other. Lua accepts fewer; deeper ones are read as one node of errors, so
    /// that no text exhausts a stack of 512 KB.
    static let maximumDepth = 200
    /// The maximum number of errors to remember, and again of unclosed regions, which are noticed last.
    static let maximumErrors = 256

    /// Where a node begins: the number of finished nodes, and the next token.
    typealias Mark = (node: Int, token: Int)
    /// What ``enter(isTable:)`` changes.
    typealias Outer = (opener: Int, end: Int, isInTable: Bool)

    let tokens: [LuaTree.Token]
    let partners: [Int32]
    private let bytes: [UInt8]
    /// In postorder: a node is finished after those in it, so that one can be put around others without looking ahead.
    private(set) var nodes: [LuaTree.Node] = []
    private(set) var errors: [LuaSyntaxError] = []
    /// The token of the last error that is not an unclosed region.
    private var lastFailure = -1
    /// The index of the next token.
    var next = 0
    /// The token at which the region ends.
    private var end: Int
    private var depth = 0
    private(set) var isInTable = false
    /// The number of loops around the statement, in its function.
    var loops = 0
    /// Whether the function has `...`.
    var takesVarargs = true

    init(_ tokens: [LuaTree.Token], _ partners: [Int32], _ bytes: [UInt8]) {
        (self.tokens, self.partners, self.bytes) = (tokens, partners, bytes)
        end = tokens.count - 1
        nodes.reserveCapacity(tokens.count)
    }

    // MARK: Tokens

    /// The kind of the next token; ``LuaTokenKind/endOfFile`` at the end of the region.
    var kind: LuaTokenKind { kind(at: next) }
    var isAtEnd: Bool { next >= end }

    func kind(at index: Int) -> LuaTokenKind { index < end ? tokens[index].kind : .endOfFile }

    func take(_ kind: LuaTokenKind) -> Bool {
        guard self.kind == kind else { return false }
        next += 1
        return true
    }

    func expect(_ kind: LuaTokenKind) {
        if !take(kind) { fail(.missing(kind)) }
    }

    func takeSeparator() -> Bool { take(.comma) || take(.semicolon) }

    /// Whether there is nothing between a token and the one after it.
    func touchesNext(_ index: Int) -> Bool {
        index + 1 < tokens.count && tokens[index].upperBound == tokens[index + 1].lowerBound
    }

    func has(_ text: StaticString, at token: Int) -> Bool {
        let bytes = bytes[tokens[token].range]
        return text.withUTF8Buffer { bytes.elementsEqual($0) }
    }

    /// Whether an invalid token is a string without its end.
    func isUnfinishedString(at token: Int) -> Bool {
        guard tokens[token].kind == .invalid, let first = bytes[tokens[token].range].first else { return false }
        return first == UInt8(ascii: "\"") || first == UInt8(ascii: "'")
    }

    // MARK: Nodes and errors

    func begin() -> Mark { (nodes.count, next) }

    /// Puts a node around the nodes and tokens since a mark.
    func finish(_ kind: LuaNodeKind, _ mark: Mark) {
        nodes.append(LuaTree.Node(kind, tokens: mark.token..<next, size: nodes.count - mark.node + 1))
    }

    /// Records an error at a token, by default the next one. If it already has an error, that is the cause of others.
    func fail(_ kind: LuaSyntaxError.Kind, at token: Int? = nil) {
        let token = token ?? next
        guard token != lastFailure, errors.count < Self.maximumErrors else { return }
        lastFailure = token
        errors.append(LuaSyntaxError(kind: kind, token: token))
    }

    /// Puts tokens into a node of errors, up to the end of the region or a token at which reading can go on.
    func skip(until stops: () -> Bool = { false }) {
        let mark = begin()
        while !isAtEnd, !stops() { next += 1 }
        if next > mark.token { finish(.error, mark) }
    }

    // MARK: Regions

    /// Enters the region that the next token opens. It has no closure for its content, which would need twice the stack
    /// in an unoptimized build.
    func enter(isTable: Bool = false) -> Outer {
        let outer = (next, end, isInTable)
        end = min(max(Int(partners[next]), next + 1), end)
        next += 1
        isInTable = isTable
        depth += 1
        if depth > Self.maximumDepth, !isAtEnd {
            fail(.tooDeep)
            skip()
        }
        return outer
    }

    /// Leaves a region, with what is left in it and its closer.
    func leave(_ outer: Outer) {
        let isClosed = end < outer.end && partners[end] == Int32(outer.opener)
        if !isAtEnd, isClosed { fail(kind.isCloser ? .surplus : .unexpectedToken) }
        skip()
        depth -= 1
        (end, isInTable) = (outer.end, outer.isInTable)
        if isClosed {
            next += 1
        } else if errors.count < 2 * Self.maximumErrors {
            errors.append(LuaSyntaxError(kind: .unclosed(until: next), token: outer.opener))
        }
    }

    /// Whether `[…] =` comes next.
    var isAtKeyInBrackets: Bool { partners[next] > 0 && kind(at: Int(partners[next]) + 1) == .assign }
}
