import Foundation
@testable import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema
import TestSupport
import Testing
import MarketTesting
@testable import GlassAuthoring

/// Fixes are applied as long as they improve the markets.
@Suite(.timeLimit(.minutes(3)))
struct MarketFixerTests {
    private static func result(_ files: [String: String], _ ids: [String] = ["xx"]) throws -> MarketFixer.Result {
        try MarketFixer.run(ids, with: MarketFixture(isAlone: true, files).loader(limits: MarketFixture.patientLimits))
    }

    private static func text(_ result: MarketFixer.Result, _ name: String = "xx.lua") -> String? {
        result.files.first { $0.name == name }.map { String(decoding: $0.fixed, as: UTF8.self) }
    }

    @Test func fileWithManyMistakesIsFixedAndKeepsLayout() throws {
        let source = """
            // The shop of a neighbor.
            {
            \tid: "xx",   -- the file's name
              "name" = “Test”,\t// as people say
              extends = 'u',
              locales = "en-US"  --[[ one
              for now ]]
              currency => "usd",
              platform = { networking = { retry = { maxRetires = "3" jitter = "0.5" } } },
              routables = {
                promo = {
                  -- No paths yet.
                  handle = function(link, state)
                    if link.paramters.a != null && true then stat:show("promo") end
                    seen = 1
                  end,
                },
                home = { waitForPreconditions = { "signedin" } },
              },
            }

            """
        let result = try Self.result(["xx.lua": source])
        let fixed = """
            -- The shop of a neighbor.
            return {
            \tid = "xx",   -- the file's name
              name = "Test",\t-- as people say
              extends = 'us',
              locales = { "en-US" },  --[[ one
              for now ]]
              currency = "USD",
              platform = { networking = { retry = { maxRetries = 3, jitter = 0.5 } } },
              routables = {
                promo = {
                  -- No paths yet.
                  paths = { "promo" },
                  handle = function(link, state)
                    if link.parameters.a ~= nil and true then state:show("promo") end
                    local seen = 1
                  end,
                },
                home = { waitForPreconditions = { "signedIn" } },
              },
            }

            """
        #expect(Self.text(result) == fixed)
        #expect(result.findings.filter { $0.code != .secretUnset }.isEmpty, "\(result.findings)")
        #expect(result.isComplete && result.refused.isEmpty)
        // Positions refer to the original file.
        let places = result.files.flatMap(\.fixes).map { "\($0.position.line):\($0.position.column ?? 0) \($0.title)" }
        #expect(places.contains("9:41 write maxRetries") && places.contains("14:32 write nil"), "\(places)")
        #expect(places.contains("15:9 write local seen"), "\(places)")
    }

    @Test func fileIncludedBySeveralMarketsIsFixedOnce() throws {
        let result = try Self.result(
            [
                "shared/retry.lua": "-- Shared.\nreturn { maxRetires = 3 }\n",
                "xx.lua": Self.market("xx", retry: "include \"shared/retry.lua\""),
                "yy.lua": Self.market("yy", retry: "include \"shared/retry.lua\""),
            ], ["xx", "yy"])
        #expect(result.files.map(\.name) == ["shared/retry.lua"])
        #expect(Self.text(result, "shared/retry.lua") == "-- Shared.\nreturn { maxRetries = 3 }\n")
        #expect(result.files.map(\.fixes.count) == [1])
    }

    private static func market(_ id: String, base: String = "us", retry: String) -> String {
        "return { id = \"\(id)\", name = \"\(id)\", extends = \"\(base)\", platform = { networking = { retry = \(retry) } } }"
    }

    @Test func baseMarketIsFixedToo() throws {
        let files = [
            "base.lua": Self.market("base", retry: "{ maxRetires = 3 }"),
            "xx.lua": Self.market("xx", base: "base", retry: "{ jitter = \"0.5\" }"),
        ]
        let result = try Self.result(files)
        #expect(result.files.map(\.name) == ["base.lua", "xx.lua"])
        #expect(!result.findings.hasErrors)
    }

