import GlassBase
import GlassSchema
import TestSupport
import Testing

@testable import GlassAuthoring

/// A text with hundreds of kilobytes on one line is as fast as one with many lines: quadratic work would not finish in
/// time.
@Suite(.timeLimit(.minutes(2)))
struct LongLineTests {
    private static let alphabet: [Unicode.Scalar] = ["a", "=", "é", "字", "😀", "𝒳", "\t", "{"]

    /// A text whose characters have one to four bytes each.
    private static func text(_ length: Int, lineEnds: [String], _ random: inout SplitMix64) -> String {
        var text = ""
        for _ in 0..<length {
            if Int.random(in: 0..<900, using: &random) == 0, let end = lineEnds.randomElement(using: &random) {
                text += end
            } else {
                text.unicodeScalars.append(alphabet.randomElement(using: &random) ?? "a")
            }
        }
        return text
    }

    @Test(arguments: [[], ["\n", "\r", "\r\n"]]) func positionsAndOffsetsCorrespond(lineEnds: [String]) {
        var random = SplitMix64(state: 5)
        let text = Self.text(3000, lineEnds: lineEnds, &random)
        let lines = TextLines(Array(text.utf8))
        var (place, byte) = (ClientPosition(line: 0, character: 0), 0)
        var scalar = SourcePosition(file: "x", line: 1, column: 1)
        let scalars = Array(text.unicodeScalars)
        for (index, character) in scalars.enumerated() {
            let isSecondHalf = character == "\n" && index > 0 && scalars[index - 1] == "\r"
            if !isSecondHalf {
                #expect(lines.position(of: byte, .utf16) == place)
                #expect(lines.offset(of: place, .utf16) == byte)
                #expect(lines.offset(of: scalar) == byte)
                if character.utf16.count == 2 {
                    let half = ClientPosition(line: place.line, character: place.character + 1)
                    #expect(lines.offset(of: half, .utf16) == byte)
                }
            }
            byte += character.utf8.count
            let isFirstHalf = character == "\r" && index + 1 < scalars.count && scalars[index + 1] == "\n"
            if character == "\n" || character == "\r" && !isFirstHalf {
                place = ClientPosition(line: place.line + 1, character: 0)
                scalar = SourcePosition(file: "x", line: scalar.line + 1, column: 1)
            } else if !isFirstHalf {
                place.character += character.utf16.count
                scalar = SourcePosition(file: "x", line: scalar.line, column: (scalar.column ?? 0) + 1)
            }
        }
        #expect(lines.position(of: byte, .utf16) == place)
        let end = ClientPosition(line: place.line, character: .max)
        #expect(lines.offset(of: end, .utf16) == byte)
        #expect(lines.offset(of: end, .utf8) == byte)
    }

