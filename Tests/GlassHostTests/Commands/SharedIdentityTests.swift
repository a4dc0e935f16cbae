import CommandTesting
import Foundation
import Testing

/// Identifiers that only one market in a folder can have, such as a bundle identifier.
@Suite(.timeLimit(.minutes(3)))
struct SharedIdentityTests {
    private static let shared = """
        return { id = "xx", name = "X", extends = "us",
          deepLinking = { schemes = { "walmart.xx", "walmart.ca" }, universalLinks = {} },
          platform = { appInfo = { bundleIdentifier = "com.Walmart.Mexico", android = { package = "com.walmart.xx" } } } }
        """

    @Test func sharedIdentifierIsWarningAndErrorIfStrict() throws {
        let folder = try TestFolder()
        let markets = try folder.markets()
        try Data(Self.shared.utf8).write(to: markets.appending(path: "xx.lua"))
        let run = try HostRun(["check", "--markets", markets.path])
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.output.contains(
                """
                \(markets.path)/xx.lua:2:45: warning: deepLinking.schemes[2]: xx has the scheme "walmart.ca" of ca (\(markets.path)/ca.lua:12:17) [sharedIdentity]
                    2 |   deepLinking = { schemes = { "walmart.xx", "walmart.ca" }, universalLinks = {} },
                      |                                             ^
                  hint: set a different one in xx.lua
                """), "\(run.output)")
        #expect(
            run.output.contains("xx has the bundle identifier \"com.Walmart.Mexico\" of mx (\(markets.path)/mx.lua:"))
        let strict = try HostRun(["check", "--strict", "--markets", markets.path, "--format", "json"])
        #expect(strict.status == 1)
        let findings = try #require(try strict.json()["findings"] as? [[String: Any]])
        #expect(
            findings.filter { $0["severity"] as? String == "error" }.compactMap { $0["code"] as? String }
                == ["sharedIdentity", "sharedIdentity"])
        // Also if only one of the two is checked; other markets are not affected.
        for id in ["xx", "ca", "mx"] {
            let named = try HostRun(["check", id, "--strict", "--markets", markets.path])
            #expect(named.status == 1)
            #expect(named.output.contains("/xx.lua:2:45: error:") == (id != "mx"), "\(named.output)")
            #expect(named.output.contains("com.Walmart.Mexico") == (id != "ca"), "\(named.output)")
            #expect(named.output.contains("\n1 market: "))
        }
        #expect(try HostRun(["check", "us", "--strict", "--markets", markets.path]).status == 0)
    }

    /// Somebody else's host is one finding: it should not be allowed, but removed.
    @Test func hostOfAnotherMarketIsReportedOnce() throws {
        let folder = try TestFolder()
        let markets = try folder.markets()
        let links = "universalLinks = { \"www.walmart.ca\", \"www.walmart.cl\" }"
        let file = """
            return { id = "xx", name = "X", extends = "us", deepLinking = { schemes = { "xx" }, \(links),
              allowedDomains = { { name = "walmart.com" } } } }
            """
        try Data(file.utf8).write(to: markets.appending(path: "xx.lua"))
        for names in [[], ["xx"]] {
            let run = try HostRun(["check", "--markets", markets.path] + names)
            #expect(run.output.contains("xx has the universal link host \"www.walmart.ca\" of ca"), "\(run.output)")
            #expect(!run.output.contains("does not list \"www.walmart.ca\""), "\(run.output)")
            #expect(run.output.contains("does not list \"www.walmart.cl\""), "\(run.output)")
        }
    }

    @Test func extendingMarketIsReportedRegardlessOfOrder() throws {
        let folder = try TestFolder()
        let markets = try folder.markets()
        let source = """
            return { id = "bx", name = "B",
              extends = "us", locales = { "en-US" }, currency = "USD",
              deepLinking = { schemes = { "walmart" }, universalLinks = {} },
              platform = { appInfo = { bundleIdentifier = "com.b" } } }
            """
        try Data(source.utf8).write(to: markets.appending(path: "bx.lua"))
        for names in [[], ["bx"], ["us"]] {
            let run = try HostRun(["check", "--markets", markets.path, "--format", "json"] + names)
            let findings = try #require(try run.json()["findings"] as? [[String: Any]])
            let shared = findings.filter { $0["code"] as? String == "sharedIdentity" }
            let messages = shared.compactMap { $0["message"] as? String }.map {
                $0.replacing(#/ \(.*\)/#, with: "")
            }
            #expect(
                messages == [
                    "bx inherits the Android package \"com.walmart.android\" of us",
                    "bx has the scheme \"walmart\" of us",
                ])
            #expect(shared.compactMap { $0["line"] as? Int } == [2, 3])
            for finding in shared {
                let related = try #require(finding["related"] as? [[String: Any]])
                #expect(related.compactMap { $0["message"] as? String } == ["that of us is here"])
                #expect((related.first?["file"] as? String)?.hasSuffix("/us.lua") == true)
            }
        }
    }

    @Test func reportsHaveRelatedPosition() throws {
        let folder = try TestFolder()
        let markets = try folder.markets()
        try Data(Self.shared.utf8).write(to: markets.appending(path: "xx.lua"))
        let run = try HostRun(["check", "--markets", markets.path, "--as", "sarif"])
        #expect(run.output.contains("\"relatedLocations\""))
        #expect(run.output.contains("that of ca is here"))
    }

    @Test func inheritedIdentifierIsReportedAtExtends() throws {
        let folder = try TestFolder()
        let markets = try folder.markets()
        let source =
            "return { id = \"xx\", name = \"X\",\n  extends = \"ca\", deepLinking = { schemes = { \"walmart.xx\" } } }"
        try Data(source.utf8).write(to: markets.appending(path: "xx.lua"))
        let run = try HostRun(["check", "--markets", markets.path])
        #expect(run.output.contains(":2:13: warning: "), "\(run.output)")
        #expect(run.output.contains("xx inherits the Android package"), "\(run.output)")
        // One finding lists the keys that each market should set, so these are not reported again.
        #expect(
            run.output.contains(
                ": extends: currency, locales, deepLinking.universalLinks, platform.appInfo.bundleIdentifier, "),
            "\(run.output)")
        #expect(!run.output.contains("xx inherits the bundle identifier"), "\(run.output)")
        let strict = try HostRun(["check", "--strict", "--markets", markets.path])
        for name in ["bundle identifier \"com.walmart.canada\"", "Android package", "universal link host"] {
            #expect(strict.output.contains("xx inherits the \(name)"), "\(strict.output)")
        }
        // A market that means to share an app says so.
        let meant = source.replacing("deepLinking = {", with: "inherit = true, deepLinking = {")
        try Data(meant.utf8).write(to: markets.appending(path: "xx.lua"))
        for options in [[], ["--strict"]] {
            let run = try HostRun(["check", "--markets", markets.path] + options)
            #expect(run.status == 0 && !run.output.contains("inherit"), "\(run.output)")
        }
    }

    @Test func identifierFromSharedIncludeIsReportedThere() throws {
        let folder = try TestFolder()
        let markets = try folder.markets()
        let links = "return {\n  schemes = { \"one\" }, universalLinks = { \"one.example\" },\n}"
        try Data(links.utf8).write(to: markets.appending(path: "links.inc"))
        for id in ["aa", "zz"] {
            let source = """
                return { id = "\(id)", name = "N", extends = "us", locales = { "en-US" }, currency = "USD",
                  deepLinking = include "links.inc",
                  platform = { appInfo = { bundleIdentifier = "com.\(id)", android = { package = "com.\(id)" } } } }
                """
            try Data(source.utf8).write(to: markets.appending(path: "\(id).lua"))
        }
        let run = try HostRun(["check", "--markets", markets.path])
        let place = "\(markets.path)/links.inc:2:15"
        #expect(
            run.output.contains(
                "\(place): warning: deepLinking.schemes[1]: zz has the scheme \"one\" of aa (\(place))"),
            "\(run.output)")
    }

    /// Android package names are case-sensitive, whereas on Apple's systems bundle identifiers that differ only in case
    /// conflict.
    @Test func androidPackagesAreComparedCaseSensitively() throws {
        let folder = try TestFolder()
        let markets = try folder.markets()
        for (id, name) in [("aa", "com.example.app"), ("zz", "com.Example.app")] {
            let source = """
                return { id = "\(id)", name = "N", extends = "us", locales = { "en-US" }, currency = "USD",
                  deepLinking = { schemes = { "\(id)" }, universalLinks = {} },
                  platform = { appInfo = { bundleIdentifier = "\(name)", android = { package = "\(name)" } } } }
                """
            try Data(source.utf8).write(to: markets.appending(path: "\(id).lua"))
        }
        let run = try HostRun(["check", "--markets", markets.path])
        #expect(run.output.contains("zz has the bundle identifier \"com.Example.app\" of aa"), "\(run.output)")
        #expect(!run.output.contains("Android package"), "\(run.output)")
    }

    @Test func exportOfAllMarketsKeepsConflictingOnesApart() throws {
        let folder = try TestFolder()
        let markets = try folder.markets()
        #expect(try HostRun(["export", "links-md", "--all", "--markets", markets.path]).status == 0)
        try Data(Self.shared.utf8).write(to: markets.appending(path: "xx.lua"))
        let run = try HostRun(["export", "links-md", "--all", "--markets", markets.path])
        #expect(run.status == 1)
        #expect(run.output == "")
        #expect(
            run.errors.contains("xx.lua:2:45: error: deepLinking.schemes[2]: xx has the scheme \"walmart.ca\" of ca"))
    }
}