    @Test func fixThatBreaksAnotherMarketIsUndone() throws {
        // The other market unsets a key that only exists as long as it is misspelled.
        let files = [
            "xx.lua": Self.market("xx", retry: "{ maxRetires = 3 }"),
            "yy.lua": "return { id = \"yy\", name = \"Y\", extends = \"xx\", locales = { \"en-US\" },\n"
                + "platform = { networking = { retry = { maxRetries = 1, maxRetires = unset } } } }",
        ]
        let result = try Self.result(files)
        #expect(result.files.isEmpty)
        #expect(result.refused.map(\.title) == ["write maxRetries"])
        #expect(result.findings.hasErrors)
    }

    /// Each has an unambiguous fix that causes another error, next to a valid fix.
    @Test(arguments: [
        ("platform = { networking = { retry = { jitter = \"7\" } } }", "remove the quotes: 7"),
        ("platform = { networking = { retry = { maxRetries = \"99\" } } }", "remove the quotes: 99"),
    ])
    func validFixDoesNotHideInvalidOne(key: String, title: String) throws {
        let source = "return { id = \"xx\", name = \"X\", extends = \"us\", currency = \"usd\",\n\(key) }"
        let result = try Self.result(["xx.lua": source])
        #expect(Self.text(result) == source.replacing("usd", with: "USD"))
        #expect(result.refused.map(\.title) == [title])
        #expect(result.refused.first?.newError?.contains("error: ") == true)
        #expect(result.findings.count { $0.severity == .error } == 1)
    }

    @Test func fixDoesNotCreateInheritanceCycle() throws {
        let result = try Self.result(["xx.lua": "return { id = \"xx\", name = \"X\", extends = \"xy\" }"])
        #expect(result.files.isEmpty)
        #expect(result.findings.map(\.code).contains(.missingBase))
        #expect(!result.findings.contains { $0.hint?.contains("\"xx\"") == true })
        // A market that extends this one has a similar name, too.
        let two = try Self.result([
            "xx.lua": "return { id = \"xx\", name = \"X\", extends = \"xyz\" }",
            "xyy.lua": "return { id = \"xyy\", name = \"Y\", extends = \"xx\" }",
        ])
        #expect(two.files.isEmpty)
        #expect(!two.findings.map(\.code).contains(.inheritanceCycle))
    }

    /// A small market without a base, with additional entries.
    private static func base(_ entries: String, routables: String = "") throws -> String {
        try String(contentsOf: MarketFixture.repository.appending(path: "Tests/Cases/us.lua"), encoding: .utf8)
            .replacing("id = \"us\",", with: "id = \"bb\", \(entries)")
            .replacing("routables = {", with: "routables = { \(routables)")
    }

    private static func child(_ entries: String) -> String {
        "return { id = \"zz\", name = \"Z\", extends = \"bb\", locales = { \"en-CA\" }, currency = \"CAD\",\n\(entries) }"
    }

    @Test(arguments: [
        (
            "foo = { paths = { \"x/:a\" }, show = { screen = \"f\", parameters = { item = \"{a}\" } } },",
            "routables = { foo = { paths = { \"y\" } } }", FindingCode.inconsistent
        ),
        (
            "foo = { paths = { \"x/:ab\" }, show = { screen = \"f\", parameters = { item = \"{ab}\" } } },",
            "routables = { foo = { paths = { \"y/:ba\" } } }", .inconsistent
        ),
        (
            """
            foo = { paths = { "x/:a" }, show = { screen = "f", requires = { "item" }, parameters = { item = "{a}" } } },
            """,
            "routables = { foo = { show = { parameters = { item = unset, items = \"{a}\" } } } }", .inconsistent
        ),
        (
            "foo = { paths = { \"x/:item\" }, show = { screen = \"f\", requires = { \"item\" } } },",
            "routables = { foo = { paths = { \"x/:items\" } } }", .inconsistent
        ),
        (
            "foo = { paths = { \"x\" }, show = { screen = \"f\" }, waitForPreconditions = { \"warm\" } },",
            "preconditions = { warm = unset, warms = { doc = \"Y.\" } }", .unknownPrecondition
        ),
    ])
    func validBaseIsKeptAndChangeIsReported(routable: String, change: String, code: FindingCode) throws {
        let base = try Self.base("preconditions = { warm = { doc = \"X.\" } },", routables: routable)
        let files = ["bb.lua": base, "zz.lua": Self.child(change)]
        #expect(try MarketFixture(files).diagnostics("bb", limits: MarketFixture.patientLimits) == "")
        let result = try Self.result(files, ["zz"])
        #expect(result.files.isEmpty && result.refused.isEmpty)
        let finding = try #require(result.findings.first { $0.code == code })
        #expect(finding.position?.file.hasSuffix("/zz.lua") == true && finding.position?.line == 2, "\(finding)")
        #expect(finding.related.count == 1 && finding.related[0].position.file.hasSuffix("/bb.lua"))
        #expect(finding.fix == nil)
    }

