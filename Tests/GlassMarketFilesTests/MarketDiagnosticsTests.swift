import Foundation
import GlassBase
@testable import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema
import LuaBridge
import Testing

/// The exact text of every finding that a market file can cause.
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
              hint: write the value without braces: 3
            """
        ),
        (
            "currency = unset,",
            """
            markets/xx.lua:2:12: error: currency: missing: expected a currency code of three capital letters, such as "CAD"
              hint: write currency = "CAD",  -- The currency of prices, as in ISO 4217.
            """
        ),
        (
            "routables = { acount = { paths = { \"x\" } } },",
            """
            markets/xx.lua:2:15: error: routables.acount: unknown routable: the app does not define it, and the market gives it no show or handler
              hint: did you mean "account"?
            """
        ),
        (
            "platform = { analytics = { sinks = { \"log\" } } },",
            """
            markets/xx.lua:2:36: warning: platform.analytics.sinks: requests are tracked, but no event leaves the device
              hint: add a sink: { "collector" } with a table collector, or { "app" } if the app's program lists its own sinks; or set networking.tracking = false
            """
        ),
        (
            "routables = { acount = true, home = { paths = { \"cart\" } } },",
            """
            markets/xx.lua:2:15: error: routables.acount: unknown routable: the app does not define it, and the market gives it no show or handler
              hint: did you mean "account"?
            markets/xx.lua:2:49: error: routables.home.paths[1]: "cart" clashes with "cart" of cart (markets/us.lua:161:12): both match "cart" with equal rank
              hint: change or remove one of them
            """
        ),
        // The market's own route is the one that changed, even if it sorts first.
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
        // Of two contradicting keys, the one that the market itself sets.
        (
            "platform = { networking = { retry = { maximumDelaySeconds = 0.1 } } },",
            """
            markets/xx.lua:2:61: error: platform.networking.retry.initialDelaySeconds: 0.5 is more than maximumDelaySeconds, 0.1
              hint: write at most 0.1, or raise maximumDelaySeconds
            """
        ),
        (
            "routables = { promo = { handle = function() return true end } },",
            """
            markets/xx.lua:2:23: error: routables.promo.paths: missing: a routable that the market adds has no standard paths
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
            markets/xx.lua:2:40: warning: routables.item.customPaths[1]: item needs itemID, which this pattern does not supply
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
            markets/xx.lua:2:61: error: platform.permissions.notificationOptions[1]: remove: "carPlay" is not in the list of the base market
            """
        ),
        (
            "platform = { permissions = { locationLevel = append { \"always\" } } },",
            """
            markets/xx.lua:2:46: error: platform.permissions.locationLevel: append{…} needs a list in the base market, got "whenInUse"
              hint: write the value itself: "always"
            """
        ),
        (
            "platform = { preferences = { keys = { storeId = unset } } },",
            """
            markets/xx.lua:2:49: error: platform.preferences.keys.storeId: unset: no base market sets this key
              hint: did you mean "storeID"?
            """
        ),
        (
            "platform = { networking = { headers = { [\"X-A\"] = append { \"b\" } } } },",
            """
            markets/xx.lua:2:51: error: platform.networking.headers["X-A"]: append{…}: this key is not a list
              hint: write the value itself: "b"
            """
        ),
        (
            "platform = { networking = { consumerKey = \"hunter2\" } },",
            """
            markets/xx.lua:2:43: error: platform.networking.consumerKey: expected a secret, written secret "NAME", not a literal string
              hint: do not put secrets in market files: refer to it by name and set it in the host's environment
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
            markets/xx.lua:2:27: error: locales: this list has a hole: element 2 is missing, but element 3 exists
              hint: do not skip indices or use nil in a list
            """
        ),
        (
            "locales = { [2] = \"en-US\" },",
            """
            markets/xx.lua:2:14: error: locales: the key [2] is a number: keys are names, and lists start at 1 and have no holes
              hint: write the key as a string: ["2"]
            """
        ),
        (
            "locales = { [true] = \"en-US\" },",
            """
            markets/xx.lua:2:11: error: locales: a key of this table is neither a name nor a list index
              hint: keys are names, such as id = or ["a b"] =
            """
        ),
        (
            "locales = (function() local t = {} for i = 1, 10001 do t[i] = \"x\" end return t end)(),",
            "markets/xx.lua:2:11: error: locales: the list has 10,001 elements; the maximum is 10,000"
        ),
        (
            "locales = append((function() local t = {} for i = 1, 9999 do t[i] = \"x\" end return t end)()),",
            "markets/xx.lua:2:11: error: locales: append{…} creates a list of 10,001 elements; the maximum is 10,000"
        ),
        (
            "platform = { networking = { headers = { [(\"x\"):rep(257)] = \"1\" } } },",
            """
            markets/xx.lua:2:39: error: platform.networking.headers: the key "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…" has 257 bytes; the maximum is 256
              hint: use a shorter name
            """
        ),
        (
            "platform = { address = { postalCodePattern = \"[0-9]{3}\\z  (\\x61+)+\" } },",
            """
            markets/xx.lua:2:66: error: platform.address.postalCodePattern: pattern "[0-9]{3}(a+)+": nested repetition is not supported
              hint: expand the inner or the outer repetition
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
            markets/xx.lua:2:40: error: platform.environment.default: "prodution" is not an environment
              hint: did you mean "production"?
            """
        ),
    ])
    func mistakeIsReportedWithPositionAndText(addition: String, text: String) throws {
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
            found == "\(place): error: platform.networking.retry.maxRetries: expected an integer from 0 to 10, got 99")
    }

    @Test(arguments: [
        (
            "return { id = \"xx\" name = 1 }",
            """
            markets/xx.lua:1:19: error: a comma is missing here
              hint: add a comma before name
            """
        ),
        (
            "return { id = \"xx\",",
            """
            markets/xx.lua:1:8: error: { is opened here but not closed
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
              hint: a market file can use accept, all, any, append, include, market, missing, no, perLocale, prepend, present, remove, secret, undecided, unset, vary, ipairs, math, pairs, string, table, tonumber, tostring, utf8, and the names that it declares
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
              hint: each market must set its own id; it is not inherited
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
            markets/xx.lua:1:43: error: extends: markets extend each other in a cycle: xx → xx
              hint: remove extends from one of them
            """
        ),
        (
            "return { id = \"xx\", a = include \"../secret.lua\", name = \"X\", extends = \"us\" }",
            "markets/xx.lua:1:33: error: \"../secret.lua\" is outside markets: use a path below it, without \"..\""
        ),
        (
            "return { id = \"xx\", a = include \"none.lua\", name = \"X\", extends = \"us\" }",
            "markets/xx.lua:1:33: error: cannot read markets/none.lua: no such file or directory"
        ),
        (
            "local a = include \"xx.lua\" return { id = \"xx\", name = \"X\", extends = \"us\" }",
            "markets/xx.lua:1:19: error: files include each other in a cycle: markets/xx.lua → markets/xx.lua\n"
                + "  hint: remove this include, or move what both files need into a third one"
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
            markets/xx.lua:2: error: time limit exceeded: \(200 * BuildSpeed.slowdownOfLua) ms of CPU time
              hint: a market and its base markets may run for at most \(200 * BuildSpeed.slowdownOfLua) ms
            """
        ),
        (
            "local s = string.rep('x', 1e6)\nlocal t = {}\nfor i = 1, 1e6 do t[i] = s .. i end",
            """
            markets/xx.lua:3: error: memory limit exceeded: 16 MB
              hint: a market and its base markets may use at most 16 MB
            """
        ),
        (
            "local t = {} t.t = t\nreturn t",
            """
            markets/xx.lua:2:8: error: t: the table contains itself
              hint: a table cannot contain itself: copy the inner table or remove it
            """
        ),
        (
            "return { id = \"xx\", name = \"\\xff\", extends = \"us\" }",
            """
            markets/xx.lua:1:28: error: name: the string is not valid UTF-8
              hint: save the file as UTF-8
            """
        ),
        (
            String(repeating: "-- 64 KB of comment\n", count: 4000),
            """
            markets/xx.lua:1:1: error: the file is larger than 64 KB
              hint: move long lists to separate files and include them
            """
        ),
    ])
    func unusableFileIsExplained(source: String, text: String) throws {
        let fixture = try MarketFixture(["xx.lua": source])
        let found = try fixture.diagnostics("xx")
        #expect(found == text)
        #expect(try fixture.loader().check("xx").market == nil)
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
                markets/xx.lua:1:1: error: the file \(message)
                  hint: save the file as UTF-8
                """)
    }

    @Test func formerNameIsReportedInItsFile() throws {
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

    @Test func directiveWithoutBaseMarketIsReported() throws {
        let fixture = try MarketFixture([
            "xx.lua": "return { id = \"xx\",\nlocales = append { \"en-CA\" }, currency = unset }"
        ])
        let lines = try fixture.diagnostics("xx").split(separator: "\n").filter { $0.contains("no base market") }
        #expect(
            lines == [
                "markets/xx.lua:2:11: error: locales: append{…}: no base market sets this key",
                "markets/xx.lua:2:42: error: currency: unset: no base market sets this key",
            ])
    }

    @Test func errorInIncludedFileIsReportedThere() throws {
        let text = try MarketFixture.diagnostics(
            of: "platform = { address = { regions = include \"shared/broken.lua\" } },",
            files: ["shared/broken.lua": "return {\n  { code = \"A\", nmae = \"Alpha\" },\n}"])
        #expect(
            text == """
                markets/shared/broken.lua:2:17: error: platform.address.regions[1].nmae: unknown key
                  hint: did you mean "name"?
                """)
    }

    @Test func syntaxErrorInIncludedFileIsReportedThere() throws {
        let text = try MarketFixture.diagnostics(
            of: "platform = { address = { regions = include \"shared/broken.lua\" } },",
            files: ["shared/broken.lua": "return {\n  { code = = },\n}"])
        #expect(text == "markets/shared/broken.lua:2:12: error: unexpected symbol near '='")
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
                == "glass-host new writes a complete market; here, write currency = \"CAD\",  -- The currency of prices, "
                + "as in ISO 4217.")
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
                markets/xx.lua:4:10: error: name: expected a non-empty string, got 3
                  hint: write it in quotes, as in "3"
                """)
    }

    @Test func fileContentCannotForgeLinesOrColors() throws {
        let fixture = try MarketFixture(["xx.lua": "error(\"boom\\n\\27[31mmarkets/us.lua:1:1: error: forged\", 0)"])
        #expect(
            try fixture.diagnostics("xx")
                == "markets/xx.lua:1:1: error: boom\\n\\u{1b}[31mmarkets/us.lua:1:1: error: forged")
    }

    @Test func misspelledIncludeGetsSuggestion() throws {
        let text = try MarketFixture.diagnostics(
            of: "platform = { address = { regions = include \"shared/us_region.lua\" } },")
        #expect(
            text == """
                markets/xx.lua:2:44: error: cannot read markets/shared/us_region.lua: no such file or directory
                  hint: did you mean "shared/us_regions.lua"?
                """)
    }

    /// One more is `append{…} creates a list of 10,001 elements`, in the table above.
    @Test func appendUpToMaximumListLengthIsAllowed() throws {
        let text = try MarketFixture.diagnostics(
            of: "locales = append((function() local t = {} for i = 1, 9998 do t[i] = \"x\" end return t end)()),")
        #expect(text == "markets/xx.lua:2:11: error: locales: expected at most 50 elements, got 10000")
    }

    @Test func unsetWithArgumentsHasHint() throws {
        #expect(
            try MarketFixture.diagnostics(of: "locales = unset { \"en-US\" },")
                == "markets/xx.lua:2:11: error: unset takes no argument: write key = unset")
    }

    @Test func marketInMiddleOfInheritanceCycleIsReported() throws {
        let fixture = try MarketFixture([
            "aa.lua": "return { id = \"aa\", name = \"A\", extends = \"bb\" }",
            "bb.lua": "return { id = \"bb\", name = \"B\",\n  extends = \"aa\" }",
        ])
        #expect(
            try fixture.diagnostics("aa") == """
                markets/bb.lua:2:13: error: extends: markets extend each other in a cycle: aa → bb → aa
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
        let loader = MarketLoader(.platform, folder: MarketFolder(path: "/nowhere/markets"))
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
