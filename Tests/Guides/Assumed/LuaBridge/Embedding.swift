import LuaBridge

nonisolated(unsafe) let lua: LuaContext = assumed()
nonisolated(unsafe) let add: LuaFunction = assumed()
let store: Store = assumed()

final class Store: Sendable {
    let id = 1
    let stock = 0

    func order(_ count: Int) throws -> Int { count }
}
