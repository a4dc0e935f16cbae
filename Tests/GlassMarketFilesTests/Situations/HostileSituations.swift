import Testing

/// Market files that say something about situations in ways that nobody means: each is read within the limits, and its
/// mistakes are findings.
enum HostileSituations {
    /// A file of the table: the additions to a market, or a whole file that begins with `!`.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        /// What the row has in common with others.
        var kind = ""

        var testDescription: String { name }

        /// The whole file.
        var file: String {
            if text.hasPrefix("!") { return String(text.dropFirst()) }
            return "return { id = \"zz\", name = \"Test\", extends = \"base\",\n\(text)\n}"
        }
    }

    /// A complete market that is checked quickly.
    static let base = """
        return { id = "base", name = "Base", locales = { "en-US", "es-US" }, currency = "USD",
          deepLinking = { schemes = { "base" } },
          conditions = { debug = { build = "debug" }, tablet = { deviceClass = "tablet" } },
          platform = {
            address = { country = "US", fieldOrder = { "street" }, requiredFields = { "street" },
              regions = { { code = "AL", name = "Alabama" } },
              postalCodePattern = "[0-9]{5}", postalCodeExample = "72716" },
            analytics = { sinks = { "app" } },
            aniviaSuperAttributes = { tenant = "t" },
            appInfo = { name = "T", bundleIdentifier = "com.example.t", version = "1.0", build = 1,
              teamIdentifier = "AB7W4LMART", appStoreIdentifier = "1" },
            environment = { default = "production",
              environments = { production = { services = { orchestra = "https://example.com" } } } },
            networking = { defaultService = "orchestra" },
            preferences = { suite = "group.com.example.t", keys = {} },
            userDefaultsRegistration = { suite = "group.com.example.t" },
          },
          routables = { promo = { paths = { "promo" }, show = { screen = "promo" } } } }
        """

    /// All files.
    static let rows: [Row] = sized + Self.misplaced + Self.strange + Self.whole

    private static func list(_ count: Int, _ element: (Int) -> String) -> String {
        (1...count).map(element).joined(separator: ", ")
    }

    private static func retries(_ value: String) -> String {
        "platform = { networking = { retry = { maxRetries = \(value) } } }"
    }

    /// What grows with a number, around each limit.
    private static let sized: [Row] = {
        let families: [(name: String, text: (Int) -> String)] = [
            (
                "overlays",
                { n in
                    "overlays = { " + list(n) { "{ name = \"o\($0)\", when = \"debug\", currency = \"CAD\" }" } + " }"
                }
            ),
            (
                "overlays that set a key differently",
                { n in
                    "overlays = { "
                        + list(n) {
                            "{ name = \"o\($0)\", when = { appVersion = \">= \($0)\" }, \(retries("\($0 % 9)")) }"
                        }
                        + " }"
                }
            ),
            ("attributes", { n in "attributes = { " + list(n) { "a\($0) = { type = \"boolean\" }" } + " }" }),
            (
                "attributes in one condition",
                { n in
                    "attributes = { " + list(n) { "a\($0) = { type = \"boolean\" }" } + " }, conditions = { all1 = { "
                        + list(n) { "a\($0) = true" } + " } }, "
                        + retries("vary { { when = \"all1\", value = 1 }, default = 2 }")
                }
            ),
            (
                "alternatives",
                { n in
                    retries(
                        "vary { " + list(n) { "{ when = { appVersion = \"\($0)\" }, value = \($0 % 9) }" }
                            + ", default = 2 }")
                }
            ),
            ("conditions", { n in "conditions = { " + list(n) { "c\($0) = { build = \"debug\" }" } + " }" }),
            (
                "conditions that name the next",
                { n in
                    "conditions = { " + list(n) { "c\($0) = \"c\($0 + 1)\"" } + ", c\(n + 1) = { build = \"debug\" } }"
                }
            ),
            ("conditions in a circle", { n in "conditions = { " + list(n) { "c\($0) = \"c\($0 % n + 1)\"" } + " }" }),
            (
                "conditions that name each other twice",
                { n in
                    "conditions = { c0 = { build = \"debug\" }, "
                        + list(n) { "c\($0) = any { all { \"c\($0 - 1)\", { region = \"CA\" } }, no \"c\($0 - 1)\" }" }
                        + " }, "
                        + retries("vary { { when = \"c\(n)\", value = 1 }, default = 2 }")
                }
            ),
            ("values of a test", { n in "conditions = { many = { region = { " + list(n) { _ in "\"CA\"" } + " } } }" }),
            (
                "versions of a test",
                { n in
                    "conditions = { many = { appVersion = { " + list(n) { "\">= \($0).0 < \($0).5\"" } + " } } }, "
                        + retries("vary { { when = \"many\", value = 1 }, default = 2 }")
                }
            ),
            (
                "names of a set",
                { n in
                    retries(
                        "vary { " + list(min(n, 60)) { "{ when = { audience = \"g\($0)\" }, value = \($0 % 9) }" }
                            + ", default = 2 }")
                }
            ),
            (
                "parts of a text",
                { n in
                    "attributes = { word = { type = \"text\" } }, conditions = { many = { word = { contains = { "
                        + list(n) { "\"x\($0)\"" } + " } } } }, "
                        + retries("vary { { when = \"many\", value = 1 }, default = 2 }")
                }
            ),
            (
                "any in any",
                { n in
                    "conditions = { deep = " + String(repeating: "any { ", count: n) + "\"debug\""
                        + String(repeating: " }", count: n) + " }"
                }
            ),
            (
                "no of no",
                { n in
                    "conditions = { deep = " + String(repeating: "no(", count: n) + "\"debug\""
                        + String(repeating: ")", count: n) + " }"
                }
            ),
            (
                "no of no in a test",
                { n in
                    "conditions = { deep = { build = " + String(repeating: "no(", count: n) + "\"debug\""
                        + String(repeating: ")", count: n) + " } }"
                }
            ),
            (
                "lists of lists in a test",
                { n in
                    "conditions = { deep = { build = " + String(repeating: "{ ", count: n) + "\"debug\""
                        + String(repeating: " }", count: n) + " } }"
                }
            ),
            (
                "vary in vary",
                { n in
                    retries(
                        String(repeating: "vary { { when = \"debug\", value = 1 }, default = ", count: n) + "2"
                            + String(repeating: " }", count: n))
                }
            ),
            (
                "vary in the value of vary",
                { n in
                    retries(
                        (1...n).map { "vary { { when = { appVersion = \">= \($0)\" }, value = " }.joined() + "2"
                            + String(repeating: " }, default = 1 }", count: n))
                }
            ),
            (
                "one vary in many places",
                { n in
                    "!local v = vary { { when = \"debug\", value = \"a\" }, default = \"b\" }\nlocal headers = {}\n"
                        + "for i = 1, \(n) do headers[\"WM-\" .. i] = v end\n"
                        + "return { id = \"zz\", name = \"Test\", extends = \"base\", platform = { networking = "
                        + "{ headers = headers } } }"
                }
            ),
            (
                "keys that vary by different attributes",
                { n in
                    "attributes = { " + list(min(n, 32)) { "a\($0) = { type = \"boolean\", pace = \"start\" }" }
                        + " }, platform = { networking = { headers = { "
                        + list(min(n, 32)) {
                            "h\($0) = vary { { when = { a\($0) = true }, value = \"x\" }, default = \"y\" }"
                        }
                        + " } } }"
                }
            ),
            (
                "routables that vary",
                { n in
                    "routables = { "
                        + list(n) {
                            "r\($0) = vary { { when = { appVersion = \">= \($0)\" }, value = { paths = { \"r/:x\" }, "
                                + "show = { screen = \"a\" } } }, default = false }"
                        } + " }"
                }
            ),
            (
                "appends to one list",
                { n in
                    "overlays = { "
                        + list(n) {
                            "{ name = \"o\($0)\", when = { appVersion = \"\($0)\" }, platform = { networking = { retry = "
                                + "{ statuses = append { \(400 + $0 % 100) } } } } }"
                        } + " }"
                }
            ),
            (
                "locales of perLocale",
                { n in
                    retries("perLocale { " + list(n) { "[\"en-\($0)\"] = \($0 % 9)" } + ", default = 1 }")
                }
            ),
            (
                "a long name",
                { n in "overlays = { { name = \"\(String(repeating: "x", count: n * 40))\", when = true } }" }
            ),
            (
                "a long text",
                { n in
                    "conditions = { long = { installID = \"\(String(repeating: "é", count: n * 10))\", "
                        + "region = \"\(String(repeating: "C", count: n))\" } }"
                }
            ),
            (
                "a long comparison",
                { n in
                    "conditions = { long = { appVersion = \"\(String(repeating: ">= 1 ", count: n))\" } }"
                }
            ),
            (
                "dates",
                { n in
                    retries(
                        "vary { "
                            + list(min(n, 63)) {
                                "{ when = { date = \">= 20\(10 + $0 % 80)-01-01T00:00Z\" }, value = \($0 % 9) }"
                            } + ", default = 2 }")
                }
            ),
        ]
        return families.flatMap { family in
            [1, 17, 65, 300].map { Row(name: "\($0) × \(family.name)", text: family.text($0), kind: family.name) }
        }
    }()

    /// A word or a table where it does not belong.
    private static let misplaced: [Row] = {
        let vary = "vary { { when = \"debug\", value = \"x\" }, default = \"y\" }"
        var texts: [String] = []
        for key in [
            "id", "extends", "locales", "name", "currency", "attributes", "conditions", "overlays", "routables",
        ] {
            for value in [
                vary, "perLocale { en = {}, es = {} }", "unset", "prepend { \"x\" }", "function() end", "missing",
            ] {
                texts.append(
                    key == "id" || key == "extends" || key == "name"
                        ? "!return { id = \"zz\", name = \"Test\", extends = \"base\", [\"\(key)\"] = \(value) }"
                        : "\(key) = \(value)")
            }
        }
        for word in ["append", "prepend", "remove", "any", "all", "no", "vary", "perLocale", "market"] {
            texts.append("deepLinking = { schemes = \(word) { \(vary) } }")
            texts.append("conditions = { odd = \(word) { \(word) { \"debug\" } } }")
        }
        texts += [
            "platform = { networking = { consumerKey = secret(\(vary)) } }",
            "platform = { address = include(\(vary)) }",
            retries("vary { { when = \"debug\", value = include \"shared/none.lua\" }, default = 2 }"),
            retries("vary { { when = \"debug\", value = include \"shared/us_regions.lua\" }, default = 2 }"),
            retries("vary { { when = \"debug\", value = unset }, default = 2 }"),
            retries("vary { { when = \"debug\", value = 1 }, default = unset }"),
            retries("vary { { when = \"debug\", value = secret \"GLASS_KEY\" }, default = append { 1 } }"),
            retries("vary { { when = \"debug\", value = missing }, default = present }"),
            retries("vary { { when = unset, value = 1 } }"),
            retries("vary { { when = append { \"debug\" }, value = 1 } }"),
            retries("vary { { when = \(vary), value = 1 } }"),
            retries("vary { { when = secret \"GLASS_KEY\", value = 1 } }"),
            retries("vary { { when = include \"shared/us_regions.lua\", value = 1 } }"),
            "overlays = append { { name = \"a\", when = true } }",
            "overlays = { a = { when = true } }",
            "overlays = { { name = \"a\", when = true, overlays = { { name = \"b\", when = true } } } }",
            "overlays = { { name = \"a\", when = true, conditions = {}, attributes = {}, id = \"x\", extends = \"us\" } }",
            "overlays = { { name = \(vary), when = true }, { name = {}, when = true }, { when = true }, {}, 3, unset }",
            "overlays = { { name = \"a\", when = true, beats = \"b\" }, { name = \"b\", beats = { {} }, when = false } }",
            "overlays = { { name = \"a\" } }",
            "conditions = { a = function() return true end, b = { build = function() end }, c = 3, d = { 1, 2 } }",
            "attributes = { build = { type = \"text\" }, any = { type = \"text\" }, a = 3, b = {}, c = { type = \"bit\" } }",
            "attributes = { a = { type = \"choice\", values = {} }, b = { type = \"text\", values = { \"x\" } } }",
        ]
        return texts.map { Row(name: $0, text: $0, kind: "misplaced") }
    }()

    /// Values that a test cannot compare with, and texts that are nearly right.
    private static let strange: [Row] = {
        let values = [
            "0/0", "1/0", "-0.0", "9007199254740993", "math.mininteger", "true", "{}", "{ {} }", "{ is = 3 }",
            "{ is = \"missing\", no = 1 }", "{ prefix = {} }", "{ prefix = \"\", anyCase = 3 }", "{ contains = {} }",
            "\"\"", "\" \"", "\">=\"", "\">= \"", "\"<>= 1\"", "\"= 1 = 2\"", "\"!= 1\"", "\">= 1 > 2 < 3\"",
            "\"1.2.3.4.5\"", "\"1.-1\"", "\"99999999999999999999\"", "\"\\0\"", "\"\\255\"", "\"a\\u{301}\"",
            "\"2026-02-30T00:00Z\"", "\"0000-00-00T00:00Z\"", "\"9999-12-31T23:59:60+99:99\"", "\"fr-FR-x-y-z\"",
            "\"ZZ\"",
        ]
        let names = ["appVersion", "audience", "build", "date", "localDate", "locale", "region", "installID"]
        return values.enumerated().map { offset, value in
            // Each attribute meets each value in one of the rows.
            let tests = names.map { "\($0)Is = { \($0) = \(value) }" }.joined(separator: ", ")
            return Row(
                name: value, text: "conditions = { \(tests) }, \(retries("\(offset % 9)"))", kind: "strange")
        }
    }()

    /// Whole files: tables that contain themselves, metatables, and words that are called strangely.
    private static let whole: [Row] = [
        "local t = {} t[1] = { when = t, value = t } return { id = \"zz\", extends = \"base\", name = vary(t) }",
        "local t = {} t.build = t return { id = \"zz\", extends = \"base\", name = \"T\", conditions = { a = t } }",
        "local t = {} t[1] = t return { id = \"zz\", extends = \"base\", name = \"T\", overlays = t }",
        "local t = {} t[1] = t return { id = \"zz\", extends = \"base\", name = \"T\", conditions = { a = any(t) } }",
        "return vary { { when = \"debug\", value = { id = \"zz\" } } }",
        "return perLocale { en = { id = \"zz\" } }", "return any { { id = \"zz\" } }", "return no { id = \"zz\" }",
        "return missing", "return vary()", "return vary(vary)", "return vary(vary {})", "return any()", "return no()",
        "return no(nil)", "return perLocale(\"en\")", "return prepend(3)", "return present()",
        "missing.is = 3 return {}",
        "return { id = \"zz\", extends = \"base\", name = \"T\", conditions = setmetatable({}, { __index = vary }) }",
        "return { id = \"zz\", extends = \"base\", name = \"T\", overlays = { [2] = {}, [4] = {} } }",
        "return { id = \"zz\", extends = \"base\", name = \"T\", overlays = { [0] = {}, x = {} } }",
        "vary = 3 return { id = \"zz\", extends = \"base\", name = vary { 3 } }",
        "local v = {} for i = 1, 30 do v = vary { { when = \"debug\", value = v }, default = v } end "
            + "return { id = \"zz\", extends = \"base\", name = v }",
        "local c = \"debug\" for i = 1, 40 do c = all { c, c } end "
            + "return { id = \"zz\", extends = \"base\", name = \"T\", conditions = { c = c } }",
        "local c = { build = \"debug\" } for i = 1, 200 do c = no(c) end "
            + "return { id = \"zz\", extends = \"base\", name = \"T\", conditions = { c = c } }",
        "local l = {} for i = 1, 100000 do l[i] = \"debug\" end "
            + "return { id = \"zz\", extends = \"base\", name = \"T\", conditions = { c = any(l) } }",
        "local l = {} for i = 1, 50000 do l[i] = { name = \"o\" .. i, when = true } end "
            + "return { id = \"zz\", extends = \"base\", name = \"T\", overlays = l }",
        "local l = {} for i = 1, 50000 do l[i] = { when = { appVersion = \"\" .. i }, value = \"T\" } end "
            + "return { id = \"zz\", extends = \"base\", name = vary(l) }",
    ].map { Row(name: $0, text: "!\($0)", kind: "whole") }
}
