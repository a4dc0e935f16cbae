// A chunk in the config profile: whatever the bytes are, it ends within its limits and the state stays usable.

private nonisolated(unsafe) var shared: LuaState?
// libFuzzer calls from one thread.

/// One run of the fuzzer.
///
/// - Parameters:
///   - data: The input.
///   - count: Its length.
/// - Returns: 0.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzChunk(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    // One state for many chunks, so that the leftovers of one affect the next; occasionally a fresh one.
    fuzzCount += 1
    if fuzzCount % 64 == 1 {
        shared?.close()
        shared = nil
    }
    var limits = LuaLimits.config
    limits.cpuTime = .milliseconds(20)
    limits.instructions = 20_000
    limits.memory = 1024 * 1024
    do {
        let state = try shared ?? LuaState(profile: .config, limits: limits)
        shared = state
        state.perform { lua in
            do {
                let values = try lua.evaluate { try lua.call(lua.load(LuaSource(bytes: bytes, chunkName: "fuzz"))) }
                for value in values { _ = try? LuaDecoder().decode([String: [Int]].self, from: value) }
            } catch {
                precondition(error is LuaError, "an error that is not the library's: \(error)")
                precondition(!"\(error)".isEmpty)
            }
        }
    } catch {
        preconditionFailure("no state: \(error)")
    }
    return 0
}

private nonisolated(unsafe) var fuzzCount = 0
// libFuzzer calls from one thread.