    @Test func mistakeOverriddenByAnotherMarketIsFixed() throws {
        let base = try Self.base("").replacing("currency = \"USD\"", with: "currency = \"usd\"")
        let result = try Self.result(["bb.lua": base, "zz.lua": Self.child("")], ["bb"])
        #expect(Self.text(result, "bb.lua") == base.replacing("\"usd\"", with: "\"USD\""))
        #expect(result.refused.isEmpty && !result.findings.hasErrors)
    }

    @Test(arguments: [
        ("extedns = \"zz\",", "", "bb"), ("", "extedns = \"zz\",", "zz"),
    ])
    func misspelledExtendsIsNotFixedIntoCycle(inBase: String, inChild: String, market: String) throws {
        let child = Self.child(inChild)
        let result = try Self.result(
            [
                "bb.lua": try Self.base(inBase),
                "zz.lua": inChild.isEmpty ? child : child.replacing("extends = \"bb\",", with: ""),
            ], [market])
        #expect(result.files.isEmpty)
        #expect(result.refused.map(\.title) == ["write extends"])
        #expect(!result.findings.contains { $0.code == .inheritanceCycle })
    }

    @Test(arguments: [
        ("account = { paths = { \"sell\" }, custompaths = { \"sell\" } }", "write customPaths"),
        ("carts = { paths = { \"buy\" } }", "write cart"),
        ("foo = { path = { \"buy\" }, show = { screen = \"f\" } }", "write paths"),
    ])
    func misspelledKeyIsNotFixedIntoConflict(routable: String, title: String) throws {
        let result = try Self.result(
            ["bb.lua": try Self.base(""), "zz.lua": Self.child("routables = { \(routable) }")], ["zz"])
        #expect(result.refused.map(\.title).contains(title), "\(result.refused)")
        #expect(!result.findings.contains { $0.code == .routeConflict }, "\(result.findings)")
    }

    @Test func newWarningDoesNotPreventFix() throws {
        let source = Self.child(
            "platform = { appInfo = { bundleIdentifier = \"com.z.z\", build = \"2\" }, networking = { tracking = true } }"
        )
        let result = try Self.result(["bb.lua": try Self.base(""), "zz.lua": source], ["zz"])
        #expect(Self.text(result, "zz.lua") == source.replacing("\"2\"", with: "2"))
        #expect(result.refused.isEmpty && !result.findings.hasErrors)
        #expect(result.findings.contains { $0.severity == .warning && $0.code != .secretUnset })
    }

    @Test func misspelledDuplicateOfKeyIsKept() throws {
        let result = try Self.result(["xx.lua": Self.market("xx", retry: "{ maxRetries = 1, maxRetires = 3 }")])
        #expect(result.files.isEmpty)
        #expect(result.refused.map(\.title) == ["write maxRetries"])
    }

