import CommandTesting
import Foundation
import GlassInspector
import Testing
import TestSupport

@testable import GlassHost

/// `inspect --as html`, and the link sheet that the page and the static pages share.
@Suite(.timeLimit(.minutes(3)))
struct StaticPagesTests {
    /// A market with few links, and so with few codes to draw.
    private static let shop = """
        return {
          id = "shop", name = "Shop", locales = { "en-US" }, currency = "USD",
          deepLinking = { schemes = { "shop.shop" } },
          platform = {
            userDefaultsRegistration = { suite = "group.com.example.shop" }, aniviaSuperAttributes = { tenant = "shop" },
            environment = {
              default = "production",
              environments = { production = { services = { api = "https://api.example.com" } } },
            },
            networking = { defaultService = "api" },
            analytics = { sinks = { "collector" }, collector = { service = "api" } },
            appInfo = {
              name = "Shop", version = "1.0", build = 1, bundleIdentifier = "com.example.shop",
              teamIdentifier = "ABCDE12345", appStoreIdentifier = "1",
            },
            preferences = { suite = "group.com.example.shop", keys = {} },
            address = {
              country = "US", fieldOrder = { "recipient", "street", "city" }, requiredFields = { "recipient" },
              postalCodePattern = "[0-9]{5}", postalCodeExample = "12345", regions = {},
            },
          },
          routables = { home = {}, cart = {} },
        }
        """

    /// What a run wrote for the real markets.
    private struct Written {
        let status: Int32
        let output: String
        let errors: String
        let files: [String: String]

        init(_ options: [String] = []) throws {
            let folder = try TestFolder()
            _ = try folder.markets()
            let run = try HostRun(["inspect", "--as", "html", "--to", "pages"] + options, folder: folder.url)
            (status, output, errors) = (run.status, run.output, run.errors)
            files = try StaticPagesTests.files(in: folder.url.appending(path: "pages"))
            for (name, text) in files { #expect(!text.contains(folder.url.path), "\(name)") }
        }
    }

    /// The pages of the real markets, written once for the tests that only read them.
    private static let real = Result { try Written() }

    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
        try put(Self.shop, "markets/shop.lua")
    }

    private func write(to name: String = "pages", _ options: String...) throws -> HostRun {
        try HostRun(["inspect", "--as", "html", "--to", name] + options, folder: folder.url)
    }

    /// The texts of a folder's files, by name.
    private func files(in name: String = "pages") throws -> [String: String] {
        try Self.files(in: folder.url.appending(path: name))
    }

