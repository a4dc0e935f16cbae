import Foundation
import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema
import LuaBridge
import Testing

/// The exact text of every diagnostic that a market file can cause.
@Suite(.timeLimit(.minutes(5)))
struct MarketDiagnosticsTests {
    @Test(arguments: [
        (
            "platform = { networking = { retry = { maxRetries = \"3\" } } },",
            """
            markets/xx.lua:2:52: error: platform.networking.retry.maxRetries: expected an integer from 0 to 10, got "3"
              hint: remove the quotes: 3
            """
        ),
        (
            "platform = { networking = { retry = { maxRetries = 11 } } },",
            "markets/xx.lua:2:52: error: platform.networking.retry.maxRetries: expected an integer from 0 to 10, got 11"
        ),
        (
            "platform = { networking = { retry = { maxRetires = 3 } } },",
            """
            markets/xx.lua:2:39: error: platform.networking.retry.maxRetires: unknown key
              hint: did you mean "maxRetries"?
            """
        ),
        (
            "platform = { networking = { retry = { maxAttempts = 3 } } },",
            """
            markets/xx.lua:2:39: error: platform.networking.retry.maxAttempts: this key was renamed to maxRetries
              hint: write maxRetries
            """
        ),
        (
            "platform = { networking = { retry = { maxAttempts = \"3\" } } },",
            """
            markets/xx.lua:2:39: error: platform.networking.retry.maxAttempts: this key was renamed to maxRetries
              hint: write maxRetries
            markets/xx.lua:2:53: error: platform.networking.retry.maxAttempts: expected an integer from 0 to 10, got "3"
              hint: remove the quotes: 3
            """
        ),
        (
            "platform = { networking = { retry = { maxAttempts = unset } } },",
            """
            markets/xx.lua:2:39: error: platform.networking.retry.maxAttempts: this key was renamed to maxRetries
              hint: write maxRetries
            """
        ),
        (
            "platform = { networking = { retry = { maxAttempts = append { 3 } } } },",
            """
            markets/xx.lua:2:39: error: platform.networking.retry.maxAttempts: this key was renamed to maxRetries
              hint: write maxRetries
            markets/xx.lua:2:53: error: platform.networking.retry.maxAttempts: expected an integer from 0 to 10, got a list
            """
        ),
        (
            "currency = unset,",
            """
            markets/xx.lua:2:12: error: currency: missing: expected a currency code of three capital letters, such as "CAD"
              hint: The currency of prices, as in ISO 4217.
            """
        ),
        (
            "routables = { acount = { paths = { \"x\" } } },",
            """
            markets/xx.lua:2:15: error: routables.acount: the app has no routable of this id, and the market does not say what its links do
              hint: did you mean "account"?
            """
        ),
        (
            "platform = { analytics = { sinks = { \"log\" } } },",
            """
            markets/xx.lua:2:36: warning: platform.analytics.sinks: requests are tracked, and no event leaves the device
              hint: name a sink: { "collector" } with a table collector, or { "app" } where the app's program lists its own; or set networking.tracking = false
            """
        ),
        (
            "routables = { acount = true, home = { paths = { \"cart\" } } },",
            """
            markets/xx.lua:2:15: error: routables.acount: the app has no routable of this id, and the market does not say what its links do
              hint: did you mean "account"?
            markets/xx.lua:2:49: error: routables.home.paths[1]: "cart" clashes with "cart" of cart (markets/us.lua:161:12): both match "cart" with equal rank
              hint: change or remove one of them
            """
        ),
        // The market's own route is the one that changed something, also where it sorts first.
        (
            "routables = { account = { paths = { \"cart\" } } },",
            """
            markets/xx.lua:2:37: error: routables.account.paths[1]: "cart" clashes with "cart" of cart (markets/us.lua:161:12): both match "cart" with equal rank
              hint: change or remove one of them
            """
        ),
        (
            "routables = { trips = { paths = { \"cart\" }, show = { screen = \"t\" } } },",
            """
            markets/xx.lua:2:35: error: routables.trips.paths[1]: "cart" clashes with "cart" of cart (markets/us.lua:161:12): both match "cart" with equal rank
              hint: change or remove one of them
            """
        ),
        // Of two keys that contradict each other, the one that the market itself sets.
        (
            "platform = { networking = { retry = { maximumDelaySeconds = 0.1 } } },",
            """
            markets/xx.lua:2:61: error: platform.networking.retry.initialDelaySeconds: 0.5 is more than maximumDelaySeconds, 0.1
            """
        ),
        (
            "routables = { promo = { handle = function() return true end } },",
            """
            markets/xx.lua:2:23: error: routables.promo.paths: missing: a routable of the market's own has no standard paths
              hint: write paths = { "promo" }
            """
        ),
        (
            "routables = { home = { paths = { \"cart\" } } },",
            """
            markets/xx.lua:2:34: error: routables.home.paths[1]: "cart" clashes with "cart" of cart (markets/us.lua:161:12): both match "cart" with equal rank
              hint: change or remove one of them
            """
        ),
        (
            "routables = { home = { paths = { \"a/:b(integer)\" } } },",
            """
            markets/xx.lua:2:40: error: routables.home.paths[1]: pattern "a/:b(integer)": unknown type "integer"; write int, uuid, slug, alnum or a list such as en|fr
              hint: a/:b(integer)
                         ^^^^^^^
            """
        ),
        (
            "routables = { item = { customPaths = { \"i/:name\" } } },",
            """
            markets/xx.lua:2:40: warning: routables.item.customPaths[1]: item needs itemID, which this pattern does not give
              hint: add :itemID to the pattern; without it item declines each link that has no such query item
            """
        ),
        (
            "deepLinking = { schemes = append { \"walmart\" } },",
            """
            markets/xx.lua:2:36: error: deepLinking.schemes[2]: "walmart" is already element 1 of this list
            """
        ),
        (
            "platform = { permissions = { notificationOptions = remove { \"carPlay\" } } },",
            """
            markets/xx.lua:2:61: error: platform.permissions.notificationOptions[1]: remove: "carPlay" is not in the list of the market that this one extends
            """
        ),
        (
            "platform = { permissions = { locationLevel = append { \"always\" } } },",
            """
            markets/xx.lua:2:46: error: platform.permissions.locationLevel: append{…} needs a list in a market that this one extends, got "whenInUse"
            """
        ),
        (
            "platform = { preferences = { keys = { storeId = unset } } },",
            """
            markets/xx.lua:2:49: error: platform.preferences.keys.storeId: unset: no market that this one extends has this key
              hint: did you mean "storeID"?
            """
        ),
        (
            "platform = { networking = { headers = { [\"X-A\"] = append { \"b\" } } } },",
            """
            markets/xx.lua:2:51: error: platform.networking.headers["X-A"]: append{…}: no market that this one extends has this key
              hint: write a plain list, or extend a market that has one
            markets/xx.lua:2:51: error: platform.networking.headers["X-A"]: expected printable ASCII text without line breaks, got a list
            """
        ),
        (
            "platform = { networking = { consumerKey = \"hunter2\" } },",
            """
            markets/xx.lua:2:43: error: platform.networking.consumerKey: expected a secret, written secret "NAME", not a literal
              hint: a market file is no place for a secret: name it, and set the name in the host's environment
            """
        ),
        (
            "name2 = 1 / 0,",
            """
            markets/xx.lua:2:1: error: name2: unknown key
              hint: did you mean "name"?
            """
        ),
        (
            "locales = { \"en-US\", us = 1 },",
            """
            markets/xx.lua:2:11: error: locales: expected a list, each a locale of language and region, such as "fr-CA", got a table with keys
            markets/xx.lua:2:13: error: locales[1]: this table has both keys and list elements
              hint: give the element a key, or move it to a list
            """
        ),
        (
            "locales = { \"en-US\", nil, \"fr-FR\" },",
            """
            markets/xx.lua:2:27: error: locales: this list has a hole: element 2 is missing, and element 3 is there
              hint: leave nothing out and write no nil in a list
            """
        ),
        (
            "locales = { [2] = \"en-US\" },",
            """
            markets/xx.lua:2:14: error: locales: the key [2] is a number: keys are names, and lists start at 1 and have no holes
              hint: write the key as a text: ["2"]
            """
        ),
        (
            "locales = { [true] = \"en-US\" },",
            """
            markets/xx.lua:2:11: error: locales: a key of this table is neither a name nor a list position
              hint: keys are names, such as id = or ["a b"] =
            """
        ),
        (
            "locales = (function() local t = {} for i = 1, 10001 do t[i] = \"x\" end return t end)(),",
            "markets/xx.lua:2:11: error: locales: the list has 10,001 elements; the most is 10,000"
        ),
        (
            "locales = append((function() local t = {} for i = 1, 9999 do t[i] = \"x\" end return t end)()),",
            "markets/xx.lua:2:11: error: locales: append{…} makes a list of 10,001 elements; the most is 10,000"
        ),
        (
            "platform = { networking = { headers = { [(\"x\"):rep(257)] = \"1\" } } },",
            """
            markets/xx.lua:2:39: error: platform.networking.headers: the key "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…" has 257 bytes; the most is 256
              hint: give it a shorter name
            """
        ),
        (
            "platform = { address = { postalCodePattern = \"[0-9]{3}\\z  (\\x61+)+\" } },",
            """
            markets/xx.lua:2:66: error: platform.address.postalCodePattern: pattern "[0-9]{3}(a+)+": what repeats cannot contain what repeats
              hint: write the inner or the outer part out
            """
        ),
        (
            "platform = { address = { postalCodePattern = \"[0-9]{5}\" .. \"|x.\" } },",
            """
            markets/xx.lua:2:46: error: platform.address.postalCodePattern: pattern "[0-9]{5}|x.": a pattern has no "." for any character
              hint: write a class such as [A-Z0-9], or \\.
            """
        ),
        (
            "platform = { environment = { default = \"prodution\" } },",
            """
            markets/xx.lua:2:40: error: platform.environment.default: "prodution" is no environment
              hint: did you mean "production"?
            """
        ),
    ])
    func eachMistakeHasItsPlaceAndText(addition: String, text: String) throws {
        let found = try MarketFixture.diagnostics(of: addition)
        #expect(found == text)
    }