    @Test func findingsBelowFixedKeyAreReported() throws {
        let result = try Self.result(["xx.lua": Self.market("xx", retry: "{ maxRetires = 30 }")])
        #expect(Self.text(result)?.contains("{ maxRetries = 30 }") == true)
        #expect(result.findings.map(\.code).contains(.outOfRange))
        let section = try Self.result([
            "xx.lua": "return { id = \"xx\", name = \"X\", extends = \"us\", "
                + "platfrom = { networking = { tracking = 1 }, urlSession = { x = 1 } } }"
        ])
        #expect(Self.text(section)?.contains("platform = {") == true)
        #expect(section.findings.count { $0.severity == .error } == 2)
    }

    @Test(arguments: [
        // The table's line is removed, with its indentation and its line feed.
        ("{\n  A = \"1\",\n  B = \"2\", -- two\n  A = \"1\",\n}", "{\n  A = \"1\",\n  B = \"2\", -- two\n}"),
        ("{ A = \"1\", A = \"1\" }", "{ A = \"1\" }"),
        ("{ A = \"1\"; A = \"1\"; B = \"2\" }", "{ A = \"1\"; B = \"2\" }"),
        ("{ A = \"1\",\n  [\"A\"] = '1' -- again\n}", "{ A = \"1\",\n   -- again\n}"),
        ("{\r\n\tA = \"1\",\r\n\tA = \"1\",\r\n}", "{\r\n\tA = \"1\",\r\n}"),
    ])
    func duplicateEntryIsRemoved(headers: String, fixed: String) throws {
        func file(_ text: String) -> String {
            "return { id = \"xx\", name = \"X\", extends = \"us\", platform = { networking = { headers = \(text) } } }"
        }
        let result = try Self.result(["xx.lua": file(headers)])
        #expect(Self.text(result) == file(fixed))
        #expect(!result.findings.hasErrors, "\(result.findings)")
    }

    @Test(arguments: [
        ("{}", "{ paths = { \"promo\" } }"), ("{ }", "{ paths = { \"promo\" } }"),
        ("{ show = { screen = \"p\" } }", "{ paths = { \"promo\" }, show = { screen = \"p\" } }"),
        ("{ -- none\n\t\tshow = {} }", "{ -- none\n\t\tpaths = { \"promo\" },\n\t\tshow = {} }"),
        ("{\r\n  show = {} }", "{\r\n  paths = { \"promo\" },\r\n  show = {} }"),
        ("{ --[[ none\n ]] show = {} }", "{ --[[ none\n ]] paths = { \"promo\" }, show = {} }"),
    ])
    func pathsAreWrittenLikeOtherEntries(routable: String, fixed: String) throws {
        // Compares only what the fix writes: some of these have no action, which remains an error.
        func file(_ text: String) -> String {
            "return { id = \"xx\", name = \"X\", extends = \"us\", routables = { promo = \(text) } }"
        }
        let findings = try MarketFixture(["xx.lua": file(routable)]).loader(limits: MarketFixture.patientLimits)
            .check("xx").findings
        guard let edit = findings.first(where: { $0.path.description == "routables.promo.paths" })?.fix?.edits.first
        else {
            #expect(!routable.contains("screen"))
            return
        }
        var bytes = Array(file(routable).utf8)
        bytes.replaceSubrange(edit.bytes, with: edit.text.utf8)
        #expect(String(decoding: bytes, as: UTF8.self) == file(fixed))
    }

    @Test func missingMarketDoesNotPreventOtherFixes() throws {
        let result = try Self.result(["xx.lua": Self.market("xx", retry: "{ maxRetires = 3 }")], ["nowhere", "xx"])
        #expect(result.unreadable.count == 1)
        #expect(result.files.map(\.name) == ["xx.lua"])
    }

