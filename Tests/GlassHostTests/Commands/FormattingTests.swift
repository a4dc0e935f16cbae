import CommandTesting
import Foundation
import Testing

/// What `new` and `fix` write has the style that the editor guide's settings of StyLua keep: its indentation, quotes,
/// commas and width. StyLua itself is not needed.
@Suite(.timeLimit(.minutes(2)))
struct FormattingTests {
    /// The lines that StyLua would change, whatever it does with the entries of a table.
    private func violations(_ text: String) -> [String] {
        var found: [String] = []
        let lines = text.components(separatedBy: "\n")
        for (number, line) in lines.enumerated() {
            let code = line.drop { $0 == " " }
            let isCode = !code.isEmpty && !code.hasPrefix("--")
            let isEven = (line.count - code.count).isMultiple(of: 2)
            // Every line of a table opens one, or ends an entry.
            let isWhole = code.hasSuffix(",") || code.hasSuffix("{") || line == "}"
            if line.contains("\t") || line.hasSuffix(" ") || line.count > 120 || !isEven
                || isCode && (!isWhole || code.contains("'") || code.contains("{\"") || code.contains(";"))
            {
                found.append("\(number + 1): \(line)")
            }
        }
        if !text.hasSuffix("}\n") || text.contains("\n\n\n") || text.contains("\r") { found.append("the line ends") }
        return found
    }

    @Test(arguments: [["br"], ["on", "--extends", "ca"], ["shop"], ["ch"]])
    func newMarketHasTheStyleOfTheSettings(arguments: [String]) throws {
        let folder = try TestFolder()
        let markets = try folder.markets()
        #expect(try HostRun(["new"] + arguments, folder: folder.url).status == 0)
        let text = try String(contentsOf: markets.appending(path: "\(arguments[0]).lua"), encoding: .utf8)
        #expect(violations(text) == [])
    }

    @Test func fixChangesNothingElse() throws {
        let folder = try TestFolder()
        let file = try folder.markets().appending(path: "qq.lua")
        let broken = """
            return {
              id = "qq",
              name = "Q",
              extends = "us",
              currency = "usd"
              platform = {
                networking = {
                  retry = {
                    maxRetires = 3,
                  },
                  -- stylua: ignore
                  headers = {["X-Test"]='a'},
                },
              },
            }

            """
        try Data(broken.utf8).write(to: file)
        #expect(try HostRun(["fix", "qq"], folder: folder.url).status == 0)
        let fixed = try String(contentsOf: file, encoding: .utf8)
        #expect(
            fixed
                == broken.replacing("\"usd\"", with: "\"USD\",").replacing("maxRetires", with: "maxRetries"))
        #expect(violations(fixed.replacing("headers = {[\"X-Test\"]='a'},\n", with: "headers = {},\n")) == [])
        #expect(try HostRun(["fix", "qq"], folder: folder.url).output.hasPrefix("0 files fixed in 0 places"))
    }
}
