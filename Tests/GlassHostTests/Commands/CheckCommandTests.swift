import CommandTesting
import Foundation
import Testing

/// `check`: what it finds, and where it looks for markets.
@Suite(.timeLimit(.minutes(3)))
struct CheckCommandTests {
    @Test func realMarketsPass() throws {
        let run = try HostRun(["check"])
        #expect(run.status == 0)
        #expect(
            run.output
                == "warning: 6 secrets are not set; --verbose lists them\n3 markets: 0 errors, 6 warnings\n")
        let all = try HostRun(["check", "-v"]).output
        #expect(all.matches(of: /warning: .* is not set/).count == 6)
        #expect(!all.contains("secrets are not set"))
        let json = try HostRun(["check", "--format", "json"]).json()
        #expect((json["findings"] as? [Any])?.count == 6)
    }

    @Test func setSecretsCauseNoWarning() throws {
        let names = ["US", "CA", "MX"].flatMap { ["GLASS_\($0)_CONSUMER_KEY", "GLASS_\($0)_ANIVIA_WRITE_KEY"] }
        let run = try HostRun(["check"], environment: Dictionary(uniqueKeysWithValues: names.map { ($0, "x") }))
        #expect(run.output == "3 markets: 0 errors, 0 warnings\n")
        #expect(run.status == 0)
    }

    @Test func quietPrintsOnlyFindings() throws {
        let run = try HostRun(["check", "-q"])
        #expect(run.output == "")
        #expect(run.status == 0)
        #expect(try HostRun(["run", "-q", "scripts/smoke.lua"]).output == "")
    }

    @Test func verbosePrintsCostOfEachMarket() throws {
        let run = try HostRun(["check", "-v"])
        #expect(run.output.contains("MARKET  ROUTES  SERVICES  CPU"))
    }

    @Test func undecidedIdentityIsReported() throws {
        let folder = try TestFolder()
        _ = try folder.markets()
        _ = try folder.write(
            "return { id = \"zz\", name = \"Z\", extends = \"ca\", currency = \"CAD\", locales = append { \"de-AT\" },\n"
                + "deepLinking = { schemes = { \"z\" }, universalLinks = unset } }", to: "markets/zz.lua")
        let run = try HostRun(["check", "zz"], folder: folder.url)
        #expect(run.status == 0)
        #expect(
            run.output.contains(
                "markets/zz.lua:1:43: warning: extends: platform.appInfo.bundleIdentifier, "
                    + "platform.cookieStorage.sharedGroup, platform.preferences.suite and "
                    + "platform.userDefaultsRegistration.suite are inherited from \"ca\" [undecided]\n"),
            "\(run.output)")
        let hint = "hint: set each explicitly, even to the same value, or write inherit = true in their tables\n"
        #expect(run.output.contains(hint))
        let json = try HostRun(["check", "zz", "--format", "json"], folder: folder.url).json()
        let codes = (json["findings"] as? [[String: Any]])?.compactMap { $0["code"] as? String }
        #expect(codes?.filter { $0 == "undecided" }.count == 1)
    }

    @Test func fileNameWithUppercaseLettersGetsValidHint() throws {
        let folder = try TestFolder()
        let markets = try folder.markets()
        try FileManager.default.moveItem(
            at: markets.appending(path: "us.lua"), to: markets.appending(path: "US.lua"))
        let run = try HostRun(["check", "US"], folder: folder.url)
        #expect(run.status == 1)
        #expect(run.output.contains("\n  hint: rename the file to us.lua\n"), "\(run.output)")
    }

    @Test(arguments: [
        ("pr", "write id = \"pr\""), ("PR", "rename the file to pr.lua and write id = \"pr\""),
    ])
    func copyOfMarketGetsValidHint(name: String, hint: String) throws {
        let folder = try TestFolder()
        let markets = try folder.markets()
        try FileManager.default.copyItem(
            at: markets.appending(path: "ca.lua"), to: markets.appending(path: "\(name).lua"))
        let run = try HostRun(["check", name], folder: folder.url)
        #expect(run.output.contains("got \"ca\" [idMismatch]\n"))
        #expect(run.output.contains("\n  hint: \(hint)\n"), "\(run.output)")
    }

    @Test func invalidNumberIsReported() throws {
        let folder = try TestFolder()
        _ = try folder.markets()
        _ = try folder.write(
            "return { id = \"zz\", name = \"Z\", extends = \"us\",\n"
                + "platform = { networking = { retry = { jitter = 0/0, multiplier = 1/0 } } } }", to: "markets/zz.lua")
        let run = try HostRun(["check", "zz", "-q"], folder: folder.url)
        #expect(run.output.contains("got NaN"), "\(run.output)")
        #expect(run.output.contains("got infinity"), "\(run.output)")
    }

    @Test func typoIsReportedAtItsPosition() throws {
        let folder = try TestFolder()
        let markets = try folder.markets()
        let file = markets.appending(path: "ca.lua")
        let text = try String(contentsOf: file, encoding: .utf8)
        try text.replacingOccurrences(of: "maxRetries", with: "maxRetires").write(
            to: file, atomically: true, encoding: .utf8)
        let run = try HostRun(["check", "--markets", markets.path])
        #expect(run.status == 1)
        #expect(
            run.output.contains(
                """
                \(markets.path)/ca.lua:51:17: error: platform.networking.retry.maxRetires: unknown key [unknownKey]
                   51 |       retry = { maxRetires = 4, statuses = append { 520 } },
                      |                 ^
                  hint: did you mean "maxRetries"?
                """))
        let json = try HostRun(["check", "ca", "--markets", markets.path, "--format", "json"]).json()
        let finding = try #require(
            (json["findings"] as? [[String: Any]])?.first { $0["severity"] as? String == "error" })
        #expect(finding["code"] as? String == "unknownKey")
        #expect(finding["line"] as? Int == 51 && finding["column"] as? Int == 17)
        #expect(finding["key"] as? String == "platform.networking.retry.maxRetires")
    }

    @Test func formerKeyNameIsReportedWithNewName() throws {
        let folder = try TestFolder()
        let markets = try folder.markets()
        let file = markets.appending(path: "ca.lua")
        let text = try String(contentsOf: file, encoding: .utf8)
        try text.replacing("maxRetries", with: "maxAttempts").write(to: file, atomically: true, encoding: .utf8)
        let run = try HostRun(["check", "ca", "--markets", markets.path])
        #expect(run.status == 1)
        #expect(
            run.output.contains(
                """
                \(markets.path)/ca.lua:51:17: error: platform.networking.retry.maxAttempts: this key was renamed to maxRetries [renamedKey]
                   51 |       retry = { maxAttempts = 4, statuses = append { 520 } },
                      |                 ^
                  hint: write maxRetries
                """))
        let json = try HostRun(["check", "ca", "--markets", markets.path, "--format", "json"]).json()
        let finding = try #require(
            (json["findings"] as? [[String: Any]])?.first { $0["severity"] as? String == "error" })
        #expect(finding["code"] as? String == "renamedKey")
        #expect(finding["line"] as? Int == 51 && finding["column"] as? Int == 17)
        #expect(finding["key"] as? String == "platform.networking.retry.maxAttempts")
        #expect(finding["hint"] as? String == "write maxRetries")
    }

    @Test func unreadableFileDoesNotHideOtherFindings() throws {
        let folder = try TestFolder()
        _ = try folder.write("return { id = \"aa\", extends = 3 }", to: "aa.lua")
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "dd.lua"), withIntermediateDirectories: false)
        let run = try HostRun(["check", "--markets", folder.url.path])
        #expect(run.status == 2)
        #expect(run.output.contains("/aa.lua:1:31: error: extends: "))
        #expect(run.errors.contains("dd.lua: it is not a regular file"))
        let json = try HostRun(["check", "--markets", folder.url.path, "--format", "json"]).json()
        #expect(
            (json["findings"] as? [[String: Any]])?.compactMap { $0["code"] as? String } == ["wrongType", "unreadable"])
    }

    @Test func unreadableFileExitsWith2() throws {
        let folder = try TestFolder()
        let markets = try folder.markets()
        try FileManager.default.createDirectory(
            at: markets.appending(path: "dd.lua"), withIntermediateDirectories: false)
        let run = try HostRun(["check", "--markets", markets.path])
        #expect(run.status == 2)
        #expect(run.errors == "cannot read \(markets.path)/dd.lua: it is not a regular file\n")
    }

    @Test func missingMarketExitsWith2() throws {
        let run = try HostRun(["check", "cq"])
        #expect(run.status == 2)
        #expect(run.errors == "there is no market \"cq\" in markets; did you mean \"ca\"?\n")
    }

    @Test func emptyFolderExitsWith2() throws {
        let folder = try TestFolder()
        let run = try HostRun(["check", "--markets", folder.url.path])
        #expect(run.status == 2)
        #expect(run.errors == "there is no market in \(folder.url.path); name another folder with --markets DIR\n")
    }

    @Test func marketsAreFoundFromNestedFolder() throws {
        let folder = try TestFolder()
        _ = try folder.markets()
        let below = folder.url.appending(path: "docs/deep")
        try FileManager.default.createDirectory(at: below, withIntermediateDirectories: true)
        let run = try HostRun(["show", "currency", "-m", "ca", "-v"], folder: below)
        #expect(run.output.hasPrefix("currency = \"CAD\"  -- ../../markets/ca.lua:9:14"), "\(run.output)\(run.errors)")
        #expect(try HostRun(["test"], folder: below).errors.contains("no folder ../../scripts"))
        // An empty `markets` here takes precedence over one above; above, only a folder with a market counts.
        try FileManager.default.createDirectory(
            at: below.appending(path: "markets"), withIntermediateDirectories: true)
        #expect(try HostRun(["check"], folder: below).errors.contains("there is no market in markets"))
    }
}