    private static func files(in url: URL) throws -> [String: String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try String(contentsOf: url.appending(path: $0), encoding: .utf8)) })
    }

    /// Writes a file into a folder, which is created if needed.
    private func put(_ text: String, _ name: String) throws {
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: name).deletingLastPathComponent(), withIntermediateDirectories: true)
        _ = try folder.write(text, to: name)
    }

    @Test func eachMarketHasACardAndALinkSheet() throws {
        let written = try Self.real.get()
        #expect(written.status == 0 && written.errors.isEmpty, "\(written.errors)")
        #expect(written.output == "wrote 5 files to pages; open pages/index.html\n")
        let files = written.files
        #expect(
            files.keys.sorted() == [
                "ca.html", "glass-host-pages.json", "index.html", "mx.html", "style.css", "us.html",
            ])
        let index = try #require(files["index.html"])
        #expect(index.contains("3 markets. The pages show the default situation."))
        #expect(index.contains("<a href=\"ca.html\">Canada</a>") && index.contains("✔ Healthy"))
        #expect(index.contains("Extends United States (us). Prices in CAD. Languages: en-CA and fr-CA."))
        #expect(index.contains("<a class=\"link\" href=\"walmart.ca://myaccount\">walmart.ca://myaccount</a>"))
        #expect(index.contains("Opens the Account screen on the Account tab."))
        #expect(index.contains("<code>newCheckout</code>: <strong>Off</strong>"))
        for (name, text) in files where name.hasSuffix(".html") {
            #expect(!text.contains("<script") && !text.contains(" style="), "\(name)")
            for match in text.matches(of: /(?:href|src)="([^"#:]+)"/) {
                #expect(files[String(match.1)] != nil, "\(name): \(match.1)")
            }
        }
    }

    @Test func sheetHasEachPatternWithItsCodes() throws {
        let sheet = try #require(try Self.real.get().files["ca.html"])
        #expect(sheet.matches(of: /<li class="entry">/).count == 36)
        #expect(sheet.contains(">Order detail</h2>") && sheet.contains(">orders/:orderID(slug)</code>"))
        #expect(sheet.contains("Opens once the app has started and the customer is signed in."))
        #expect(sheet.contains("Opens at any time."))
        #expect(sheet.contains("<dt><code>itemID</code></dt>\n<dd>a whole number</dd>"))
        let code = try #require(QRCode("https://www.walmart.ca/ip/42"))
        #expect(sheet.contains(code.svg(label: "Code of the web link https://www.walmart.ca/ip/42")))
        #expect(sheet.contains("<a href=\"index.html\">All markets</a>"))
    }

    @Test func sameMarketsGiveTheSameFilesWhateverTheFolderIsCalled() throws {
        _ = try write()
        _ = try write(to: "again", "--markets", folder.url.appending(path: "markets").path)
        #expect(try files().count == 4)
        #expect(try files() == files(in: "again"))
        for (name, text) in try files() { #expect(!text.contains(folder.url.path), "\(name)") }
    }

    @Test func personalValuesChangeNothing() throws {
        let personal = try Written(["--context", "customerID=c-4711", "--context", "audience=associates"])
        #expect(personal.status == 0, "\(personal.errors)")
        #expect(try Self.real.get().files == personal.files)
        // The command itself would show the value for such a person.
        let flags = try HostRun(["flags", "-m", "ca", "--context", "audience=associates"])
        #expect(flags.output.contains("TARGETING_MATCH by associates"))
        for (name, text) in personal.files { #expect(!text.contains("c-4711"), "\(name)") }
    }

    @Test func anotherSituationIsNamed() throws {
        let run = try write(to: "pages", "--context", "build=debug", "--context", "customerID=c-4711")
        #expect(run.status == 0, "\(run.errors)")
        let index = try #require(try files()["index.html"])
        #expect(index.contains("The pages show the situation <code>build=debug</code>."))
    }

    @Test func brokenMarketHasACardWithItsErrors() throws {
        try put(
            "return { id = \"xx\", extends = \"shop\", name = \"<img onerror=1>\u{202E}\", currency = 1 }",
            "markets/xx.lua")
        let run = try write()
        #expect(run.status == 1)
        #expect(run.errors == "this market is broken: xx; index.html shows the errors\n")
        let files = try files()
        #expect(files["xx.html"] == nil && files["shop.html"] != nil)
        let index = try #require(files["index.html"])
        #expect(index.contains("2 markets; one is broken.") && index.contains("✖ Broken: "))
        #expect(index.contains("<code>currency</code>: ") && index.contains("(xx.lua:1:"))
        let json = try HostRun(
            ["inspect", "--as", "html", "--to", "pages", "--format", "json"], folder: folder.url)
        let broken = try #require(try json.json()["markets"] as? [[String: Any]]).filter {
            $0["isValid"] as? Bool == false
        }
        #expect(broken.map { $0["id"] as? String } == ["xx"])
    }

    @Test func hostileTextStaysText() throws {
        let text = #"</script><img src=x onerror=alert(1)> \u{202e}"#
        let market = """
            return { id = "zz", extends = "shop", name = "\(text)", deepLinking = { schemes = { "shop.zz" } },
              routables = { own = { paths = { "own" }, show = { screen = "s", parameters = { a = "\(text)" } } } } }
            """
        try put(market, "markets/zz.lua")
        let run = try write()
        #expect(run.status == 0, "\(run.errors)")
        for (name, page) in try files() {
            #expect(!page.contains("<img") && !page.contains("</script"), "\(name)")
            #expect(!page.unicodeScalars.contains("\u{202E}"), "\(name)")
        }
        #expect(
            try files()["index.html"]?.contains("&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt; \\u{202e}") == true)
    }

    /// An attribute that only one market calls personal is personal for the pages of all.
    @Test func valueThatOneMarketCallsPersonalIsOnNoPage() throws {
        for (id, isPersonal) in [("yy", false), ("zz", true)] {
            let market = """
                return { id = "\(id)", extends = "shop", name = "\(id)", deepLinking = { schemes = { "shop.\(id)" } },
                  attributes = { tier = { type = "text", personal = \(isPersonal) } } }
                """
            try put(market, "markets/\(id).lua")
        }
        let run = try write("--context", "tier=platinum-7")
        #expect(run.status == 0, "\(run.errors)")
        for (name, page) in try files() { #expect(!page.contains("platinum-7"), "\(name)") }
    }

    /// A link needs a host: a wildcard has an example only for files of a site.
    @Test func wildcardIsNoHostOfALink() throws {
        let market = """
            return { id = "zz", extends = "shop", name = "Z", deepLinking = { schemes = { "shop.zz" },
              universalLinks = { "*.stores.walmart.zz", "www.walmart.zz" } } }
            """
        try put(market, "markets/zz.lua")
        _ = try write()
        let sheet = try #require(try files()["zz.html"])
        #expect(sheet.contains("href=\"https://www.walmart.zz/cart\"") && !sheet.contains("https://*"))
    }

    @Test func onlyPathsOfTheFolderAreShortened() {
        let paths = PagePaths("m")
        #expect(paths.shown("m/ca.lua:3:1") == "ca.lua:3:1")
        #expect(paths.shown("see m/us.lua (m/mx.lua)") == "see us.lua (mx.lua)")
        #expect(paths.shown("https://example.com/m/list") == "https://example.com/m/list")
        #expect(paths.shown("https://example.com/x") == "https://example.com/x")
    }

    @Test func manyPatternsAreCounted() throws {
        let routables = (0..<3).map { index in
            let paths = (0..<100).map { "\"r\(index)p\($0)\"" }.joined(separator: ", ")
            return "r\(index) = { paths = { \(paths) }, show = { screen = \"s\(index)\" } }"
        }
        let market = """
            return { id = "zz", extends = "shop", name = "Z", deepLinking = { schemes = { "shop.zz" } },
              routables = { \(routables.joined(separator: ", ")) } }
            """
        try put(market, "markets/zz.lua")
        #expect(try write().status == 0)
        let sheet = try #require(try files()["zz.html"])
        #expect(sheet.matches(of: /<li class="entry">/).count == 200)
        #expect(sheet.contains(/And 1[0-9][0-9] more: a sheet shows at most 200 patterns\./))
    }

    // MARK: The folder

    @Test func filesOfOthersAreKept() throws {
        try put("mine", "pages/notes.txt")
        let run = try write()
        #expect(run.status == 2)
        #expect(
            run.errors
                == "pages has files that this command did not write, such as \"notes.txt\"; name an empty or a new folder\n"
        )
        #expect(try files() == ["notes.txt": "mine"])
    }

    @Test func onlyListedPagesAreReplacedOrRemoved() throws {
        try put("return { id = \"zz\", extends = \"shop\", name = \"Z\" }", "markets/zz.lua")
        _ = try write()
        try put("mine", "pages/mine.html")
        try FileManager.default.removeItem(at: folder.url.appending(path: "markets/zz.lua"))
        let run = try write()
        #expect(run.output.hasSuffix("index.html\nremoved pages/zz.html\n"), "\(run.output)")
        let files = try files()
        #expect(files["mine.html"] == "mine" && files["zz.html"] == nil && files["shop.html"] != nil)
        #expect(files["glass-host-pages.json"]?.contains("zz") == false)
        // A page that is not on the list belongs to somebody else.
        _ = try folder.write(
            #"{ "files": [ "index.html", "style.css" ], "schema": 1 }"#, to: "pages/glass-host-pages.json")
        let refused = try write()
        #expect(refused.status == 2)
        #expect(refused.errors == "pages/shop.html was not written by this command; move it, or name another folder\n")
    }

    /// Earlier versions also wrote the values, services, and changes of each market, which would now be out of date.
    @Test func pagesThatAreNoLongerWrittenAreRemoved() throws {
        let former = ["shop.changes.html", "shop.html", "shop.services.html", "shop.values.html"]
        for name in former { try put("former", "pages/\(name)") }
        try put(
            "{ \"files\": [ \(former.map { "\"\($0)\"" }.joined(separator: ", ")) ], \"schema\": 1 }",
            "pages/glass-host-pages.json")
        let run = try write()
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.output == """
                wrote 3 files to pages; open pages/index.html
                removed pages/shop.changes.html
                removed pages/shop.services.html
                removed pages/shop.values.html

                """)
        #expect(try files().keys.sorted() == ["glass-host-pages.json", "index.html", "shop.html", "style.css"])
        #expect(try files()["shop.html"]?.contains("former") == false)
    }

    @Test(arguments: [
        #"{ "files": [ "../outside.html" ], "schema": 1 }"#, #"{ "files": [ 1 ], "schema": 1 }"#, "[]",
        #"{ "files": [ "notes.txt" ], "schema": 1 }"#,
    ])
    func listOfOtherFilesIsRefused(list: String) throws {
        try put("outside", "outside.html")
        try put(list, "pages/glass-host-pages.json")
        let run = try write()
        #expect(run.status == 2)
        #expect(run.errors.contains("pages/glass-host-pages.json is not a list of pages; name another folder"))
        #expect(try files() == ["glass-host-pages.json": list])
    }

    @Test(arguments: [
        (["--as", "html"], "--as html writes static pages; name their folder with --to DIR"),
        (["--to", "pages"], "--to names the folder of static pages; add --as html"),
        (["--as", "html", "--to", "p", "--port", "0"], "--port is for the served page; remove it, or --as html"),
        (["--as", "html", "--to", "p", "--open"], "--open is for the served page; remove it, or --as html"),
        (
            ["--as", "html", "--to", "p", "--editor", "vscode://file{path}"],
            "--editor is for the served page; remove it, or --as html"
        ),
        (["--as", "pdf", "--to", "p"], "pdf"), (["--as", "html", "--to", ""], "--to names no folder"),
    ])
    func optionsThatDoNotGoTogetherAreReported(options: [String], message: String) throws {
        let run = try HostRun(["inspect"] + options, folder: folder.url)
        #expect(run.status == 64 && run.errors.contains(message), "\(run.errors)")
    }

    // MARK: The served sheet

    @Test func serverSendsTheSheetOfAMarket() throws {
        let page = try InspectCommandTests.Page()
        let answer = try page.answers.answer(.sheet(market: "ca"))
        #expect(answer.form == .html)
        let text = String(decoding: answer.bytes, as: UTF8.self)
        #expect(text.contains("<link rel=\"stylesheet\" href=\"/pages.css\">") && text.contains("walmart.ca://ip/42"))
        #expect(!text.contains("<nav"))
        #expect(throws: InspectorFailure("there is no market \"no\"", isMissing: true)) {
            try page.answers.answer(.sheet(market: "no"))
        }
    }
}