    @Test(arguments: [PositionEncoding.utf8, .utf16])
    func changesInOneMessageEqualSeparateMessages(encoding: PositionEncoding) throws {
        var random = SplitMix64(state: 11)
        let text = Self.text(9000, lineEnds: ["\n", "\r", "\r\n"], &random)
        var (together, alone) = (TextDocument(uri: "x", version: 0, text: text), Array(text.utf8))
        for round in 1...60 {
            var changes: [StrictJSON] = []
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let lines = TextLines(alone)
                let one = Int.random(in: 0...alone.count, using: &random)
                // Usually a few characters; occasionally several blocks of the text.
                let length = Int.random(in: 0...(round % 7 == 0 ? 9000 : 12), using: &random)
                let range = lines.range(of: one..<min(one + length, alone.count), encoding)
                let new =
                    Self.text(
                        round % 5 == 0 ? 700 : 5, lineEnds: ["\r", "\n"], &random) + ["", "\r", "\n"][round % 3]
                alone.replaceSubrange(lines.bytes(of: range, encoding), with: new.utf8)
                changes.append(.record(["range": range.json, "text": .string(new)]))
            }
            try together.apply(changes, version: round, encoding)
            #expect(together.lines.bytes == alone, "round \(round)")
            if together.lines.bytes != alone { return }
        }
    }

    @Test func costOfPositionIsDistanceToCheckpoint() {
        let text = Array(("return{" + String(repeating: "é=1,", count: 160_000) + "}").utf8)
        let lines = TextLines(text)
        var sum = 0
        for offset in stride(from: 0, to: text.count, by: 32) {
            let place = lines.position(of: offset, .utf16)
            sum += lines.offset(of: place, .utf16)
            sum += lines.offset(of: SourcePosition(file: "x", line: 1, column: place.character + 1))
        }
        #expect(sum > 0)
    }

    @Test func thousandsOfChangesInOneMessageAreApplied() throws {
        var document = TextDocument(uri: "x", version: 1, text: String(repeating: "k=1,", count: 200_000))
        let changes = (0..<5_000).map { number -> StrictJSON in
            let place = ClientPosition(line: 0, character: number * 158 % 700_000)
            return .record(["range": ClientRange(place, place).json, "text": .string("é")])
        }
        try document.apply(changes, version: 2, .utf16)
        #expect(document.lines.bytes.count == 810_000)
    }

    @Test func everyRequestIsAnsweredOnOneLongLine() throws {
        let editor = try EditorFixture(
            capabilities: .record([
                "textDocument": .record([
                    "codeAction": .record(["codeActionLiteralSupport": .record(["codeActionKind": .record([:])])])
                ])
            ]))
        let head = "return{id=\"xx\",name=\"X\",extends=\"us\",currency=\"USD\",locales={\"en-US\"},platform={"
        let text = head + String(repeating: "é字=1,k=1,", count: 30_000) + "}}"
        try editor.open("xx.lua", text)
        let place = ClientPosition(line: 0, character: head.utf16.count + 200_000)
        let range = ClientRange(ClientPosition(line: 0, character: 0), place)
        for method in [
            "documentSymbol", "hover", "completion", "definition", "references", "documentHighlight", "codeAction",
            "codeLens", "foldingRange", "documentLink",
        ] {
            let parameters = StrictJSON.record([
                "textDocument": .record(["uri": .string(editor.uri("xx.lua"))]), "position": place.json,
                "range": range.json, "context": .record([:]),
            ])
            let result = try editor.request("textDocument/\(method)", parameters)
            if method == "documentSymbol" { #expect(result.arrayValue?.count == ServerState.maximumTextBytes) }
        }
        editor.settle()
        #expect(editor.lastPublished("xx.lua")?["diagnostics"]?.arrayValue?.isEmpty == false)
    }

    @Test(arguments: [
        LongText("return a " + String(repeating: "return b ", count: 25_000)),
        LongText("return {" + String(repeating: "extends=\"x\",", count: 15_000) + "}"),
        LongText("return {" + String(repeating: "a={", count: 60_000)),
        LongText("return {" + String(repeating: "}", count: 200_000)),
        LongText("return {" + String(repeating: "f=function(", count: 20_000)),
        LongText("return {" + String(repeating: "x,", count: 80_000)),
        LongText("--[" + String(repeating: "=", count: 100_000) + "[" + String(repeating: "]=", count: 50_000)),
    ])
    func unterminatedTokenIsReadOnce(text: LongText) throws {
        let editor = try EditorFixture()
        try editor.open("xx.lua", text.text)
        let place = ClientPosition(line: 0, character: text.text.utf8.count / 2)
        for method in ["documentSymbol", "hover", "completion", "documentLink", "foldingRange"] {
            _ = try editor.request("textDocument/\(method)", editor.at("xx.lua", place))
        }
    }

    @Test func symbolsOfDeepTextAreNotQuadratic() throws {
        let editor = try EditorFixture()
        let name = String(repeating: "n", count: 4000)
        let text = "return {" + String(repeating: name + "={", count: 100) + String(repeating: "k=1,", count: 12_000)
        try editor.open("xx.lua", text + String(repeating: "}", count: 101))
        let place = editor.at("xx.lua", ClientPosition(line: 0, character: 0))
        let symbols = try editor.request("textDocument/documentSymbol", place)
        #expect(symbols.text().count < 12_000_000)
        let last = try #require(symbols.arrayValue?.last)
        #expect(last["containerName"]?.stringValue?.utf8.count ?? 0 < 5000)
        let found = try editor.request("workspace/symbol", .record(["query": .string("xxnnk")]))
        #expect(found.arrayValue?.count == ServerState.maximumPlaces)
    }
}
