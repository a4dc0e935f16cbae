import Foundation
import GlassBase
import Testing

@testable import GlassAuthoring

/// Renaming of routables, flags, conditions and preconditions.
struct RenameTests {
    private static let base = """
        return {
          id = "base", name = "Base", extends = "us",
          conditions = { tests = { build = "debug", rollout = { percent = 5, by = "installID" } } },
          preconditions = { member = { doc = "Is a member." } },
          flags = {
            club = {
              kind = "release", owner = "club", expires = "2099-01-01", doc = "The club.", default = false,
              rules = { { name = "ramp", when = "tests", rollout = { percent = 10, by = "installID" }, value = true } },
            },
          },
          routables = {
            promo = { paths = { "promo/:code" }, show = { screen = "promo" }, waitForPreconditions = { "member" } },
          },
          platform = { networking = { retry = { maxRetries = vary { { when = any { "tests", no "tests" }, value = 2 }, default = 3 } } } },
        }
        """
    private static let market = """
        return {
          id = "xx", name = "promo member club tests", extends = "base",
          flags = { club = { enabled = false } },
          routables = { promo = include "shared/promo.lua", home = { waitForPreconditions = { 'member' } } },
          overlays = {
            { name = "promo", when = no "tests", routables = { promo = { waitForPreconditions = { "member" } } } },
          },
        }
        """
    private static let shared =
        "return { customPaths = { \"member\" }, waitForPreconditions = { \"member\" } } -- member"
    /// A market with the same names for something else.
    private static let other = """
        return {
          id = "other", name = "Other", extends = "us",
          preconditions = { member = { doc = "Another." } },
          routables = { promo = { paths = { "other" }, show = { screen = "other" } } },
        }
        """
    private static let script = """
        glass.test("promo", function()
          local xx = glass.market("xx")
          xx.preconditions:satisfy("member")
          glass.expect(xx:link("promo", { code = "promo" })):toBe("x")
          glass.expect(xx:flag "club".value):toBe(false)
        end)
        """

    private func editor(_ files: [String: String] = [:], other: Bool = false) throws -> EditorFixture {
        let changes = StrictJSON.record([
            "workspace": .record(["workspaceEdit": .record(["documentChanges": .boolean(true)])]),
            "textDocument": .record(["rename": .record(["prepareSupport": .boolean(true)])]),
        ])
        let editor = try EditorFixture(capabilities: changes)
        let root = editor.folder.deletingLastPathComponent()
        for folder in [root.appending(path: "scripts"), editor.folder.appending(path: "shared")] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        var all = [
            "base.lua": Self.base, "xx.lua": Self.market, "shared/promo.lua": Self.shared,
            "../scripts/xx_test.lua": Self.script,
        ]
        if other { all["other.lua"] = Self.other }
        for (name, text) in all.merging(files, uniquingKeysWith: { $1 }) {
            try Data(text.utf8).write(to: editor.folder.appending(path: name))
        }
        try editor.open("base.lua")
        editor.settle()
        return editor
    }

    /// The position of `^` in a text of a file.
    private func place(_ text: String, in file: String = Self.base) throws -> ClientPosition {
        let range = try #require(file.firstRange(of: text.replacing("^", with: "")))
        let mark = text.firstIndex(of: "^").map { text.utf8.distance(from: text.startIndex, to: $0) } ?? 0
        let lines = TextLines(Array(file.utf8))
        return lines.position(of: file.utf8.distance(from: file.startIndex, to: range.lowerBound) + mark, .utf16)
    }

    private func rename(
        _ text: String, to new: String, _ editor: EditorFixture, in name: String = "base.lua",
        _ file: String = Self.base
    ) throws -> StrictJSON {
        guard case .object(let members) = editor.at(name, try place(text, in: file)) else { return .null }
        return try editor.ask(
            "textDocument/rename", .object(members.map { ($0.key, $0.value) } + [("newName", .string(new))]))
    }

