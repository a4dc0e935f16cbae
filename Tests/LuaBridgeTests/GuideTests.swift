import Foundation
import LuaBridge
import Testing

/// The twenty lines of the guide, verbatim.
@Suite(.timeLimit(.minutes(5)))
struct GuideTests {
    struct Price: Decodable, Equatable {
        var item: String
        var cents: Int
    }

    func prices(_ text: String) throws -> [Price] {
        let state = try LuaState(profile: .config, limits: .config)
        defer { state.close() }
        let value = try state.perform { lua in
            try lua.setGlobal(
                "tax",
                lua.bind("tax") { (cents: Int, percent: Double) in
                    Int((Double(cents) * (100 + percent) / 100).rounded())
                })
            return try lua.evaluate {
                try lua.call(lua.load(LuaSource(text, chunkName: "prices.lua"))).first ?? .nil
            }
        }
        return try LuaDecoder().decodeReportingAll([Price].self, from: value)
    }

    @Test func twentyLinesOfGuideRun() throws {
        let list = try prices("return { { item = 'tea', cents = tax(200, 13) } }")
        #expect(list == [Price(item: "tea", cents: 226)])
        #expect(throws: LuaError.self) { try prices("while true do pcall(error) end") }
    }

    @Test func guideShowsTestedCode() throws {
        let here = URL(filePath: #filePath)
        let guide = here.deletingLastPathComponent().appending(
            path: "../../Sources/LuaBridge/LuaBridge.docc/Embedding.md")
        let blocks = try String(contentsOf: guide, encoding: .utf8).components(separatedBy: "```swift\n")
        let block = try #require(blocks.dropFirst().first?.components(separatedBy: "```").first)
        let lines = block.split(separator: "\n").filter { !$0.hasPrefix("import ") }
        #expect(lines.count <= 20)
        // Ignores white space and semicolons, which the formatter and the guide place differently.
        func bare(_ text: String) -> String { text.filter { !$0.isWhitespace && $0 != ";" } }
        let tests = bare(try String(contentsOf: here, encoding: .utf8))
        let code = lines.dropLast().joined(separator: "\n")
        let call = try #require(lines.last?.components(separatedBy: "  //").first)
        #expect(tests.contains(bare(code)))
        #expect(tests.contains(bare(call)))
    }
}
