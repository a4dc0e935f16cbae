import LuaBridge
import Testing

/// Uses a product of its own: an app may run Lua code that is not a market.
struct LuaTests {
    private struct Badge: Decodable, Equatable {
        var points: Int
        var label: String
    }

    @Test func programOfAppReturnsSwiftValue() throws {
        let state = try LuaState(profile: .config, limits: .config)
        let value = try state.perform { lua in
            try lua.setGlobal("points", 30)
            return try lua.evaluate {
                let text = "return { points = points, label = points .. ' points' }"
                return try lua.call(try lua.load(LuaSource(text, chunkName: "badge.lua"))).first ?? .nil
            }
        }
        #expect(try LuaDecoder().decode(Badge.self, from: value) == Badge(points: 30, label: "30 points"))
    }
}