    /// A file that returns a function, and where what the function returns is told.
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
    func aKeyOfWhatAnIncludedFunctionReturnsIsToldThere(file: String, value: String, place: String) throws {
        let found = try MarketFixture.diagnostics(
            of: "platform = { networking = { retry = \(value) } },",
            files: ["f.lua": file, "g.lua": "return function(n) return { maxRetries = n + 0 } end"])
        #expect(
            found == "\(place): error: platform.networking.retry.maxRetries: expected an integer from 0 to 10, got 99")
    }

    @Test(arguments: [
        (
            "return { id = \"xx\" name = 1 }",
            """
            markets/xx.lua:1:19: error: a comma is missing here
              hint: write , before name
            """
        ),
        (
            "return { id = \"xx\",",
            """
            markets/xx.lua:1:8: error: { is opened here and not closed
              hint: write } where it ends
            """
        ),
        (
            "local limit = nil\nreturn { id = \"xx\", name = limit.x }",
            "markets/xx.lua:2:28: error: attempt to index a nil value (local 'limit')"
        ),
        (
            "return { id = os.getenv(\"HOME\") }",
            """
            markets/xx.lua:1:15: error: 'os' is not available in the config profile
              hint: a market file has append, include, market, remove, secret, unset, ipairs, math, pairs, string, table, tonumber, tostring, utf8, and what it declares itself
            """
        ),
        (
            "return { id = secrt \"A\" }",
            """
            markets/xx.lua:1:15: error: undefined global 'secrt'
              hint: did you mean "secret"?
            """
        ),
        ("error({})", "markets/xx.lua:1:1: error: error value is a table"),
        (
            "return 3",
            """
            markets/xx.lua:1:8: error: the file must return a table, got 3
              hint: begin the market with return { and end it with }
            """
        ),
        (
            "local t = {}",
            """
            markets/xx.lua:1:1: error: the file must return a table, got nothing
              hint: begin the market with return { and end it with }
            """
        ),
        (
            "return { id = \"yy\", name = \"Y\", extends = \"us\" }",
            """
            markets/xx.lua:1:15: error: id: expected "xx", the name of the file, got "yy"
              hint: rename the file to yy.lua, or write id = "xx"
            """
        ),
        (
            "return { name = \"Y\", extends = \"us\" }",
            """
            markets/xx.lua:1:8: error: id: missing: expected "xx", the name of the file
              hint: every market names itself; an id is not inherited
            """
        ),
        (
            "return { id = \"xx\", name = \"X\", extends = \"u\" }",
            """
            markets/xx.lua:1:43: error: extends: there is no market "u" to extend
              hint: did you mean "us"?
            """
        ),
        (
            "return { id = \"xx\", name = \"X\", extends = \"xx\" }",
            """
            markets/xx.lua:1:43: error: extends: markets extend each other in a circle: xx → xx
              hint: let one of them extend nothing
            """
        ),
        (
            "return { id = \"xx\", a = include \"../secret.lua\", name = \"X\", extends = \"us\" }",
            "markets/xx.lua:1:33: error: \"../secret.lua\" is not inside of markets: write a path below it, without \"..\""
        ),
        (
            "return { id = \"xx\", a = include \"none.lua\", name = \"X\", extends = \"us\" }",
            "markets/xx.lua:1:33: error: cannot read markets/none.lua: no such file or directory"
        ),
        (
            "local a = include \"xx.lua\" return { id = \"xx\", name = \"X\", extends = \"us\" }",
            "markets/xx.lua:1:19: error: files include each other in a circle: markets/xx.lua → markets/xx.lua"
        ),
        (
            "return { id = secret(3) }",
            "markets/xx.lua:1:15: error: secret expects a name, such as secret \"GLASS_CONSUMER_KEY\""
        ),
        (
            "return { id = append \"a\" }",
            "markets/xx.lua:1:15: error: append expects a list, such as append{ \"a\", \"b\" }"
        ),
        (
            "local function spin()\n  while true do end\nend\nspin()",
            """
            markets/xx.lua:2: error: the time limit is used up: \(200 * BuildSpeed.slowdownOfLua) ms of processor time
              hint: a market and what it extends may run for \(200 * BuildSpeed.slowdownOfLua) ms
            """
        ),
        (
            "local s = string.rep('x', 1e6)\nlocal t = {}\nfor i = 1, 1e6 do t[i] = s .. i end",
            """
            markets/xx.lua:3: error: the memory limit is used up: 16 MB
              hint: a market and what it extends may use 16 MB
            """
        ),
        (
            "local t = {} t.t = t\nreturn t",
            """
            markets/xx.lua:2:8: error: t: the table contains itself
              hint: a market is a tree: write the inner table out, or leave it out
            """
        ),
        (
            "return { id = \"xx\", name = \"\\xff\", extends = \"us\" }",
            """
            markets/xx.lua:1:28: error: name: the text is not valid UTF-8
              hint: save the file as UTF-8
            """
        ),
        (
            String(repeating: "-- 64 KB of comment\n", count: 4000),
            """
            markets/xx.lua:1:1: error: the file is larger than 64 KB
              hint: move long lists to files of their own, and include them
            """
        ),
    ])
    func eachFileThatCannotBeUsedSaysWhy(source: String, text: String) throws {
        let fixture = try MarketFixture(["xx.lua": source])
        let found = try fixture.diagnostics("xx")
        #expect(found == text)
        #expect(try fixture.loader().check("xx").market == nil)
    }

    /// Lua takes each such byte for a symbol, and the parser's message would only repeat that in its own words.
    @Test(
        arguments: [
            ("Latin-1", [0xE9] + Array(" = 1".utf8), "is not valid UTF-8"),
            ("UTF-16, little-endian", [0xFF, 0xFE] + "return {}".utf16.flatMap { [UInt8($0), 0] }, "is UTF-16"),
            ("UTF-16, big-endian", [0xFE, 0xFF] + "return {}".utf16.flatMap { [0, UInt8($0)] }, "is UTF-16"),
        ] as [(String, [UInt8], String)])
    func aFileInAnotherEncodingIsToldOnce(encoding: String, bytes: [UInt8], message: String) throws {
        let fixture = try MarketFixture([:])
        try Data(bytes).write(to: fixture.folder.appending(path: "xx.lua"))
        let found = try fixture.diagnostics("xx")
        #expect(
            found == """
                markets/xx.lua:1:1: error: the file \(message)
                  hint: save the file as UTF-8
                """)
    }

    @Test func aFormerNameIsReportedInTheFileThatHasIt() throws {
        let text = try MarketFixture.diagnostics(
            of: "platform = { networking = { retry = include \"shared/retry.lua\" } },",
            files: ["shared/retry.lua": "return {\n  maxRetries = 4,\n  maxAttempts = 4,\n}"])
        #expect(
            text == """
                markets/shared/retry.lua:3:3: error: platform.networking.retry.maxAttempts: this key was renamed to maxRetries
                  hint: write maxRetries
                """)
        let fixture = try MarketFixture([
            "aa.lua":
                "return { id = \"aa\", name = \"A\", extends = \"us\",\n platform = { networking = { retry = { maxAttempts = 4 } } } }",
            "bb.lua": "return { id = \"bb\", name = \"B\", extends = \"aa\" }",
        ])
        #expect(
            try fixture.diagnostics("bb") == """
                markets/aa.lua:2:40: error: platform.networking.retry.maxAttempts: this key was renamed to maxRetries
                  hint: write maxRetries
                """)
    }

    @Test func aWordInAMarketThatExtendsNothingHasNothingToApplyTo() throws {
        let fixture = try MarketFixture([
            "xx.lua": "return { id = \"xx\",\nlocales = append { \"en-CA\" }, currency = unset }"
        ])
        let lines = try fixture.diagnostics("xx").split(separator: "\n").filter { $0.contains("no market that") }
        #expect(
            lines == [
                "markets/xx.lua:2:11: error: locales: append{…}: no market that this one extends has this key",
                "markets/xx.lua:2:42: error: currency: unset: no market that this one extends has this key",
            ])
    }

    @Test func anErrorInAnIncludedFileIsReportedThere() throws {
        let text = try MarketFixture.diagnostics(
            of: "platform = { address = { regions = include \"shared/broken.lua\" } },",
            files: ["shared/broken.lua": "return {\n  { code = \"A\", nmae = \"Alpha\" },\n}"])
        #expect(
            text == """
                markets/shared/broken.lua:2:3: error: platform.address.regions[1].name: missing: expected text that is not empty
                  hint: The name.
                markets/shared/broken.lua:2:17: error: platform.address.regions[1].nmae: unknown key
                  hint: did you mean "name"?
                """)
    }

    @Test func aSyntaxErrorInAnIncludedFileIsReportedThere() throws {
        let text = try MarketFixture.diagnostics(
            of: "platform = { address = { regions = include \"shared/broken.lua\" } },",
            files: ["shared/broken.lua": "return {\n  { code = = },\n}"])
        #expect(text == "markets/shared/broken.lua:2:12: error: unexpected symbol near '='")
    }

    @Test func aValueThatCannotBeReadHidesNoOtherFinding() throws {
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

    @Test(arguments: ["extends = 3", "extends = \"nope\"", "extends = \"xx\""])
    func withoutItsBaseAMarketIsNotToldWhatIsMissing(extends: String) throws {
        let fixture = try MarketFixture(["xx.lua": "return { id = \"xx\", \(extends), currency = \"dollars\" }"])
        #expect(
            try fixture.loader().check("xx").findings.filter { $0.severity == .error }.map(\.path.description)
                == ["extends", "currency"])
    }

    @Test(arguments: ["\u{FEFF}", ""])
    func aByteOrderMarkAndCarriageReturnsChangeNoPosition(mark: String) throws {
        let fixture = try MarketFixture([
            "xx.lua": "\(mark)return {\r\n  id = \"xx\",\r\n  extends = \"us\",\r\n  name = 3,\r\n}\r\n"
        ])
        #expect(
            try fixture.diagnostics("xx") == "markets/xx.lua:4:10: error: name: expected text that is not empty, got 3")
    }

    @Test func whatAFileContainsCannotForgeLinesOrColours() throws {
        let fixture = try MarketFixture(["xx.lua": "error(\"boom\\n\\27[31mmarkets/us.lua:1:1: error: forged\", 0)"])
        #expect(
            try fixture.diagnostics("xx")
                == "markets/xx.lua:1:1: error: boom\\n\\u{1b}[31mmarkets/us.lua:1:1: error: forged")
    }

    @Test func aMisspeltIncludeIsSuggested() throws {
        let text = try MarketFixture.diagnostics(
            of: "platform = { address = { regions = include \"shared/us_region.lua\" } },")
        #expect(
            text == """
                markets/xx.lua:2:44: error: cannot read markets/shared/us_region.lua: no such file or directory
                  hint: did you mean "shared/us_regions.lua"?
                """)
    }

    /// One more is `append{…} makes a list of 10,001 elements`, in the table above.
    @Test func appendMakesTheLongestListThatAMarketMayHave() throws {
        let text = try MarketFixture.diagnostics(
            of: "locales = append((function() local t = {} for i = 1, 9998 do t[i] = \"x\" end return t end)()),")
        #expect(text == "markets/xx.lua:2:11: error: locales: expected at most 50 elements, got 10000")
    }

    @Test func unsetWithArgumentsSaysHowToWriteIt() throws {
        #expect(
            try MarketFixture.diagnostics(of: "locales = unset { \"en-US\" },")
                == "markets/xx.lua:2:11: error: unset stands alone: write key = unset")
    }

    @Test func aMarketInTheMiddleOfACircleIsNamed() throws {
        let fixture = try MarketFixture([
            "aa.lua": "return { id = \"aa\", name = \"A\", extends = \"bb\" }",
            "bb.lua": "return { id = \"bb\", name = \"B\",\n  extends = \"aa\" }",
        ])
        #expect(
            try fixture.diagnostics("aa") == """
                markets/bb.lua:2:13: error: extends: markets extend each other in a circle: aa → bb → aa
                  hint: let one of them extend nothing
                """)
    }

    @Test func allFindingsOfAFileComeAtOnceSortedByPosition() throws {
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

    @Test func aComputedValuePointsAtWhatBuiltIt() throws {
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

    @Test func anUnsetSecretIsAWarningAndASetOneIsNot() throws {
        let fixture = try MarketFixture()
        let names = ["GLASS_US_CONSUMER_KEY": "k1", "GLASS_US_ANIVIA_WRITE_KEY": "k2"]
        #expect(try fixture.loader(secrets: names).check("us").findings == [])
        let findings = try fixture.loader(secrets: ["GLASS_US_CONSUMER_KEY": "k1"]).check("us").findings
        #expect(findings.map(\.severity) == [.warning])
        #expect(findings.first?.message == "the secret GLASS_US_ANIVIA_WRITE_KEY is not set")
        let market = try fixture.loader(secrets: names).load("us")
        #expect(try market.config.networking.consumerKey?.reveal() == "k1")
    }

    @Test func aMissingMarketNamesTheNearest() throws {
        let fixture = try MarketFixture()
        let error = #expect(throws: MarketFolderError.self) { try fixture.loader().check("cq") }
        #expect(
            error?.description.replacingOccurrences(of: fixture.folder.path, with: "markets")
                == "there is no market \"cq\" in markets; did you mean \"ca\"?")
    }

    @Test func aMissingFolderIsNamed() {
        let loader = MarketLoader(.platform, folder: MarketFolder(path: "/nowhere/markets"))
        let error = #expect(throws: MarketFolderError.self) { try loader.check("us") }
        #expect(
            error?.description
                == "cannot read the markets folder /nowhere/markets: no such file or directory"
        )
    }

    @Test func aFolderInPlaceOfAFileCannotBeRead() throws {
        let fixture = try MarketFixture()
        try FileManager.default.createDirectory(
            at: fixture.folder.appending(path: "dd.lua"), withIntermediateDirectories: false)
        let error = #expect(throws: MarketFolderError.self) { try fixture.loader().check("dd") }
        #expect(error?.description.hasSuffix("dd.lua: it is not a regular file") == true)
    }

    @Test func aLinkOutOfTheFolderIsNotFollowed() throws {
        let fixture = try MarketFixture(["xx.lua": "return { id = \"xx\", a = include \"link.lua\" }"])
        try FileManager.default.createSymbolicLink(
            atPath: fixture.folder.appending(path: "link.lua").path, withDestinationPath: #filePath)
        #expect(
            try fixture.diagnostics("xx").contains(
                "\"link.lua\" is a link that leads out of markets: put the file itself there"))
    }

    @Test(arguments: [
        ("appInfo = {\n bundleIdentifier = unset }", "appInfo = { name = \"Z\" }", "mm.lua:3"),
        ("", "appInfo = {\n name = \"Z\",\n bundleIdentifier = unset }", "zz.lua:4"),
        // Whoever writes the table again has to write all of it.
        ("appInfo = {\n android = unset }", "appInfo = {\n android = {\n package = \"com.z\" } }", "zz.lua:3"),
    ])
    func aRequiredKeyThatIsDroppedIsToldAtItsUnset(base: String, market: String, place: String) throws {
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
}
