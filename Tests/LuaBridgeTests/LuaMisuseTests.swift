import Foundation
import LuaBridge
import Testing

/// Invalid calls by the host trap with a message, in release builds too, before anything is damaged.
@Suite(.timeLimit(.minutes(5)))
struct LuaMisuseTests {
    /// The ways to misuse a state; each runs in its own process.
    enum Misuse: String, CaseIterable, Codable {
        case performAfterClose, enqueueAfterClose, contextAfterItsWork, contextOnAnotherThread, foreignFunction,
            foreignArgument, foreignObject, foreignCoroutine

        var sentence: String {
            switch self {
            case .performAfterClose: "perform was called on a LuaState after close()"
            case .enqueueAfterClose: "enqueue was called on a LuaState after close()"
            case .contextAfterItsWork: "a LuaContext was used after the work it was lent to had ended"
            case .contextOnAnotherThread: "a LuaContext was used on a thread other than its state's"
            case .foreignFunction: "a function of another LuaState was called"
            case .foreignArgument: "a function of another LuaState was passed to this one"
            case .foreignObject: "an object of another LuaState was passed to this one"
            case .foreignCoroutine: "a coroutine of another LuaState was passed to this one"
            }
        }

        func commit() async throws {
            let state = try LuaState(profile: .config, limits: .config)
            let other = try LuaState(profile: .script, limits: .config)
            let function = try other.perform { try $0.load(LuaSource("return ...", chunkName: "f")) }
            let thief = Thief()
            switch self {
            case .performAfterClose:
                state.close()
                state.perform { _ in }
            case .enqueueAfterClose:
                state.close()
                try await state.enqueue { _ in }
            case .contextAfterItsWork:
                state.perform { thief.context = $0 }
                _ = thief.context?.usage
            case .contextOnAnotherThread:
                state.perform { lua in
                    thief.context = lua
                    let done = DispatchSemaphore(value: 0)
                    Thread.detachNewThread {
                        _ = thief.context?.usage
                        done.signal()
                    }
                    done.wait()
                }
            case .foreignFunction: try state.perform { try $0.call(function) }
            case .foreignArgument: try state.perform { try $0.setGlobal("f", .function(function)) }
            case .foreignObject:
                let object = try other.perform { try $0.object(Thief(), LuaObjectType(name: "Thief")) }
                try state.perform { try $0.setGlobal("o", object) }
            case .foreignCoroutine:
                let coroutine = try other.perform { lua in
                    let make = LuaSource("return coroutine.create(print)", chunkName: "c")
                    return try lua.call(lua.load(make))[0]
                }
                try state.perform { try $0.setGlobal("c", coroutine) }
            }
        }
    }

    final class Thief: @unchecked Sendable {
        // Violations of the API's contract, each on one thread at a time.
        var context: LuaContext?
    }

    @Test(arguments: Misuse.allCases)
    func misuseTrapsWithMessage(_ misuse: Misuse) async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { [misuse] in
            try await misuse.commit()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("LuaBridge: " + misuse.sentence))
    }
}