    @Test(arguments: [
        (
            "promo = { paths = { \"p\" }, handler = \"openPrmo\" }",
            "promo = { paths = { \"p\" }, handler = \"openPromo\" }"
        ),
        ("pharmcy = false", "pharmacy = false"),
        ("[\"pharmcy\"] = false", "[\"pharmacy\"] = false"),
        (
            "promo = { paths = { \"p/:id\" }, show = { screen = \"p\", parameters = { item = \"{id}\" }, requires = { \"itm\" } } }",
            "promo = { paths = { \"p/:id\" }, show = { screen = \"p\", parameters = { item = \"{id}\" }, requires = { \"item\" } } }"
        ),
        (
            "promo = { paths = { \"p/:id\" }, show = { screen = \"p\", parameters = { a = \"{{di}} {di}/{di|0}\" } } }",
            "promo = { paths = { \"p/:id\" }, show = { screen = \"p\", parameters = { a = \"{{di}} {id}/{id|0}\" } } }"
        ),
        (
            "} , platform = { networking = { defaultService = \"identty\" }",
            "} , platform = { networking = { defaultService = \"identity\" }"
        ),
    ])
    func misspelledNameOfAnyKindIsFixed(routables: String, fixed: String) throws {
        func file(_ text: String) -> String {
            "return { id = \"xx\", name = \"X\", extends = \"us\", routables = { \(text) } }"
        }
        let fixture = try MarketFixture(["xx.lua": file(routables)])
        let module = MarketModule.platformInMemory.including(
            MarketModule("promo", handlers: [LinkHandler("openPromo", "Opens it.") { _, _, _ in true }]))
        let loader = MarketLoader(
            module, folder: MarketFolder(path: fixture.folder.path), limits: MarketFixture.patientLimits)
        let result = try withExtendedLifetime(fixture) { try MarketFixer.run(["xx"], with: loader) }
        #expect(Self.text(result) == file(fixed))
        #expect(!result.findings.hasErrors, "\(result.findings)")
    }

    @Test func unlistedMistakesAreFixedInSameRun() throws {
        let routables = (1...250).map {
            "    r\($0) = { paths = { \"r\($0)\" }, show = { screen = \"r\" }, waitForPreconditions = { \"signedin\" } },\n"
        }
        let source =
            "return { id = \"xx\", name = \"X\", extends = \"us\",\n  routables = {\n" + routables.joined() + "} }\n"
        let result = try Self.result(["xx.lua": source])
        #expect(Self.text(result) == source.replacing("signedin", with: "signedIn"))
        #expect(!result.findings.hasErrors && result.files.map(\.fixes.count) == [250])
    }

    @Test func oversizedFileIsNotFixed() throws {
        let source =
            "return { id = \"xx\", name = \"X\", extends = \"us\", currency = \"USD\", currency = \"USD\" }\n"
            + String(repeating: "-", count: 70_000)
        let result = try Self.result(["xx.lua": source])
        #expect(result.files.isEmpty && result.refused.isEmpty)
    }

    @Test func folderWithAnyNameIsFixed() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "märkte 😀 \(UUID().uuidString)")
        try FileManager.default.copyItem(at: MarketFixture.repository.appending(path: "markets"), to: folder)
        defer { try? FileManager.default.removeItem(at: folder) }  // the system cleans up if this fails
        try Data(Self.market("xx", retry: "{ maxRetires = 3 }").utf8).write(to: folder.appending(path: "xx.lua"))
        let loader = MarketLoader(
            .platformInMemory, folder: MarketFolder(path: folder.path), limits: MarketFixture.patientLimits)
        #expect(try MarketFixer.run(["xx"], with: loader).files.map(\.name) == ["xx.lua"])
    }

    @Test func manyMistakesOfOneKindAreFixedInOneRun() throws {
        let count = rounds(all: 300, few: 100)
        let lines = (1...count).map { "    \"X-\($0)\": \"v\"," }.joined(separator: "\n")
        let result = try Self.result([
            "xx.lua":
                "{\n  \"id\": \"xx\", \"name\": \"X\", \"extends\": \"us\",\n  \"platform\": { \"networking\": { \"headers\": {\n"
                + lines + "\n  } } }\n}"
        ])
        #expect(result.isComplete)
        #expect(!result.findings.hasErrors, "\(result.findings.first.map { "\($0)" } ?? "")")
        #expect(Self.text(result)?.contains("    [\"X-\(count)\"] = \"v\",\n") == true)
    }
}
