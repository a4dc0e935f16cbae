import CLuaShims
import GlassBase

extension LuaError {
    /// Reads the failure that C recorded.
    init(
        _ status: Int32,
        _ failure: UnsafePointer<glua_failure>,
        _ limits: glua_limits,
        source: LuaSource?
    ) {
        let message = String(
            decoding: UnsafeRawBufferPointer(start: failure.pointee.message, count: failure.pointee.message_count),
            as: UTF8.self
        )
        var detail = LuaErrorDetail(
            message: message,
            position: Self.position(failure.pointee.position),
            traceback: Self.frames(failure),
            skippedFrames: Int(failure.pointee.skipped_frames)
        )
        let path = Self.text(failure.pointee.path)
        // A host error that passed through Lua has its path in the text, because Lua sees only the text.
        if !path.isEmpty, detail.message.hasPrefix("\(path): ") { detail.message.removeFirst(path.count + 2) }
        switch status {
        case GLUA_SYNTAX:
            if let source { Self.locate(&detail, failure, source) }
            self = .syntax(detail)
        case GLUA_TIME:
            let time = Duration.nanoseconds(Int64(clamping: limits.cpu_ns))
            detail.message = "time limit exceeded: \(time.formattedMilliseconds) of CPU time"
            self = .timeLimit(detail)
        case GLUA_WALL:
            let time = Duration.nanoseconds(Int64(clamping: limits.wall_ns))
            detail.message = "time limit exceeded: \(time.formattedMilliseconds)"
            self = .timeLimit(detail)
        case GLUA_INSTRUCTIONS:
            detail.message =
                "instruction limit exceeded: \(Int(clamping: limits.instructions).grouped) instructions"
            self = .instructionLimit(detail)
        case GLUA_MEMORY:
            detail.message = "memory limit exceeded: \(Int(limits.memory).formattedBytes)"
            detail.traceback = []
            detail.skippedFrames = 0
            detail.position?.isApproximate = true
            self = .memoryLimit(detail)
        case GLUA_OUTPUT:
            detail.message = "output limit exceeded: \(Int(limits.output).formattedBytes)"
            self = .outputLimit(detail)
        case GLUA_SOURCE:
            self = .sourceTooLarge(detail)
        case GLUA_NAMES:
            if let source { detail.position = Self.position(of: failure.pointee.token_end, in: source) }
            self = .tooManyNames(detail)
        case GLUA_DENIED:
            self = .denied(name: Self.text(failure.pointee.name), detail)
        case GLUA_CYCLE:
            self = .cycle(keyPath: path, detail)
        case GLUA_DEEP:
            self = .tooDeep(keyPath: path, detail)
        case GLUA_LARGE:
            self = .tooLarge(keyPath: path, detail)
        case GLUA_KEY:
            self = .conversion(keyPath: path, detail)
        case GLUA_NOT_UTF8:
            self = .notUTF8(keyPath: path, detail)
        default:
            self = .runtime(detail)
        }
    }

    /// The position of the token that contains a byte.
    private static func position(of offset: Int, in source: LuaSource) -> LuaPosition {
        var tokenizer = LuaTokenizer(source.bytes)
        var token = tokenizer.next()
        while token.range.upperBound <= offset, token.kind != .endOfFile { token = tokenizer.next() }
        return LuaPosition(chunk: source.chunkName, line: token.line, column: token.column)
    }

    static func position(_ position: glua_position) -> LuaPosition? {
        guard position.line > 0 else { return nil }
        return LuaPosition(
            chunk: text(position.chunk),
            line: Int(position.line),
            isApproximate: position.approximate
        )
    }

    private static func frames(_ failure: UnsafePointer<glua_failure>) -> [LuaFrame] {
        let count = Int(failure.pointee.frame_count)
        guard count > 0 else { return [] }
        return withUnsafeBytes(of: failure.pointee.frames) { bytes in
            bytes.bindMemory(to: glua_frame.self).prefix(count).map { frame in
                let name = text(frame.name)
                let kind: LuaFrame.Kind
                switch frame.kind {
                case GLUA_FRAME_NATIVE: kind = .native
                case GLUA_FRAME_MAIN: kind = .main
                case GLUA_FRAME_TAIL_CALL: kind = .tailCall
                default: kind = .lua
                }
                return LuaFrame(
                    chunk: text(frame.chunk),
                    line: frame.line > 0 ? Int(frame.line) : nil,
                    function: name.isEmpty ? nil : name,
                    kind: kind
                )
            }
        }
    }

    /// The text of a fixed-size array of characters that ends with a zero.
    private static func text<T>(_ characters: T) -> String {
        withUnsafeBytes(of: characters) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    /// Finds the column of the token that Lua rejected: the one that ends where Lua's scanner stopped.
    private static func locate(
        _ detail: inout LuaErrorDetail,
        _ failure: UnsafePointer<glua_failure>,
        _ source: LuaSource
    ) {
        let end = failure.pointee.token_end
        let atEnd = failure.pointee.at_end_of_source
        let chunk = source.chunkName
        var tokenizer = LuaTokenizer(source.bytes)
        var last: LuaToken?
        while true {
            let token = tokenizer.next()
            if token.kind == .endOfFile { break }
            last = token
            if token.range.upperBound >= end && !atEnd { break }
        }
        guard let last else {
            detail.position = LuaPosition(chunk: chunk, line: max(1, detail.position?.line ?? 1), column: 1)
            return
        }
        if atEnd && last.kind != .invalid {
            detail.position = LuaPosition(chunk: chunk, line: last.endLine, column: last.endColumn)
            return
        }
        let line = detail.position?.line ?? last.line
        // A multiline token, such as an unclosed string, starts on another line than the one that Lua names.
        if line == last.line || atEnd {
            detail.position = LuaPosition(chunk: chunk, line: last.line, column: last.column)
        } else {
            detail.position = LuaPosition(chunk: chunk, line: line)
        }
    }
}

extension Duration {
    fileprivate var formattedMilliseconds: String {
        let (seconds, attoseconds) = components
        let milliseconds = attoseconds / 1_000_000_000_000_000
        guard seconds > 0 else { return "\(milliseconds) ms" }
        let hundredths = (milliseconds + 5) / 10
        guard hundredths > 0 else { return "\(seconds) s" }
        let text = "\(seconds + hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
        return (text.hasSuffix("0") ? String(text.dropLast()) : text) + " s"
    }
}
