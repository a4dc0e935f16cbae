import Foundation
@testable import GlassMarketFiles
import LuaBridge
import Testing

struct LocalizedLuaErrorTests {
    @Test func localizedDescriptionOfLuaErrorIsItsText() throws {
        let error = try #require(throws: LuaError.self) {
            try LuaState(profile: .config, limits: .config).perform { context in
                _ = try context.call(context.load(LuaSource("error('no tier')", chunkName: "markets/ca.lua")))
            }
        }
        #expect(error.localizedDescription == "\(error)")
        #expect(error.localizedDescription.contains("no tier"))

        struct Tier: Decodable { let rate: Double }
        let value = LuaValue.table(LuaTable(fields: [("rate", "high")]))
        let errors = try #require(throws: LuaDecodingErrors.self) {
            try LuaDecoder().decodeReportingAll(Tier.self, from: value)
        }
        #expect(errors.localizedDescription == "\(errors)")
        #expect(errors.localizedDescription.contains("rate"))
    }
}
