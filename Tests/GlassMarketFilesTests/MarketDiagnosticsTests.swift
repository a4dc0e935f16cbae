import Foundation
import GlassBase
@testable import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema
import LuaBridge
import Testing
import MarketTesting

/// The findings that ``MistakeTable`` has no place for: several files, a folder, limits, and warnings.
@Suite(.timeLimit(.minutes(5)))
struct MarketDiagnosticsTests {
    @Test(arguments: [
        (
            "platform = { analytics = { sinks = { \"log\" } } },",
            """
            markets/xx.lua:2:36: warning: platform.analytics.sinks: requests are tracked, but no event leaves the device [inconsistent]
              hint: add a sink: { "collector" } with a table collector, or { "app" } if the app's program lists its own sinks; or set networking.tracking = false
            """
        ),
        (
            "routables = { item = { customPaths = { \"i/:name\" } } },",
            """
            markets/xx.lua:2:40: warning: routables.item.customPaths[1]: item needs itemID, which this pattern does not provide [inconsistent]
              hint: add :itemID to the pattern; otherwise, item declines each link without this query item
            """
        ),
    ])
    func warningHasPositionAndText(addition: String, text: String) throws {
        let found = try MarketFixture.diagnostics(of: addition)
        #expect(found == text)
    }

    /// A file that returns a function, and the position at which the function's result is reported.
    @Test(arguments: [
        ("return function(n)\n  return { maxRetries = n }\nend", "include \"f.lua\"(99)", "markets/f.lua:2:25"),
        (
            "local function make(n)\n  local t = {}\n  t.maxRetries = n\n  return t\nend\nreturn make",
            "include \"f.lua\"(99)", "markets/f.lua:3:18"
        ),
        (
            "return { retry = function(n)\n  if n > 9 then return { maxRetries = n } end\n  return nil\nend }",
            "include(\"f.lua\").retry(99)", "markets/f.lua:2:39"
        ),
        ("return function(n)\n  return include \"g.lua\"(n)\nend", "include \"f.lua\"(99)", "markets/g.lua:1:42"),
    ])
    func resultOfIncludedFunctionIsReportedInItsFile(file: String, value: String, place: String) throws {
        let found = try MarketFixture.diagnostics(
            of: "platform = { networking = { retry = \(value) } },",
            files: ["f.lua": file, "g.lua": "return function(n) return { maxRetries = n + 0 } end"])
        #expect(
            found
                == "\(place): error: platform.networking.retry.maxRetries: expected an integer from 0 to 10, got 99 [outOfRange]"
        )
    }

    @Test(arguments: [
        (
            "local function spin()\n  while true do end\nend\nspin()",
            """
            markets/xx.lua:2: error: time limit exceeded: \(200 * BuildSpeed.slowdownOfLua) ms of CPU time [limit]
              hint: a market and its base markets may run for at most \(200 * BuildSpeed.slowdownOfLua) ms
            """
        ),
        (
            "return { id = \"xx\", name = \"\\xff\", extends = \"us\" }",
            """
            markets/xx.lua:1:28: error: name: the string is not valid UTF-8 [unrepresentable]
              hint: save the file as UTF-8
            """
        ),
        (
            String(repeating: "-- 64 KB of comment\n", count: 4000),
            """
            markets/xx.lua:1:1: error: the file is larger than 64 KB [tooLarge]
              hint: move long lists to separate files and include them
            """
        ),
    ])
    func unusableFileIsExplained(source: String, text: String) throws {
        let fixture = try MarketFixture(["xx.lua": source])
        let check = try fixture.loader().check("xx")
        #expect(fixture.text(of: check.findings) == text)
        #expect(check.market == nil)
    }

    /// Lua treats each such byte as a symbol, and the parser's message would only repeat that in other words.
    @Test(
        arguments: [
            ("Latin-1", [0xE9] + Array(" = 1".utf8), "is not valid UTF-8"),
            ("UTF-16, little-endian", [0xFF, 0xFE] + "return {}".utf16.flatMap { [UInt8($0), 0] }, "is UTF-16"),
            ("UTF-16, big-endian", [0xFE, 0xFF] + "return {}".utf16.flatMap { [0, UInt8($0)] }, "is UTF-16"),
        ] as [(String, [UInt8], String)])
    func fileInOtherEncodingIsReportedOnce(encoding: String, bytes: [UInt8], message: String) throws {
        let fixture = try MarketFixture([:])
        try Data(bytes).write(to: fixture.folder.appending(path: "xx.lua"))
        let found = try fixture.diagnostics("xx")
        #expect(
            found == """
                markets/xx.lua:1:1: error: the file \(message) [syntax]
                  hint: save the file as UTF-8
                """)
    }

    @Test func formerNameIsReportedInItsFile() throws {
        let text = try MarketFixture.diagnostics(
            of: "platform = { networking = { retry = include \"shared/retry.lua\" } },",
            files: ["shared/retry.lua": "return {\n  maxRetries = 4,\n  maxAttempts = 4,\n}"])
        #expect(
            text == """
                markets/shared/retry.lua:3:3: error: platform.networking.retry.maxAttempts: this key was renamed to maxRetries [renamedKey]
                  hint: write maxRetries
                """)
        let fixture = try MarketFixture([
            "aa.lua":
                "return { id = \"aa\", name = \"A\", extends = \"us\",\n platform = { networking = { retry = { maxAttempts = 4 } } } }",
            "bb.lua": "return { id = \"bb\", name = \"B\", extends = \"aa\" }",
        ])
        #expect(
            try fixture.diagnostics("bb") == """
                markets/aa.lua:2:40: error: platform.networking.retry.maxAttempts: this key was renamed to maxRetries [renamedKey]
                  hint: write maxRetries
                """)
    }

    @Test func directiveWithoutBaseMarketIsReported() throws {
        let fixture = try MarketFixture([
            "xx.lua": "return { id = \"xx\",\nlocales = append { \"en-CA\" }, currency = unset }"
        ])
        let lines = try fixture.diagnostics("xx").split(separator: "\n").filter { $0.contains("no base market") }
        #expect(
            lines == [
                "markets/xx.lua:2:11: error: locales: append{…}: no base market sets this key [misplacedWord]",
                "markets/xx.lua:2:42: error: currency: unset: no base market sets this key [misplacedWord]",
            ])
    }

    @Test func errorInIncludedFileIsReportedThere() throws {
        let text = try MarketFixture.diagnostics(
            of: "platform = { address = { regions = include \"shared/broken.lua\" } },",
            files: ["shared/broken.lua": "return {\n  { code = \"A\", nmae = \"Alpha\" },\n}"])
        #expect(
            text == """
                markets/shared/broken.lua:2:17: error: platform.address.regions[1].nmae: unknown key [unknownKey]
                  hint: did you mean "name"?
                """)
    }

    @Test func syntaxErrorInIncludedFileIsReportedThere() throws {
        let text = try MarketFixture.diagnostics(
            of: "platform = { address = { regions = include \"shared/broken.lua\" } },",
            files: ["shared/broken.lua": "return {\n  { code = = },\n}"])
        #expect(text == "markets/shared/broken.lua:2:12: error: unexpected symbol near '=' [syntax]")
    }

    @Test func unreadableValueDoesNotHideOtherFindings() throws {
        let fixture = try MarketFixture([
            "xx.lua": """
            return { id = "yy", name = "\\xff", extends = "us",
              currency = "dollars", routables = 5 }
            """
        ])
        #expect(
            try fixture.loader().check("xx").findings.filter { $0.severity == .error }.map(\.path.description)
                == ["id", "name", "currency", "routables"])
    }

    @Test func firstMissingKeyOfFirstMarketNamesTheTemplate() throws {
        let fixture = try MarketFixture(["xx.lua": "return { id = \"xx\", name = \"X\" }"])
        let missing = try fixture.loader().check("xx").findings.filter { $0.code == .missingKey }
        #expect(missing.count > 15)
        #expect(
            missing.first?.hint
                == "glass-host new writes a complete market; here, write currency = \"CAD\",  -- The currency of "
                + "prices, as an ISO 4217 code.")
        #expect(missing.filter { $0.hint?.contains("glass-host new") == true }.count == 1)
    }

    @Test(arguments: ["extends = 3", "extends = \"nope\"", "extends = \"xx\""])
    func missingKeysAreNotReportedWithoutBase(extends: String) throws {
        let fixture = try MarketFixture(["xx.lua": "return { id = \"xx\", \(extends), currency = \"dollars\" }"])
        #expect(
            try fixture.loader().check("xx").findings.filter { $0.severity == .error }.map(\.path.description)
                == ["extends", "currency"])
    }

    @Test(arguments: ["\u{FEFF}", ""])
    func byteOrderMarkAndCarriageReturnsDoNotChangePositions(mark: String) throws {
        let fixture = try MarketFixture([
            "xx.lua": "\(mark)return {\r\n  id = \"xx\",\r\n  extends = \"us\",\r\n  name = 3,\r\n}\r\n"
        ])
        #expect(
            try fixture.diagnostics("xx") == """
                markets/xx.lua:4:10: error: name: expected a non-empty string, got 3 [wrongType]
                  hint: write it in quotes, as in "3"
                """)
    }

    @Test func marketInMiddleOfInheritanceCycleIsReported() throws {
        let fixture = try MarketFixture([
            "aa.lua": "return { id = \"aa\", name = \"A\", extends = \"bb\" }",
            "bb.lua": "return { id = \"bb\", name = \"B\",\n  extends = \"aa\" }",
        ])
        #expect(
            try fixture.diagnostics("aa") == """
                markets/bb.lua:2:13: error: extends: markets extend each other in a cycle: aa → bb → aa [extendsCycle]
                  hint: remove extends from one of them
                """)
    }

    @Test func allFindingsOfFileAreReportedInOrder() throws {
        let text = try MarketFixture.diagnostics(
            of: """
                currency = "dollars",
                platform = {
                  urlSession = { requestTimeoutSeconds = 0, cookiePolicy = "never" },
                  appInfo = { version = 24 },
                },
                localse = {},
                """)
        #expect(
            text.split(separator: "\n").filter { !$0.hasPrefix("  ") }.map { $0.prefix(22) } == [
                "markets/xx.lua:2:12: e", "markets/xx.lua:4:42: e", "markets/xx.lua:4:45: e", "markets/xx.lua:5:25: e",
                "markets/xx.lua:7:1: er",
            ])
    }

    @Test func computedValueIsReportedWhereBuilt() throws {
        let fixture = try MarketFixture([
            "xx.lua": """
            local headers = {}
            for i = 1, 3 do headers["X-" .. i] = i end
            return {
              id = "xx", name = "Test", extends = "us",
              platform = { networking = { headers = headers } },
            }
            """
        ])
        let lines = try fixture.loader().check("xx").findings.filter { $0.severity == .error }.map(\.position?.line)
        #expect(lines == [2, 2, 2])
    }

    @Test func onlyUnsetSecretsAreWarnings() throws {
        let fixture = try MarketFixture()
        let names = ["GLASS_US_CONSUMER_KEY": "k1", "GLASS_US_ANIVIA_WRITE_KEY": "k2"]
        #expect(try fixture.loader(secrets: names).check("us").findings == [])
        let findings = try fixture.loader(secrets: ["GLASS_US_CONSUMER_KEY": "k1"]).check("us").findings
        #expect(findings.map(\.severity) == [.warning])
        #expect(findings.first?.message == "the secret GLASS_US_ANIVIA_WRITE_KEY is not set")
        let market = try fixture.loader(secrets: names).load("us")
        #expect(try market.config.networking.consumerKey?.reveal() == "k1")
    }

    @Test func missingMarketGetsSuggestion() throws {
        let fixture = try MarketFixture()
        let error = #expect(throws: MarketFolderError.self) { try fixture.loader().check("cq") }
        #expect(
            error?.description.replacingOccurrences(of: fixture.folder.path, with: "markets")
                == "there is no market \"cq\" in markets; did you mean \"ca\"?")
    }

    @Test func missingFolderIsReported() {
        let loader = MarketLoader(.platformInMemory, folder: MarketFolder(path: "/nowhere/markets"))
        let error = #expect(throws: MarketFolderError.self) { try loader.check("us") }
        #expect(
            error?.description
                == "cannot read the markets folder /nowhere/markets: no such file or directory"
        )
    }

    @Test func folderInsteadOfFileIsReported() throws {
        let fixture = try MarketFixture()
        try FileManager.default.createDirectory(
            at: fixture.folder.appending(path: "dd.lua"), withIntermediateDirectories: false)
        let error = #expect(throws: MarketFolderError.self) { try fixture.loader().check("dd") }
        #expect(error?.description.hasSuffix("dd.lua: it is not a regular file") == true)
    }

    @Test func linkOutsideFolderIsNotFollowed() throws {
        let fixture = try MarketFixture(["xx.lua": "return { id = \"xx\", a = include \"link.lua\" }"])
        try FileManager.default.createSymbolicLink(
            atPath: fixture.folder.appending(path: "link.lua").path, withDestinationPath: #filePath)
        #expect(
            try fixture.diagnostics("xx").contains(
                "\"link.lua\" is a symbolic link that leads outside markets: replace it with the file"))
    }

    @Test(arguments: [
        ("appInfo = {\n bundleIdentifier = unset }", "appInfo = { name = \"Z\" }", "mm.lua:3"),
        ("", "appInfo = {\n name = \"Z\",\n bundleIdentifier = unset }", "zz.lua:4"),
        // Replacing the whole table requires all of its keys.
        ("appInfo = {\n android = unset }", "appInfo = {\n android = {\n package = \"com.z\" } }", "zz.lua:3"),
    ])
    func unsetRequiredKeyIsReportedAtItsUnset(base: String, market: String, place: String) throws {
        func file(_ id: String, _ base: String, _ text: String) -> String {
            "return { id = \"\(id)\", name = \"N\", extends = \"\(base)\",\nplatform = { \(text) } }"
        }
        let fixture = try MarketFixture(["mm.lua": file("mm", "us", base), "zz.lua": file("zz", "mm", market)])
        let findings = try fixture.loader(limits: MarketFixture.patientLimits).check("zz").findings
        let missing = findings.filter { $0.code == .missingKey }
        #expect(!missing.isEmpty)
        #expect(
            missing.allSatisfy { "\($0.position.map { "\($0)" } ?? "")".contains("/\(place):") }, "\(missing)")
    }

    /// A log or a report shows the line of a finding, so one about a credential has none.
    @Test func lineWithCredentialIsNotShown() throws {
        let fixture = try MarketFixture([
            "xx.lua": """
            return { id = "xx", name = "X", extends = "us", currency = "usd",
              platform = { networking = { consumerKey = "f3b1c2d4" } } }
            """
        ])
        let found = try fixture.loader().check("xx").findings.filter { $0.severity == .error }
        #expect(found.map(\.code) == [.invalidFormat, .secretMisplaced])
        #expect(found[0].line != nil && found[1].line == nil)
    }
}