    /// The files after a rename, by name, without those that it leaves alone.
    private func files(after answer: StrictJSON, _ editor: EditorFixture) throws -> [String: String] {
        var files: [String: String] = [:]
        let root = editor.folder.deletingLastPathComponent().path + "/"
        for change in try #require(answer["result", "documentChanges"]?.arrayValue, "\(answer)") {
            let uri = try #require(change["textDocument", "uri"]?.stringValue)
            let path = try #require(DocumentURI.path(of: uri))
            let name = path.replacing(root, with: "")
            // Only an open file has a version.
            #expect((change["textDocument", "version"]?.intValue == 1) == (name == "markets/base.lua"))
            var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
            let lines = TextLines(bytes)
            for edit in (change["edits"]?.arrayValue ?? []).reversed() {
                let range = try #require(edit["range"].flatMap(ClientRange.init))
                bytes.replaceSubrange(lines.bytes(of: range, .utf16), with: (edit["newText"]?.stringValue ?? "").utf8)
            }
            files[name] = String(decoding: bytes, as: UTF8.self)
        }
        return files
    }

    @Test func routableIsRenamedInEveryFileOfItsMarkets() throws {
        let editor = try editor()
        let found = try files(after: rename("pro^mo = { paths", to: "offers", editor), editor)
        #expect(Set(found.keys) == ["markets/base.lua", "markets/xx.lua", "scripts/xx_test.lua"])
        #expect(found["markets/base.lua"] == Self.base.replacing("promo = { paths", with: "offers = { paths"))
        #expect(
            found["markets/xx.lua"]
                == Self.market.replacing("promo = include", with: "offers = include")
                .replacing("{ promo = {", with: "{ offers = {"))
        #expect(found["scripts/xx_test.lua"] == Self.script.replacing("link(\"promo\"", with: "link(\"offers\""))
    }

    private static let trips = """
        return {
          id = "base", name = "Base", extends = "us",
          routables = {
            trips = {
              paths = { "trips/:code/:day(int)", "t/:code" }, customPaths = { "x/:codes" },
              show = { screen = "trips", parameters = { id = "{code}", day = "{day|1}", text = "{{code}} {code|a}" } },
            },
            other = { paths = { "o/:code" }, show = { screen = "o", parameters = { id = "{code}" } } },
          },
          overlays = { { when = { build = "debug" }, routables = { trips = { customPaths = { "d/:code" } } } } },
        }
        """

    /// A parameter of a path with everything in its routable that uses it, also in an overlay, and nothing else.
    @Test(arguments: ["trips/:co^de/", "id = \"{co^de}\", day", "t/:code^\""])
    func parameterIsRenamedInItsRoutable(_ place: String) throws {
        let editor = try editor(["base.lua": Self.trips, "xx.lua": "return { id = \"xx\", extends = \"base\" }"])
        let found = try files(after: rename(place, to: "trip", editor, in: "base.lua", Self.trips), editor)
        #expect(
            found == [
                "markets/base.lua": Self.trips.replacing("trips/:code/", with: "trips/:trip/")
                    .replacing("t/:code\"", with: "t/:trip\"").replacing(
                        "id = \"{code}\", day", with: "id = \"{trip}\", day"
                    )
                    .replacing("{code|a}", with: "{trip|a}").replacing("d/:code", with: "d/:trip")
            ])
    }

    @Test(arguments: [
        ("day", "already has the parameter day"), ("a b", "is not valid"),
    ])
    func parameterKeepsNameThatCannotBe(_ new: String, _ message: String) throws {
        let editor = try editor(["base.lua": Self.trips, "xx.lua": "return { id = \"xx\", extends = \"base\" }"])
        let answer = try rename("trips/:co^de/", to: new, editor, in: "base.lua", Self.trips)
        #expect(answer["error", "message"]?.stringValue?.contains(message) == true, "\(answer)")
    }

    /// What would be left behind prevents the rename: the app's code, a Lua handler, and another file.
    @Test func parameterThatOthersReadIsNotRenamed() throws {
        let uses =
            "return { id = \"xx\", extends = \"base\", routables = { trips = { customPaths = { \"z/:code\" } } } }"
        for (base, other, message) in [
            (Self.trips, uses, "uses the parameter code, too"),
            (
                Self.trips.replacing("paths = { \"trips", with: "handle = function() end, paths = { \"trips"),
                "return {}",
                "the handler of trips may read code"
            ),
            (Self.trips.replacing("trips = {", with: "item = {"), "return {}", "the app's code for item reads"),
        ] {
            let editor = try editor(["base.lua": base, "xx.lua": other])
            let answer = try rename("trips/:co^de/", to: "trip", editor, in: "base.lua", base)
            #expect(answer["error", "message"]?.stringValue?.contains(message) == true, "\(message): \(answer)")
        }
    }

    @Test func preconditionIsRenamedInOverlaysIncludesAndTests() throws {
        let editor = try editor()
        let found = try files(after: rename("mem^ber = {", to: "insider", editor), editor)
        #expect(
            found["markets/base.lua"]
                == Self.base.replacing("member = {", with: "insider = {")
                .replacing("{ \"member\" }", with: "{ \"insider\" }"))
        #expect(
            found["markets/xx.lua"]
                == Self.market.replacing("'member'", with: "'insider'")
                .replacing("{ \"member\" }", with: "{ \"insider\" }"))
        #expect(
            found["markets/shared/promo.lua"]
                == Self.shared.replacing("Preconditions = { \"member\"", with: "Preconditions = { \"insider\""))
        #expect(
            found["scripts/xx_test.lua"] == Self.script.replacing("satisfy(\"member\"", with: "satisfy(\"insider\""))
        // A use is as good as the declaration.
        let same = try files(after: rename("{ \"mem^ber\" }", to: "insider", editor), editor)
        #expect(same == found)
    }

    /// The name is the default salt: without it, a rename would place everybody anew.
    @Test func renamedConditionAndFlagKeepTheirShares() throws {
        let editor = try editor()
        let condition = try files(after: rename("te^sts = {", to: "internal", editor), editor)
        #expect(
            condition["markets/base.lua"]
                == Self.base.replacing("\"tests\"", with: "\"internal\"")
                .replacing("tests = { build", with: "internal = { build")
                .replacing("rollout = { percent = 5", with: "rollout = { salt = \"tests\", percent = 5"))
        #expect(condition["markets/xx.lua"] == Self.market.replacing("no \"tests\"", with: "no \"internal\""))
        let flag = try files(after: rename("cl^ub = {", to: "club.new", editor), editor)
        #expect(
            flag["markets/base.lua"]
                == Self.base.replacing("    club = {", with: "    [\"club.new\"] = { salt = \"club\","))
        #expect(flag["markets/xx.lua"] == Self.market.replacing("{ club = {", with: "{ [\"club.new\"] = {"))
        #expect(flag["scripts/xx_test.lua"] == Self.script.replacing("flag \"club\"", with: "flag \"club.new\""))
    }

    @Test func nameOfAnotherMarketStays() throws {
        let editor = try editor(other: true)
        let found = try files(after: rename("pro^mo = { paths", to: "offers", editor), editor)
        // A test may mean either market.
        #expect(Set(found.keys) == ["markets/base.lua", "markets/xx.lua"])
    }

    @Test func prepareAnswersTheNameWithoutQuotes() throws {
        let editor = try editor()
        func prepare(_ text: String) throws -> StrictJSON {
            try editor.ask("textDocument/prepareRename", editor.at("base.lua", try place(text)))
        }
        let found = try prepare("{ \"mem^ber\" }")
        #expect(found["result", "placeholder"]?.stringValue == "member")
        let range = try #require(found["result", "range"].flatMap(ClientRange.init))
        #expect(range.start == (try place("member\" }")) && range.end.character == range.start.character + 6)
        guard case .null? = try prepare("exten^ds")["result"] else {
            Issue.record("the name of a market is renamed with its file")
            return
        }
    }

    @Test(arguments: [
        ("pro^mo = { paths", "home", "the app already has the routable \"home\""),
        (
            "pro^mo = { paths", "a b",
            "\"a b\" is not valid; write a name of letters and digits that starts with a letter"
        ),
        ("pro^mo = { paths", "taken", "markets/zz.lua:1:65 already has the routable \"taken\"; choose another name"),
        (
            "na^me = \"Base\"", "x",
            "only routables, flags, conditions, preconditions, and parameters of paths can be renamed"
        ),
    ])
    func impossibleRenameIsRefused(text: String, new: String, message: String) throws {
        let editor = try editor([
            "zz.lua":
                "return { id = \"zz\", name = \"Z\", extends = \"base\", routables = { taken = { paths = { \"t\" }, show = { screen = \"t\" } } } }"
        ])
        let answer = try rename(text, to: new, editor)
        let told = answer["error", "message"]?.stringValue ?? "\(answer)"
        #expect(told.replacing(editor.folder.path, with: "markets") == message)
    }

    @Test(arguments: [
        (
            "local r = {} r.promo = { customPaths = { \"p\" } } return { id = \"zz\", name = \"Z\", extends = \"base\", routables = r }",
            "computes the key \"promo\"; write it out, or rename it by hand"
        ),
        ("return { id = \"zz\", extends = \"base\", name = ", "has a syntax error; fix it first"),
    ])
    func unclearFileIsRefused(text: String, message: String) throws {
        let editor = try editor(["zz.lua": text])
        let told = try rename("pro^mo = { paths", to: "offers", editor)["error", "message"]?.stringValue ?? ""
        #expect(told.contains("markets/zz.lua:1:") && told.hasSuffix(message), "\(told)")
    }

    @Test func namesOfTheAppAreRefused() throws {
        let editor = try editor()
        let use = Self.market
        try editor.open("xx.lua")
        editor.settle()
        let answer = try rename("ho^me = { wait", to: "start", editor, in: "xx.lua", use)
        #expect(
            answer["error", "message"]?.stringValue
                == "the app declares the routable \"home\"; rename it in the app's code")
    }
}
