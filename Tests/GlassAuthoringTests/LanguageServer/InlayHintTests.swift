import Foundation
import GlassBase
import Testing

@testable import GlassAuthoring

/// What an editor shows behind a value that overrides another one.
struct InlayHintTests {
    private static let market = """
        return {
          id = "xx", name = "Test", extends = "us", currency = "CAD", locales = { "en-US" },
          platform = {
            networking = { retry = { maxRetries = 1, jitter = 0.2 } },
            userDefaultsRegistration = { defaults = { own = 1 } },
          },
          overlays = { { name = "debug", when = { build = "debug" }, platform = { networking = { retry = { maxRetries = 2 } } } } },
        }
        """

    private func hints(_ text: String, lines: ClosedRange<Int>, _ editor: EditorFixture) throws -> [String] {
        let range = ClientRange(
            ClientPosition(line: lines.lowerBound, character: 0),
            ClientPosition(line: lines.upperBound + 1, character: 0))
        let answer = try editor.request(
            "textDocument/inlayHint",
            .record(["textDocument": .record(["uri": .string(editor.uri("xx.lua"))]), "range": range.json]))
        let rows = text.split(separator: "\n", omittingEmptySubsequences: false)
        return try (answer.arrayValue ?? []).map { hint in
            let place = try #require(hint["position"].flatMap(ClientPosition.init))
            let before = rows[place.line].prefix(place.character).suffix(5)
            return "\(before)‹\(hint["label"]?.stringValue ?? "")› \(hint["tooltip"]?.stringValue ?? "-")"
        }
    }

    @Test func valueShowsWhatItOverrides() throws {
        let editor = try EditorFixture()
        try editor.open("xx.lua", Self.market)
        editor.settle()
        // The lines of the shipped market.
        #expect(
            Set(try hints(Self.market, lines: 0...7, editor)) == [
                "\"CAD\"‹overrides \"USD\"› markets/us.lua:9", "s = 1‹overrides 3› markets/us.lua:77",
                "= 0.2‹overrides 0.25› markets/us.lua:81", "m = {‹overrides 2 values› -",
            ])
        // Only what the editor shows.
        #expect(try hints(Self.market, lines: 4...5, editor).isEmpty)
    }

    @Test func outdatedTextHasNoHints() throws {
        let editor = try EditorFixture()
        try editor.open("xx.lua", Self.market)
        editor.settle()
        let broken = Self.market.replacing("jitter = 0.2", with: "jitter =")
        editor.change("xx.lua", to: broken, version: 2)
        #expect(try hints(broken, lines: 0...7, editor).isEmpty)
    }
}
