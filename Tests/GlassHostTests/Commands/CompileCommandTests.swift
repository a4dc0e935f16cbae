import CommandTesting
import Foundation
import GlassMarkets
import Testing

/// `compile`, `check --portable`, `schema record`, and commands that read their output.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CompileCommandTests {
    /// The real markets, compiled by the program.
    private static let compiled: URL? = {
        let folder = FileManager.default.temporaryDirectory.appending(path: "compiled-\(UUID().uuidString)")
        // The first test reports any error, because it compiles the markets itself.
        return (try? HostRun(["compile", "--to", folder.path]))?.status == 0 ? folder : nil
    }()

    /// The file of a compiled market.
    private static func file(_ id: String) throws -> String {
        try #require(compiled).appending(path: "4/\(id).json").path
    }

    @Test func twoProcessesWriteIdenticalBytes() throws {
        let folder = try TestFolder()
        _ = try folder.markets()
        let run = try HostRun(
            ["compile", "--to", "one"], environment: ["GLASS_CA_CONSUMER_KEY": "hunter2"], folder: folder.url)
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.output.split(separator: "\n").map { $0.split(separator: " ")[0] } == [
                "one/4/ca.json", "one/4/mx.json", "one/4/us.json",
            ])
        #expect(run.errors.isEmpty)
        // A different folder, path of the markets, and environment.
        let markets = folder.url.appending(path: "markets").path
        #expect(try HostRun(["compile", "--markets", markets, "--to", "two"], folder: folder.url).status == 0)
        let files = ["us", "ca", "mx"].flatMap { ["4/\($0).json", "4/\($0).map.json"] }
        for name in files {
            let bytes = try ["one", "two"].map { try Data(contentsOf: folder.url.appending(path: "\($0)/\(name)")) }
            #expect(bytes[0] == bytes[1], "\(name)")
            let text = String(decoding: bytes[0], as: UTF8.self)
            #expect(!text.contains("hunter2") && !text.contains(folder.url.path) && !text.contains("markets/"))
        }
    }

    /// The map says what the market was checked against. The market's own bytes do not depend on it.
    @Test func mapNamesVersionsOfData() throws {
        let compiled = try #require(Self.compiled)
        func members(_ name: String) throws -> [String: Any] {
            let bytes = try Data(contentsOf: compiled.appending(path: name))
            return try JSONSerialization.jsonObject(with: bytes) as? [String: Any] ?? [:]
        }
        let data = try #require(try members("4/ca.map.json")["data"] as? [String: String])
        #expect(Set(data.keys) == ["codes", "locales", "timeZones"])
        #expect(data["timeZones"] == TimeZone.timeZoneDataVersion)
        #expect(data["codes"]?.hasPrefix("iso-codes of 20") == true)
        #expect(try members("4/ca.json")["data"] == nil)
    }

    @Test func marketIsCompiledWithoutMap() throws {
        let folder = try TestFolder()
        let run = try HostRun(["compile", "ca", "--to", folder.url.path, "--without-maps"])
        #expect(run.status == 0)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.url.appending(path: "4").path) == ["ca.json"])
        // Without a map, a value's position is in the compiled file itself.
        let explained = try HostRun(["explain", "currency", "-m", folder.url.appending(path: "4/ca.json").path])
        #expect(explained.output.hasPrefix("currency = \"CAD\"\n  from \(folder.url.path)/4/ca.json:1\n"))
    }

    @Test func obsoleteCompiledMarketIsReported() throws {
        let folder = try TestFolder()
        _ = try folder.markets()
        #expect(try HostRun(["compile", "--to", "out"], folder: folder.url).status == 0)
        try FileManager.default.removeItem(at: folder.url.appending(path: "markets/mx.lua"))
        let run = try HostRun(["compile", "--to", "out"], folder: folder.url)
        #expect(run.status == 0)
        #expect(run.errors == "warning: out/4/mx.json is not one of these markets; remove it if it is obsolete\n")
    }

    @Test func pruneRemovesFilesOfOtherMarketsAndMaps() throws {
        let folder = try TestFolder()
        _ = try folder.markets()
        #expect(try HostRun(["compile", "--to", "out"], folder: folder.url).status == 0)
        _ = try folder.write("theirs", to: "out/4/notes.txt")
        try FileManager.default.removeItem(at: folder.url.appending(path: "markets/mx.lua"))
        let run = try HostRun(["compile", "--to", "out", "--prune", "--without-maps"], folder: folder.url)
        #expect(run.status == 0 && run.errors.isEmpty)
        let removed = ["ca.map", "mx", "mx.map", "us.map"].map { "removed out/4/\($0).json\n" }
        #expect(run.output.hasSuffix(removed.joined()), "\(run.output)")
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.appending(path: "out/4").path)
        #expect(left.sorted() == ["ca.json", "notes.txt", "us.json"])
        _ = try folder.write("{}", to: "out/4/mx.json")
        let json = try HostRun(["compile", "--to", "out", "--prune", "--format", "json"], folder: folder.url).json()
        #expect(json["removed"] as? [String] == ["out/4/mx.json"])
    }

    @Test func nothingIsPrunedIfMarketHasErrors() throws {
        let folder = try TestFolder()
        _ = try folder.markets()
        #expect(try HostRun(["compile", "--to", "out"], folder: folder.url).status == 0)
        try FileManager.default.removeItem(at: folder.url.appending(path: "markets/mx.lua"))
        _ = try folder.write("return { id = \"ca\" }", to: "markets/ca.lua")
        let run = try HostRun(["compile", "--to", "out", "--prune"], folder: folder.url)
        #expect(run.status == 1 && run.output.isEmpty && run.errors.hasSuffix("\nnothing was written\n"))
        #expect(FileManager.default.fileExists(atPath: folder.url.appending(path: "out/4/mx.json").path))
        let named = try HostRun(["compile", "us", "--to", "out", "--prune"], folder: folder.url)
        #expect(named.status == 64 && named.errors.contains("do not name any market"))
    }

    @Test func linkIsNotPruned() throws {
        let folder = try TestFolder()
        _ = try folder.markets()
        #expect(try HostRun(["compile", "us", "--to", "out"], folder: folder.url).status == 0)
        #expect(symlink("us.json", folder.url.appending(path: "out/4/mm.json").path) == 0)
        let run = try HostRun(["compile", "--to", "out", "--prune"], folder: folder.url)
        #expect(run.status == 2 && run.errors.hasPrefix("cannot remove out/4/mm.json: it is a link"), "\(run.errors)")
    }

    @Test func onlyFindingsArePrinted() throws {
        let folder = try TestFolder()
        _ = try folder.markets()
        let run = try HostRun(["compile", "--to", "out", "--findings-only"], folder: folder.url)
        #expect(run.status == 0 && run.output.isEmpty && run.errors.isEmpty)
        #expect(FileManager.default.fileExists(atPath: folder.url.appending(path: "out/4/us.json").path))
    }

    @Test func policiesAndSharedIdentifiersAreReported() throws {
        let folder = try TestFolder()
        _ = try folder.markets()
        let copy = "return { id = \"xx\", name = \"X\", extends = \"us\" }"
        _ = try folder.write(copy, to: "markets/xx.lua")
        let check = try HostRun(["check", "--portable"], folder: folder.url)
        let compile = try HostRun(["compile", "--to", "out"], folder: folder.url)
        #expect(check.status == 0 && compile.status == 0)
        #expect(compile.errors.contains("Android package"), "\(compile.errors)")
        let findings = check.output.components(separatedBy: "\nwarning: ")[0]
        #expect(compile.errors.hasPrefix(findings), "\(findings)")
        #expect(try HostRun(["compile", "--to", "out", "--quiet"], folder: folder.url).errors.isEmpty)
        #expect(try HostRun(["compile", "--to", "new", "--strict"], folder: folder.url).status == 1)

        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "policies"), withIntermediateDirectories: false)
        _ = try folder.write(
            "glass.policy('p', { severity = 'breaking' }, function(market, deny) deny('currency', 'no') end)",
            to: "policies/p.lua")
        let denied = try HostRun(["compile", "--to", "new"], folder: folder.url)
        #expect(denied.status == 1 && denied.errors.contains("error: currency: no"), "\(denied.errors)")
        let json = try HostRun(["compile", "--to", "new", "--format", "json"], folder: folder.url).json()
        let reported = try #require(json["findings"] as? [[String: Any]])
        #expect(reported.contains { $0["message"] as? String == "no" })
        _ = try folder.write("error(\"broken\")", to: "policies/p.lua")
        let failed = try HostRun(["compile", "--to", "new"], folder: folder.url)
        #expect(failed.status == 2 && failed.errors.contains("broken"), "\(failed.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.url.appending(path: "new").path))
    }

    @Test func functionIsReportedAtItsPosition() throws {
        let folder = try TestFolder()
        _ = try folder.markets()
        let market = """
            return { id = "xx", name = "X", extends = "us", routables = {
              debug = { paths = { "debug" }, handle = function() return true end },
            } }
            """
        _ = try folder.write(market, to: "markets/xx.lua")
        let run = try HostRun(["compile", "--to", "out"], folder: folder.url)
        #expect(run.status == 1 && run.output.isEmpty)
        #expect(
            run.errors.contains(
                "markets/xx.lua:2:43: error: routables.debug.handle: a function cannot be compiled"))
        #expect(run.errors.contains("hint: write show = { … }, or handler = \"name\" for a function of the app"))
        #expect(!FileManager.default.fileExists(atPath: folder.url.appending(path: "out").path))
        #expect(try HostRun(["check", "xx"], folder: folder.url).status == 0)
        let check = try HostRun(["check", "--portable", "--format", "json"], folder: folder.url)
        #expect(check.status == 1)
        let findings = try #require(try check.json()["findings"] as? [[String: Any]])
        let portable = findings.filter { $0["code"] as? String == "notPortable" }
        #expect(portable.count == 1 && portable[0]["line"] as? Int == 2 && portable[0]["source"] is String)
        #expect(try HostRun(["check", "--portable", "us", "ca", "mx"]).status == 0)
    }

    @Test func marketWithErrorsIsNotWritten() throws {
        let folder = try TestFolder()
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "markets"), withIntermediateDirectories: true)
        _ = try folder.write("return { id = \"xx\" }", to: "markets/xx.lua")
        let run = try HostRun(["compile", "--to", "out"], folder: folder.url)
        #expect(run.status == 1 && run.errors.contains("missing: expected a non-empty string"))
        #expect(!FileManager.default.fileExists(atPath: folder.url.appending(path: "out").path))
        #expect(try HostRun(["compile", "--to", "out", "--markets", "nowhere"], folder: folder.url).status == 2)
    }

    // MARK: Commands on compiled markets

    @Test func folderOfCompiledMarketsIsAMarketsFolder() throws {
        let folder = try #require(Self.compiled).path
        let check = try HostRun(["check", "--markets", folder, "-q"])
        #expect(check.status == 0, "\(check.errors)")
        #expect(try HostRun(["diff", "--against", folder, "--exit-code", "-q"]).status == 0)
        for command in [
            ["routes"], ["services"], ["show"], ["graph"], ["open", "walmart.ca://myaccount"], ["export", "aasa"],
            ["export", "links-md"], ["show", "--format", "json"],
        ] {
            let lua = try HostRun(command + ["-m", "ca"])
            let compiled = try HostRun(command + ["-m", "ca", "--markets", folder])
            #expect(
                lua.output.replacing("markets/", with: "") == compiled.output && lua.status == compiled.status,
                "\(command)")
            let file = try HostRun(command + ["-m", try Self.file("ca")])
            #expect(file.output == compiled.output && file.status == compiled.status, "\(command)")
        }
        let script = try HostRun(["run", "scripts/smoke.lua", "--markets", folder])
        #expect(script.status == 0, "\(script.output)\(script.errors)")
        let missing = try HostRun(["routes", "-m", "cb", "--markets", folder])
        #expect(missing.status == 2)
        #expect(missing.errors.contains("there is no compiled market \"cb\" in \(folder); did you mean \"ca\"?"))
    }

    @Test func explainUsesMap() throws {
        for key in [
            "currency", "platform.networking.retry.maxRetries", "platform.networking.retry.statuses", "deepLinking",
            "platform.permissions.notificationOptions", "deepLinking.queryParameters", "searchRadiusMiles", "regions",
        ] {
            let lua = try HostRun(["explain", key, "-m", "ca"])
            let compiled = try HostRun(["explain", key, "-m", try Self.file("ca")])
            #expect(
                lua.status == 0 && lua.output.contains("from markets/ca.lua:") || key == "deepLinking"
                    || key == "searchRadiusMiles")
            #expect(lua.output.replacing("markets/", with: "") == compiled.output)
        }
        let link = try HostRun(["explain", "walmart.ca://myaccount", "-m", try Self.file("ca")])
        #expect(link.status == 0)
    }

    @Test func compiledFileIsAcceptedAsMarket() throws {
        let (us, ca) = (try Self.file("us"), try Self.file("ca"))
        #expect(try HostRun(["diff", "ca", ca, "--exit-code"]).status == 0)
        let run = try HostRun(["diff", "us", ca])
        #expect(run.output.contains("  currency: \"USD\" in us, \"CAD\" in \(ca)"))
        #expect(try HostRun(["check", us, ca, "-q"]).status == 0)
        #expect(try HostRun(["matrix", us, ca, "--below", "currency"]).output.contains("currency"))
        #expect(
            try HostRun(["open", "walmart://account", "--translate-to", ca]).output == "walmart.ca://myaccount\n")
        // Compiling a compiled market gives the same market.
        let folder = try TestFolder()
        #expect(try HostRun(["compile", ca, "--to", folder.url.path]).status == 0)
        #expect(
            try Data(contentsOf: folder.url.appending(path: "4/ca.json")) == Data(contentsOf: URL(fileURLWithPath: ca)))
    }

    @Test func oneFileHasAllSituations() throws {
        let folder = try TestFolder()
        try removeConditions(of: folder.markets().appending(path: "us.lua"))
        func compile(_ overlays: String, _ arguments: String...) throws -> HostRun {
            let text = "return { id = \"nv\", name = \"Nova\", extends = \"us\", \(overlays) }"
            _ = try folder.write(text, to: "markets/nv.lua")
            return try HostRun(["compile", "nv", "--to", "out"] + arguments, folder: folder.url)
        }
        func text() throws -> String {
            try String(contentsOf: folder.url.appending(path: "out/4/nv.json"), encoding: .utf8)
        }
        let overlays =
            "overlays = { { name = \"calm\", when = { build = \"debug\" }, "
            + "platform = { networking = { retry = { maxRetries = 1 } } } } }"
        let json = try compile(overlays, "--format", "json").json()
        let market = try #require((json["markets"] as? [[String: Any]])?.first)
        #expect(market["file"] as? String == "out/4/nv.json" && market["map"] as? String == "out/4/nv.map.json")
        #expect(Set(market.keys) == ["bytes", "digest", "file", "id", "map"])
        #expect(try text().contains("\"conditions\":[{\"build\":\"debug\"}]"))
        #expect(try HostRun(["check", "nv", "--markets", "out"], folder: folder.url).status == 0)
        let retries = "platform.networking.retry.maxRetries"
        let debug = try HostRun(
            ["show", "-m", "nv", retries, "--markets", "out", "--context", "build=debug"], folder: folder.url)
        #expect(debug.output.hasPrefix("\(retries) = 1\n"), "\(debug.output)\(debug.errors)")
        let plain = try compile("")
        #expect(plain.status == 0 && plain.output.hasPrefix("out/4/nv.json"))
        #expect(try !text().contains("\"conditions\"") && !text().contains("$vary"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.appending(path: "out").path) == ["4"])
    }

    /// Nothing reads them, so they stay until somebody removes them.
    @Test func filesOfFormerFormatsAreReportedAndPruned() throws {
        let folder = try TestFolder()
        _ = try folder.markets()
        for name in ["1/us.json", "1/us.map.json", "3/us.json"] {
            try FileManager.default.createDirectory(
                at: folder.url.appending(path: "out/\(name.prefix(1))"), withIntermediateDirectories: true)
            _ = try folder.write("{}", to: "out/\(name)")
        }
        let alone = try HostRun(["check", "--markets", "out"], folder: folder.url)
        #expect(alone.status == 2)
        #expect(
            alone.errors.contains(
                "cannot read out: it has no folder 4, as `compile --to` creates it, but files of former formats (1, 3): "
                    + "compile the markets again"), "\(alone.errors)")
        let run = try HostRun(["compile", "--to", "out"], folder: folder.url)
        #expect(run.status == 0)
        let warnings = ["1", "3"].map {
            "warning: out/\($0)/us.json has a former format; --prune removes it\n"
        }
        #expect(run.errors == warnings.joined())
        #expect(try HostRun(["check", "--markets", "out", "-q"], folder: folder.url).status == 0)
        let named = try HostRun(["compile", "us", "--to", "out"], folder: folder.url)
        #expect(named.status == 0 && named.errors.isEmpty)
        let pruned = try HostRun(["compile", "--to", "out", "--prune"], folder: folder.url)
        #expect(pruned.status == 0 && pruned.errors.isEmpty)
        let removed = ["1/us.json", "1/us.map.json", "3/us.json"].map { "removed out/\($0)\n" }
        #expect(pruned.output.hasSuffix(removed.joined()), "\(pruned.output)")
    }

    @Test(arguments: ["2", "3"]) func formerFormatIsRefused(format: String) throws {
        let folder = try TestFolder()
        let file = CommandRun.repository.appending(path: "Tests/Upgrade/former/\(format)").path
        for name in try FileManager.default.contentsOfDirectory(atPath: file) {
            let run = try HostRun(["check", "\(file)/\(name)"], folder: folder.url)
            #expect(run.status == 2)
            #expect(
                run.errors.contains(
                    "\(format)/\(name) has the format \(format), which was used before the first release; this version "
                        + "reads 4: compile the market again"), "\(run.errors)")
        }
    }

    @Test func invalidCompiledFileIsReported() throws {
        let folder = try TestFolder()
        _ = try folder.write("{\"schema\":5}", to: "new.json")
        _ = try folder.write("<html>", to: "page.json")
        let new = try HostRun(["check", "new.json"], folder: folder.url)
        #expect(new.status == 2 && new.errors.contains("new.json has the format 5, but this version reads 4"))
        let page = try HostRun(["open", "walmart://x", "-m", "page.json"], folder: folder.url)
        #expect(page.status == 2 && page.errors.contains("page.json:1:1: '<' where a value is expected"))
        #expect(try HostRun(["diff", "page.json", "new.json"], folder: folder.url).status == 2)
    }

    // MARK: Records

    @Test func recordIsWrittenForRelease() throws {
        let folder = try TestFolder()
        let run = try HostRun(["schema", "record", "24.3"], folder: folder.url)
        #expect(run.status == 0 && run.output == "releases/24.3.json\n")
        let bytes = try Data(contentsOf: folder.url.appending(path: "releases/24.3.json"))
        let json = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
        #expect(json["version"] as? String == "24.3" && json["schema"] as? Int == CompiledMarket.format)
        #expect((json["routables"] as? [String])?.contains("account") == true)
        #expect((json["preconditions"] as? [String])?.contains("signedIn") == true)
        let again = try HostRun(["schema", "record", "24.3", "--to", "again"], folder: folder.url)
        #expect(again.status == 0)
        #expect(try Data(contentsOf: folder.url.appending(path: "again/24.3.json")) == bytes)
        #expect(try HostRun(["schema", "record", "../x"], folder: folder.url).status == 64)
    }
}
