// Damaged value buffers: reading them in Swift and in C gives values or an error.
import CLuaShims

private nonisolated(unsafe) var shared: LuaState?
// libFuzzer calls from one thread.

/// One run of the fuzzer.
///
/// - Parameters:
///   - data: The input.
///   - count: Its length.
/// - Returns: 0.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTape(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    guard count > 1, count < 4096, let data else { return 0 }
    let values = Int(data[0]) % 8
    // An object in a buffer is a pointer written by C; no input may forge one.
    let bytes = UnsafeBufferPointer(start: data + 1, count: count - 1).map { Int32($0) == GLUA_TAG_OBJECT ? 10 : $0 }
    do {
        let state = try shared ?? LuaState(profile: .config, limits: .config)
        shared = state
        state.perform { lua in
            let handle = lua.enter()
            // In Swift.
            bytes.withUnsafeBytes { buffer in
                var reader = ValueBufferReader(buffer, core: lua.core)
                if let read = try? reader.values(values) { precondition(read.count == values) }
                var typed = LuaValueReader(
                    core: lua.core, bytes: buffer.baseAddress, count: buffer.count, values: values, role: .argument)
                _ = try? Int(from: &typed)
                _ = try? Double(from: &typed)
                _ = try? String?(from: &typed)
                _ = try? LuaVariadic(from: &typed)
            }
            // In C, and back.
            guard let tape = glua_get_tape(handle) else { return }
            tape.pointee.count = 0
            precondition(glua_tape_reserve(tape, bytes.count))
            for (index, byte) in bytes.enumerated() { tape.pointee.bytes[index] = byte }
            tape.pointee.count = bytes.count
            tape.pointee.values = 1
            guard glua_set_global(handle, "fuzzed", 6) == GLUA_OK else { return }
            guard let first = try? lua.global("fuzzed") else { return }
            try? lua.setGlobal("again", first)
            guard let second = try? lua.global("again") else { preconditionFailure("a value was lost") }
            precondition("\(first)" == "\(second)", "a value changed in transit")
            _ = lua.enter()
        }
    } catch {
        preconditionFailure("no state: \(error)")
    }
    return 0
}
