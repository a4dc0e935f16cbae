import CommandTesting
import Foundation
import GlassInspector
import Testing
import TestSupport

@testable import GlassHost

/// `inspect --as html`, and the link sheet that the page and the static pages share.
@Suite(.timeLimit(.minutes(3)))
struct StaticPagesTests {
    private let folder: TestFolder
    private let markets: URL

    init() throws {
        folder = try TestFolder()
        markets = try folder.markets()
    }

    private func write(to name: String = "pages", _ options: String...) throws -> HostRun {
        try HostRun(["inspect", "--as", "html", "--to", name] + options, folder: folder.url)
    }

    /// The texts of a folder's files, by name.
    private func files(in name: String = "pages") throws -> [String: String] {
        let url = folder.url.appending(path: name)
        let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try String(contentsOf: url.appending(path: $0), encoding: .utf8)) })
    }

    /// Writes a file into a folder, which is created if needed.
    private func put(_ text: String, _ name: String) throws {
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "pages"), withIntermediateDirectories: true)
        _ = try folder.write(text, to: name)
    }

    private static let tabs = ["html", "values.html", "services.html", "changes.html"]

    @Test func eachMarketHasACardAndFourPages() throws {
        let run = try write()
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        #expect(run.output == "wrote 14 files to pages; open pages/index.html\n")
        let files = try files()
        let expected = ["ca", "mx", "us"].flatMap { id in Self.tabs.map { "\(id).\($0)" } }
        #expect(files.keys.sorted() == (expected + ["glass-host-pages.json", "index.html", "style.css"]).sorted())
        let index = try #require(files["index.html"])
        #expect(index.contains("3 markets. The values are those of the default situation."))
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
        _ = try write()
        let sheet = try #require(try files()["ca.html"])
        #expect(sheet.matches(of: /<li class="entry">/).count == 36)
        #expect(sheet.contains(">Order detail</h2>") && sheet.contains(">orders/:orderID(slug)</code>"))
        #expect(sheet.contains("Opens once the app has started and the customer is signed in."))
        #expect(sheet.contains("Opens at any time."))
        #expect(sheet.contains("<dt><code>itemID</code></dt>\n<dd>a whole number</dd>"))
        let code = try #require(QRCode("https://www.walmart.ca/ip/42"))
        #expect(sheet.contains(code.svg(label: "Code of the web link https://www.walmart.ca/ip/42")))
    }

    @Test func valuesAreLuaWithChangesInWords() throws {
        _ = try write()
        let files = try files()
        let values = try #require(files["ca.values.html"])
        #expect(
            values.contains(
                "<code>currency = &quot;CAD&quot;,</code> <span class=\"note\"><span class=\"own\">changed</span> (ca.lua:"
            ))
        #expect(values.contains(", otherwise <code>&quot;USD&quot;</code> in us.lua:"))
        #expect(files["us.values.html"]?.contains("class=\"own\"") == false)
        let changes = try #require(files["ca.changes.html"])
        #expect(changes.contains("Compared with United States (us), which this market extends"))
        #expect(changes.contains("<code>currency</code><br>\n") || changes.contains("<code>currency</code><br>"))
        #expect(files["us.changes.html"]?.contains("extends no other market") == true)
        #expect(files["us.services.html"]?.contains("<svg") == true)
    }

    @Test func sameMarketsGiveTheSameFilesWhateverTheFolderIsCalled() throws {
        _ = try write()
        _ = try write(to: "again", "--markets", markets.path)
        #expect(try files() == files(in: "again"))
        for (name, text) in try files() { #expect(!text.contains(folder.url.path), "\(name)") }
    }

    @Test func personalValuesChangeNothing() throws {
        _ = try write()
        let run = try write(to: "personal", "--context", "customerID=c-4711", "--context", "audience=associates")
        #expect(run.status == 0, "\(run.errors)")
        #expect(try files() == files(in: "personal"))
        // The command itself would show the value for such a person.
        let flags = try HostRun(["flags", "-m", "ca", "--context", "audience=associates"], folder: folder.url)
        #expect(flags.output.contains("TARGETING_MATCH by associates"))
        for (name, text) in try files(in: "personal") { #expect(!text.contains("c-4711"), "\(name)") }
    }

    @Test func anotherSituationIsNamed() throws {
        let run = try write(to: "pages", "--context", "build=debug", "--context", "customerID=c-4711")
        #expect(run.status == 0, "\(run.errors)")
        let index = try #require(try files()["index.html"])
        #expect(index.contains("The values are those with <code>build=debug</code>."))
    }

    @Test func brokenMarketHasACardWithItsErrors() throws {
        try Data("return { id = \"xx\", extends = \"us\", name = \"<img onerror=1>\u{202E}\", currency = 1 }".utf8)
            .write(to: markets.appending(path: "xx.lua"))
        let run = try write()
        #expect(run.status == 1)
        #expect(run.errors == "this market is broken: xx; index.html shows the errors\n")
        let files = try files()
        #expect(files["xx.html"] == nil && files["ca.html"] != nil)
        let index = try #require(files["index.html"])
        #expect(index.contains("4 markets; one is broken.") && index.contains("✖ Broken: "))
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
            return { id = "zz", extends = "us", name = "\(text)", deepLinking = { schemes = { "shop.zz" } },
              routables = { own = { paths = { "own" }, show = { screen = "s", parameters = { a = "\(text)" } } } } }
            """
        try Data(market.utf8).write(to: markets.appending(path: "zz.lua"))
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
                return { id = "\(id)", extends = "us", name = "\(id)", deepLinking = { schemes = { "shop.\(id)" } },
                  attributes = { tier = { type = "text", personal = \(isPersonal) } } }
                """
            try Data(market.utf8).write(to: markets.appending(path: "\(id).lua"))
        }
        let run = try write("--context", "tier=platinum-7")
        #expect(run.status == 0, "\(run.errors)")
        for (name, page) in try files() { #expect(!page.contains("platinum-7"), "\(name)") }
    }

    /// A link needs a host: a wildcard has an example only for files of a site.
    @Test func wildcardIsNoHostOfALink() throws {
        let market = """
            return { id = "zz", extends = "us", name = "Z", deepLinking = { schemes = { "shop.zz" },
              universalLinks = { "*.stores.walmart.zz", "www.walmart.zz" } } }
            """
        try Data(market.utf8).write(to: markets.appending(path: "zz.lua"))
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
            return { id = "zz", extends = "us", name = "Z", deepLinking = { schemes = { "shop.zz" } },
              routables = { \(routables.joined(separator: ", ")) } }
            """
        try Data(market.utf8).write(to: markets.appending(path: "zz.lua"))
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
        _ = try write()
        try put("mine", "pages/mine.html")
        try FileManager.default.removeItem(at: markets.appending(path: "mx.lua"))
        let run = try write()
        #expect(
            run.output.hasSuffix(
                "removed pages/mx.changes.html\nremoved pages/mx.html\n"
                    + "removed pages/mx.services.html\nremoved pages/mx.values.html\n"), "\(run.output)")
        let files = try files()
        #expect(files["mine.html"] == "mine" && files["mx.html"] == nil && files["ca.html"] != nil)
        #expect(files["glass-host-pages.json"]?.contains("mx") == false)
        // A page that is not on the list belongs to somebody else.
        _ = try folder.write(
            #"{ "files": [ "index.html", "style.css" ], "schema": 1 }"#, to: "pages/glass-host-pages.json")
        let refused = try write()
        #expect(refused.status == 2)
        #expect(refused.errors == "pages/ca.html was not written by this command; move it, or name another folder\n")
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
