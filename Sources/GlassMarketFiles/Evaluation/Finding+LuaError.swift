import GlassBase
import GlassMarkets
import GlassSchema
import LuaBridge

extension Finding {
    /// The diagnostic for an error that ended a market file.
    init(
        _ error: LuaError, at place: LuaPosition?, start: SourcePosition, limits: LuaLimits, visible: [String] = []
    ) {
        let position = place.map { SourcePosition(file: $0.chunk, line: $0.line, column: $0.column) } ?? start
        let code: FindingCode
        var message = error.message
        var hint: String?
        var correction: Correction?
        switch error {
        case .syntax: code = .syntax
        case .denied(let name, _):
            code = .denied
            let advice =
                Advice(forForeign: name)
                ?? Advice.nearest(to: name, in: visible + Self.marketNames + Self.luaWords)
                ?? Advice(Self.listOfMarketNames)
            (hint, correction) = (advice.hint, advice.correction)
        case .instructionLimit:
            code = .limit
            hint = "a market and what it extends may run \(limits.instructions) Lua instructions"
        case .timeLimit:
            code = .limit
            hint = "a market and what it extends may run for \(limits.cpuTime.milliseconds) ms"
        case .memoryLimit:
            code = .limit
            hint = "a market and what it extends may use \(limits.memory / 1_048_576) MB"
        case .outputLimit: code = .limit
        case .sourceTooLarge:
            code = .tooLarge
            message = "the file is larger than \(limits.sourceSize / 1024) KB"
            hint = "move long lists to files of their own, and include them"
        case .tooManyNames:
            code = .tooLarge
            hint = "split the expression: give a part of it a local of its own, or a function"
        case .conversion, .notUTF8, .cycle, .tooDeep, .tooLarge: code = .unrepresentable
        default: code = .runtime
        }
        var path = ConfigurationPath()
        if let keyPath = error.keyPath {
            path = ConfigurationPath(parsing: keyPath) ?? path
            // The bridge names what it was reading, which is always the result of the file.
            if message.hasPrefix("result: ") { message.removeFirst("result: ".count) }
            if case .cycle = error { hint = "a market is a tree: write the inner table out, or leave it out" }
        }
        self.init(code, at: position, path: path, message, advice: Advice(hint, correction))
        mayMaskOthers = true
        // A single call is the place itself, and those of the host have none.
        let calls = error.traceback.filter { $0.kind != .native }
        if code == .runtime || code == .denied, calls.count > 1 {
            traceback = calls.map(\.description)
            if error.detail.skippedFrames > 0 { traceback.append("and \(error.detail.skippedFrames) more calls") }
        }
    }

    /// What a market file can name, where nothing that it can name is near.
    static var listOfMarketNames: String {
        "a market file has \(marketNames.joined(separator: ", ")), and what it declares itself"
    }

    /// The words of a market file.
    static let marketWords = ["append", "include", "market", "remove", "secret", "unset"]

    /// Words of Lua that a misspelt name can be meant for.
    static let luaWords = ["false", "function", "local", "nil", "return", "true"]

    /// The globals of a market file, for suggestions: its words and the libraries.
    static let marketNames =
        marketWords + [
            "ipairs", "math", "pairs", "string", "table", "tonumber",
            "tostring", "utf8",
        ]
}

extension Advice {
    /// What Lua calls a value that another language has under a name; nil for other names.
    init?(forForeign name: String) {
        switch name {
        case "null", "none", "None", "undefined", "NULL", "Nil", "NIL":
            self.init("write nil, or unset to drop the key of the extended market", .word(name, meant: "nil"))
        case "True", "TRUE", "yes", "on": self.init("write true", .word(name, meant: "true"))
        case "False", "FALSE", "no", "off": self.init("write false", .word(name, meant: "false"))
        default: return nil
        }
    }
}

extension Duration {
    /// The whole milliseconds.
    var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
