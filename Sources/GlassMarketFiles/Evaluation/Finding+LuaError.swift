import GlassBase
import GlassMarkets
import GlassSchema
import LuaBridge

extension Finding {
    /// Creates the finding for an error that ended a market file.
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
            message = message.replacing("in the config profile", with: "in market files")
            let advice =
                Advice(forForeign: name)
                ?? Advice.nearest(to: name, in: visible + Self.suggestedNames + Self.luaWords)
                ?? Advice(Self.listOfMarketNames)
            (hint, correction) = (advice.hint, advice.correction)
        case .instructionLimit:
            code = .limit
            hint = "a market and its base markets may run at most \(limits.instructions) Lua instructions"
        case .timeLimit:
            code = .limit
            hint = "a market and its base markets may run for at most \(limits.cpuTime.milliseconds) ms"
        case .memoryLimit:
            code = .limit
            hint = "a market and its base markets may use at most \(limits.memory / 1_048_576) MB"
        case .outputLimit: code = .limit
        case .sourceTooLarge:
            code = .tooLarge
            message = "the file is larger than \(limits.sourceSize / 1024) KB"
            hint = "move long lists to separate files and include them"
        case .tooManyNames:
            code = .tooLarge
            hint = "split the expression: move a part of it to a local variable or a function"
        case .conversion, .notUTF8, .cycle, .tooDeep, .tooLarge: code = .unrepresentable
        default: code = .runtime
        }
        var path = ConfigurationPath()
        if let keyPath = error.keyPath {
            path = ConfigurationPath(parsing: keyPath) ?? path
            // LuaBridge names the value that it was reading, which is always the result of the file.
            if message.hasPrefix("result: ") { message.removeFirst("result: ".count) }
            if case .cycle = error { hint = "a table cannot contain itself: copy the inner table or remove it" }
        }
        self.init(code, at: position, path: path, message, advice: Advice(hint, correction))
        mayMaskOthers = true
        // A single call only repeats the position, and native calls have no position.
        let calls = error.traceback.filter { $0.kind != .native }
        if code == .runtime || code == .denied, calls.count > 1 {
            traceback = calls.map(\.description)
            if error.detail.skippedFrames > 0 { traceback.append("and \(error.detail.skippedFrames) more calls") }
        }
    }

    /// The hint for an unknown name that resembles none of the available names.
    static var listOfMarketNames: String {
        "a market file can use \(marketNames.joined(separator: ", ")), and the names that it declares"
    }

    /// The directives and functions of market files.
    static let marketWords = [
        "accept", "all", "any", "append", "include", "market", "missing", "no", "perLocale", "prepend", "present",
        "remove", "secret", "undecided", "unset", "vary",
    ]

    /// The Lua keywords that a misspelled name may be meant for.
    static let luaWords = ["false", "function", "local", "nil", "return", "true"]

    /// The globals of a market file, for suggestions: its own functions and directives, and Lua's libraries.
    static let marketNames =
        marketWords + [
            "ipairs", "math", "pairs", "string", "table", "tonumber",
            "tostring", "utf8",
        ]
}

extension Finding {
    /// The names that an unknown one may be meant for. Not `no`, which is near every short name, such as `io`.
    static let suggestedNames = marketNames.filter { $0 != "no" }
}

extension Advice {
    /// Suggests the Lua equivalent of another language's literal; nil for other names.
    init?(forForeign name: String) {
        switch name {
        case "null", "none", "None", "undefined", "NULL", "Nil", "NIL":
            self.init("write nil, or unset to remove the inherited key", .word(name, meant: "nil"))
        case "True", "TRUE", "yes", "on": self.init("write true", .word(name, meant: "true"))
        case "False", "FALSE", "off": self.init("write false", .word(name, meant: "false"))
        case "os": self.init("for an environment variable, write secret \"NAME\"; for a date, test date in a condition")
        default: return nil
        }
    }
}

extension Duration {
    /// The number of whole milliseconds.
    var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
