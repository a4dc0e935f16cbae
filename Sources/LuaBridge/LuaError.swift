/// The details of an error.
public struct LuaErrorDetail: Sendable, Equatable {
    /// The message, without the position.
    public var message: String
    /// The position of the failure, if it is known.
    public var position: LuaPosition?
    /// The call stack, innermost call first.
    public var traceback: [LuaFrame]
    /// The number of calls that the traceback omits before its last eight.
    public var skippedFrames: Int

    /// Creates a detail.
    ///
    /// - Parameters:
    ///   - message: The message, without the position.
    ///   - position: The position of the failure.
    ///   - traceback: The call stack.
    ///   - skippedFrames: The number of calls that the traceback omits.
    public init(message: String, position: LuaPosition? = nil, traceback: [LuaFrame] = [], skippedFrames: Int = 0) {
        self.message = message
        self.position = position
        self.traceback = traceback
        self.skippedFrames = skippedFrames
    }
}

/// The reason why Lua failed.
///
/// ```swift
/// do {
///     _ = try state.perform { try $0.load(source) }
/// } catch let error as LuaError {
///     print(error)  // markets/ca.lua:3:9: unexpected symbol near '='
/// }
/// ```
public enum LuaError: Error, Equatable, Sendable {
    /// The source is not valid Lua.
    case syntax(LuaErrorDetail)
    /// The program raised an error.
    case runtime(LuaErrorDetail)
    /// The CPU time or the wall-clock time is used up.
    case timeLimit(LuaErrorDetail)
    /// The instructions are used up.
    case instructionLimit(LuaErrorDetail)
    /// The memory is used up. The position is approximate and there is no traceback.
    case memoryLimit(LuaErrorDetail)
    /// `print` wrote too much.
    case outputLimit(LuaErrorDetail)
    /// The chunk is too large to be compiled.
    case sourceTooLarge(LuaErrorDetail)
    /// An expression of the chunk has so many names that finding the one to mention in an error could take too long.
    case tooManyNames(LuaErrorDetail)
    /// The program used a name that is undefined, or that is not available in its profile.
    case denied(name: String, LuaErrorDetail)
    /// A value does not fit the Swift type.
    case conversion(keyPath: String, LuaErrorDetail)
    /// A string that should be text is not UTF-8.
    case notUTF8(keyPath: String, LuaErrorDetail)
    /// A table contains itself.
    case cycle(keyPath: String, LuaErrorDetail)
    /// Tables are nested too deeply.
    case tooDeep(keyPath: String, LuaErrorDetail)
    /// There is too much data.
    case tooLarge(keyPath: String, LuaErrorDetail)

    /// The details of the failure.
    public var detail: LuaErrorDetail {
        switch self {
        case .syntax(let detail), .runtime(let detail), .timeLimit(let detail), .instructionLimit(let detail),
            .memoryLimit(let detail), .outputLimit(let detail), .sourceTooLarge(let detail), .tooManyNames(let detail),
            .denied(_, let detail), .conversion(_, let detail), .notUTF8(_, let detail), .cycle(_, let detail),
            .tooDeep(_, let detail), .tooLarge(_, let detail):
            return detail
        }
    }

    /// The position of the failure, if it is known.
    public var position: LuaPosition? { detail.position }

    /// The message, without position and key path.
    public var message: String { detail.message }

    /// The call stack, innermost call first.
    public var traceback: [LuaFrame] { detail.traceback }

    /// The key path of the value that failed, such as `tiers[3].rate`; nil if the failure is not about a value.
    public var keyPath: String? {
        switch self {
        case .conversion(let path, _), .notUTF8(let path, _), .cycle(let path, _), .tooDeep(let path, _),
            .tooLarge(let path, _):
            return path
        default: return nil
        }
    }

    /// Whether a limit ended the evaluation. Such an error is sticky: Lua cannot catch it.
    public var isLimit: Bool {
        switch self {
        case .timeLimit, .instructionLimit, .memoryLimit, .outputLimit: return true
        default: return false
        }
    }
}

extension LuaError: CustomStringConvertible {
    /// The position, key path and message: `markets/ca.lua:41: tiers[3].rate: expected a number, got a string`.
    public var description: String {
        var text = ""
        if let position { text += "\(position): " }
        if let keyPath, !keyPath.isEmpty { text += "\(keyPath): " }
        return text + message
    }
}
