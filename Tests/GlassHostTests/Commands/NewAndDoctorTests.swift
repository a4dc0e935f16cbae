import CommandTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(2)))
struct NewAndDoctorTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
        _ = try folder.markets()
    }

    private func host(_ arguments: [String]) throws -> HostRun { try HostRun(arguments, folder: folder.url) }

    @Test(arguments: [["br", "--extends", "us"], ["qc", "--extends", "ca", "--name", "Québec \"libre\""], ["shop"]])
    func newMarketPassesItsCheckAndTest(arguments: [String]) throws {
        let id = arguments[0]
        let made = try host(["new"] + arguments)
        #expect(made.status == 0, "\(made.errors)")
        #expect(made.output.hasPrefix("wrote markets/\(id).lua\nwrote scripts/\(id)_test.lua\n"))
        let check = try host(["check", id, "--format", "json"]).json()
        let findings = try #require(check["findings"] as? [[String: Any]])
        let codes = Set(findings.compactMap { $0["code"] as? String })
        // Its inherited identity is undecided and shared with the other market until its team sets it.
        #expect(codes.isSubset(of: ["secretUnset", "undecided", "sharedIdentity"]), "\(findings)")
        #expect(codes.contains("undecided"))
        let test = try host(["test", "scripts/\(id)_test.lua"])
        #expect(test.status == 0, "\(test.output)")
        let settings = try JSONSerialization.jsonObject(
            with: Data(contentsOf: folder.url.appending(path: ".luarc.json")))
        #expect((settings as? [String: Any])?["workspace.library"] as? [String] == [".glass"])
        #expect(
            try String(contentsOf: folder.url.appending(path: ".glass/glass.lua"), encoding: .utf8)
                == host(["schema", "stubs"]).output)
    }

    /// What the user gives is no example, with and without a base and a country.
    @Test(arguments: [
        ["pl"], ["shop"], ["pl", "--extends", "us"], ["us2", "--extends", "us"], ["qc", "--extends", "ca"],
    ])
    func givenValuesAreDecided(arguments: [String]) throws {
        let id = arguments[0]
        let made = try host(
            ["new"] + arguments + ["--locales", "fr-CA,en-CA", "--currency", "CAD", "--scheme", "boutique"])
        #expect(made.status == 0, "\(made.errors)")
        let text = try String(contentsOf: folder.url.appending(path: "markets/\(id).lua"), encoding: .utf8)
        #expect(text.contains("locales = { \"fr-CA\", \"en-CA\" },"), "\(text)")
        #expect(text.contains("currency = \"CAD\","), "\(text)")
        #expect(text.contains("schemes = { \"boutique\" },"), "\(text)")
        #expect(!text.contains("-- locales") && !text.contains("-- currency"), "\(text)")
        let test = try host(["test", "scripts/\(id)_test.lua"])
        #expect(test.status == 0, "\(test.output)")
    }

    @Test(arguments: [
        (["--locales", "french"], "--locales: expected "), (["--locales", "fr-CA,xx-"], "got \"xx-\""),
        (["--locales", ","], "--locales names no language"), (["--currency", "cad"], "--currency: expected "),
        (["--scheme", "my scheme"], "--scheme: expected "),
        (["--plugin", "--scheme", "a"], "--plugin writes no market"),
    ])
    func unusableValueWritesNothing(options: [String], text: String) throws {
        let run = try host(["new"] + (options.contains("--plugin") ? [] : ["pl"]) + options)
        #expect(run.status == 64)
        #expect(run.errors.contains(text), "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.url.appending(path: "markets/pl.lua").path))
    }

    @Test func exportOfMarketWithoutHostNamesItsKey() throws {
        #expect(try host(["new", "shop"]).status == 0)
        let run = try host(["export", "aasa", "-m", "shop"])
        #expect(run.status == 1)
        #expect(run.errors == "the market has no host for universal links; set deepLinking.universalLinks\n")
        let all = try host(["export", "aasa", "--all", "--quiet"])
        #expect(all.errors.hasPrefix("there are several hosts; choose one with --host: "), "\(all.errors)")
    }

    @Test(arguments: [("us2", "us"), ("de", "us"), ("qc", "ca")])
    func uncommentingInheritedValuesDecidesThem(id: String, base: String) throws {
        #expect(try host(["new", id, "--extends", base]).status == 0)
        let file = folder.url.appending(path: "markets/\(id).lua")
        let text = try String(contentsOf: file, encoding: .utf8)
        if id == "us2" {
            #expect(text.contains("\n  -- locales = { \"en-US\", \"es-US\" },\n  -- currency = \"USD\",\n"), "\(text)")
            #expect(text.contains("\n    -- universalLinks = { \"www.walmart.com\" },\n"))
        }
        var isExample = false
        let decided = text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
            isExample = isExample || line.contains("routables")
            let isText =
                isExample || line.hasPrefix("-") || line.contains("Uncomment a line") || line.contains("until you set")
            return isText ? String(line) : String(line).replacing("-- ", with: "").replacing("undecided ", with: "")
        }
        try Data(decided.joined(separator: "\n").utf8).write(to: file)
        let check = try host(["check", id, "--format", "json"])
        #expect(check.status == 0, "\(check.output)")
        for code in ["undecided", "duplicate"] { #expect(!check.output.contains("\"\(code)\""), "\(check.output)") }
    }

    /// What CLDR and ISO 3166-2 say is written, and only that differs from the base; the rest is one list.
    @Test func newMarketProposesWhatIsKnownOfCountry() throws {
        #expect(try host(["new", "pr", "--extends", "us"]).status == 0)
        #expect(try host(["new", "br"]).status == 0)
        #expect(try host(["new", "qc", "--extends", "ca"]).status == 0)
        func text(_ id: String) throws -> String {
            try String(contentsOf: folder.url.appending(path: "markets/\(id).lua"), encoding: .utf8)
        }
        let brazil = try text("br")
        for line in [
            "  locales = { \"pt-BR\" }, currency = \"BRL\",", "      country = \"BR\",",
            "        { code = \"AC\", name = \"Acre\" }, { code = \"AL\", name = \"Alagoas\" }, ",
        ] { #expect(brazil.contains("\n\(line)"), "\(brazil)") }
        #expect(try text("pr").contains("\n  locales = { \"es-PR\", \"en-PR\" },\n  currency = \"USD\",\n"))
        #expect(try text("pr").contains("      regions = {},  -- ISO 3166-2 does not divide Puerto Rico\n"))
        let quebec = try text("qc")
        #expect(quebec.contains("name = \"Quebec\"") && quebec.contains("-- currency = \"CAD\","), "\(quebec)")
        let check = try host(["check", "pr"]).output
        #expect(
            check.contains(
                "are inherited from \"us\"; platform.address.postalCodePattern, platform.address.postalCodeExample "
                    + "and deepLinking.schemes are undecided"), "\(check)")
    }

    @Test func filesAreWrittenNextToNamedFolder() throws {
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "app/markets"), withIntermediateDirectories: true)
        let run = try host(["new", "shop", "--markets", "app/markets"])
        #expect(run.status == 0, "\(run.errors)")
        let files = [
            "app/markets/shop.lua", "app/scripts/shop_test.lua", "app/.glass/glass.lua", "app/.luarc.json",
        ]
        #expect(run.output.hasPrefix(files.map { "wrote \($0)\n" }.joined()), "\(run.output)")
        for file in files { #expect(FileManager.default.fileExists(atPath: folder.url.appending(path: file).path)) }
        #expect(try host(["test", "--markets", "app/markets"]).status == 0)
        let typo = try host(["new", "shop2", "--markets", "ap/markets"])
        #expect(typo.status == 2)
        #expect(typo.errors == "there is no folder ap/markets; create it first, or name another with --markets DIR\n")
        #expect(!FileManager.default.fileExists(atPath: folder.url.appending(path: "ap").path))
        let json = try host(["new", "shop3", "--markets", "app/markets", "--format", "json"]).json()
        #expect((json["files"] as? [String])?.count == 3)
    }

    @Test func nameIsDerivedFromCountry() throws {
        #expect(try host(["new", "br", "--extends", "us"]).status == 0)
        #expect(try host(["show", "name", "-m", "br"]).output == "name = \"Brazil\"\n")
    }

    @Test func nothingIsOverwritten() throws {
        let before = try Data(contentsOf: folder.url.appending(path: "markets/ca.lua"))
        let run = try host(["new", "ca"])
        #expect(run.status == 2)
        #expect(run.errors == "markets/ca.lua exists; choose another id, or remove the file first\n")
        #expect(try Data(contentsOf: folder.url.appending(path: "markets/ca.lua")) == before)
        #expect(!FileManager.default.fileExists(atPath: folder.url.appending(path: "scripts").path))
    }

    @Test func invalidIDOrBaseIsReported() throws {
        let id = try host(["new", "CA"])
        #expect(id.status == 64)
        #expect(
            id.errors.contains("expected an id of lowercase letters, digits, and hyphens, such as \"ca\", got \"CA\""))
        let base = try host(["new", "br", "--extends", "uss"])
        #expect(base.status == 2)
        #expect(base.errors == "there is no market \"uss\" in markets; did you mean \"us\"?\n")
        #expect(!FileManager.default.fileExists(atPath: folder.url.appending(path: "markets/br.lua").path))
    }

    @Test func pluginIsTheOneOfTheOutsidePackage() throws {
        let outside = try host(["new", "--plugin"])
        #expect(outside.status == 2)
        #expect(outside.errors == "there is no Package.swift in this folder; go to the folder of the app's package\n")
        _ = try folder.write("", to: "Package.swift")
        let run = try host(["new", "--plugin"])
        let path = "Plugins/CompileMarkets/CompileMarkets.swift"
        #expect(run.status == 0 && run.output.hasPrefix("wrote \(path)\nnext: "), "\(run.errors)")
        #expect(run.output.contains("dependencies: [.product(name: \"glass-host\", package: \"glass-host\")]"))
        let written = try String(contentsOf: folder.url.appending(path: path), encoding: .utf8)
        // scripts/nightly builds this one.
        let built = CommandRun.repository.appending(path: "Tests/Outside/\(path)")
        #expect(
            try written.replacing("\"glass-host\"", with: "\"app-host\"") == String(contentsOf: built, encoding: .utf8))
        #expect(try host(["new", "--plugin"]).errors == "\(path) exists; remove the file first\n")
    }

    @Test func pluginTakesNoMarket() throws {
        for arguments in [["br", "--plugin"], ["--plugin", "--extends", "us"], ["--plugin", "--name", "x"]] {
            let run = try host(["new"] + arguments)
            #expect(run.status == 64 && run.errors.contains("--plugin writes no market"))
        }
        let nothing = try host(["new"])
        #expect(nothing.status == 64 && nothing.errors.contains("Missing expected argument '<id>'"))
    }

    @Test func doctorVerifiesLimits() throws {
        let run = try host(["doctor", "--format", "json"])
        #expect(run.status == 0, "\(run.output)")
        let json = try run.json()
        #expect(Set(json.keys) == ["schema", "checks"])
        let checks = try #require(json["checks"] as? [[String: Any]])
        #expect(
            checks.compactMap { $0["name"] as? String }
                == ["Lua", "time limit", "memory limit", "sandbox", "data", "markets", "state", "terminal", "editor"])
        for check in checks { #expect(Set(check.keys) == ["name", "status", "detail", "advice"]) }
        #expect(checks.filter { $0["status"] as? String == "problem" }.isEmpty)
    }

    @Test func doctorCountsMarketsWithoutLoadingThem() throws {
        _ = try folder.write("return {", to: "markets/ca.lua")
        let run = try host(["doctor"])
        #expect(run.status == 0)
        #expect(
            run.output.contains(
                "ok      markets: 3 markets in markets; glass-host check reports their problems\n"),
            "\(run.output)")
    }

    @Test func doctorReportsProblems() throws {
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "empty"), withIntermediateDirectories: true)
        let empty = try host(["doctor", "-q", "--markets", "empty"])
        #expect(empty.status == 1)
        #expect(empty.output.contains("PROBLEM markets: there is no market in empty\n"), "\(empty.output)")
        let run = try host(["doctor", "-q", "--state", "/dev/null/x"])
        #expect(run.status == 1)
        #expect(run.output.contains("PROBLEM state: /dev/null/x cannot be written: "))
        #expect(!run.output.contains("ok "))
    }
}
