import GlassSchema
import LuaBridge

extension Finding {
    /// The diagnostic for an error that ended a market file.
    ///
    /// - Parameters:
    ///   - error: What Lua or the bridge reported.
    ///   - file: The file that was running, for an error without a position.
    ///   - limits: The limits that held, for the hint.
    init(_ error: LuaError, file: String, limits: LuaLimits) {
        let position =
            error.position.map { SourcePosition(file: $0.chunk, line: $0.line, column: $0.column) }
            ?? SourcePosition(file: file, line: 1)
        let code: FindingCode
        var hint: String?
        switch error {
        case .syntax: code = .syntax
        case .denied:
            code = .denied
            hint = "market files are plain data: they have no access to the system, the clock or other code"
        case .timeLimit, .instructionLimit:
            code = .limit
            hint = "a market and what it extends may run for \(limits.cpuTime.milliseconds) ms"
        case .memoryLimit:
            code = .limit
            hint = "a market and what it extends may use \(limits.memory / 1_048_576) MB"
        case .outputLimit: code = .limit
        case .sourceTooLarge:
            code = .tooLarge
            hint = "a market file may have \(limits.sourceSize / 1024) KB; move long lists to files and include them"
        case .conversion, .notUTF8, .cycle, .tooDeep, .tooLarge: code = .unrepresentable
        default: code = .runtime
        }
        self.init(code, at: position, error.message, hint: hint)
    }
}

extension Duration {
    /// The whole milliseconds.
    var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
