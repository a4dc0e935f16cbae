import CommandTesting
import Foundation
@testable import GlassDeliveryHost
import GlassHost
import GlassMarkets
import GlassPlatform
import TestSupport
import Testing

/// The commands, run the way users run them.
@Suite struct PublishCommandTests {
    /// A folder with the real markets.
    struct Work: Sendable {
        let files: PublishingFolder

        init() throws {
            files = try PublishingFolder()
            let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().deletingLastPathComponent()
            try FileManager.default.copyItem(
                at: repository.appending(path: "markets"), to: files.url.appending(path: "markets"))
        }

        private init(_ files: PublishingFolder) { self.files = files }

        /// A folder with a root and the three published markets.
        static func published() throws -> Work { Work(try PublishingFolder(publishedFiles.get())) }

        /// Published once: it takes longer than most tests that begin with it.
        private static let publishedFiles = Result {
            let work = try Work()
            for arguments in [
                ["root", "init", "--to", "site", "--make-keys", "keys"], ["publish", "--to", "site", "--keys", "keys"],
            ] {
                let run = try CommandRun(arguments, in: work.files.url)
                try #require(run.status == 0, "\(run.output)\(run.errors)")
            }
            return try PublishingFolder.Files(of: work.files)
        }

        @discardableResult
        func run(
            _ arguments: String..., environment: [String: String] = [:], below folder: String? = nil
        ) throws -> CommandRun {
            let folder = folder.map { files.url.appending(path: $0) } ?? files.url
            return try CommandRun(arguments, in: folder, environment: environment)
        }

        func edit(_ market: String, _ old: String, _ new: String) throws {
            let file = files.url.appending(path: "markets/\(market).lua")
            let text = try String(contentsOf: file, encoding: .utf8)
            try #require(text.contains(old))
            try Data(text.replacing(old, with: new).utf8).write(to: file)
        }

        func site() throws -> [String: Data] { try files.contents(of: "site") }
    }

    /// Nothing is published that `check` refuses, whatever the form of the command.
    @Test(arguments: [["publish"], ["publish", "--dry-run"], ["rollout", "us", "10%"]])
    func policyIsPartOfTheGate(command: [String]) throws {
        let work = try Work.published()
        let policies = work.files.url.appending(path: "policies")
        try FileManager.default.createDirectory(at: policies, withIntermediateDirectories: true)
        let policy = "glass.policy('a', { severity = 'breaking' }, function(_, deny) deny('name', 'not today') end)"
        try Data(policy.utf8).write(to: policies.appending(path: "a.lua"))
        let run = try CommandRun(command + ["--to", "site", "--keys", "keys"], in: work.files.url)
        #expect(run.status == 1)
        #expect(run.errors.contains("not today") && run.errors.hasSuffix("nothing was published\n"), "\(run.errors)")
    }

    /// A clock that goes back makes no site that each phone refuses.
    @Test(arguments: [["timestamp"], ["publish"], ["root", "rotate"]])
    func expiryNeverMovesBack(command: [String]) throws {
        let work = try Work.published()
        if command == ["publish"] { try work.edit("ca", "currency = \"CAD\"", "currency = \"USD\"") }
        let before = try work.site()
        let arguments = command + ["--to", "site", "--keys", "keys", "--at", "2020-01-01T00:00:00Z"]
        let run = try CommandRun(arguments, in: work.files.url)
        #expect(run.status == 1)
        #expect(run.errors.contains("would expire on 202") && run.errors.contains("check the clock"), "\(run.errors)")
        #expect(try work.site() == before)
        #expect(try CommandRun(arguments + ["--allow-earlier-expiry"], in: work.files.url).status == 0)
    }

    @Test func publishedMarketsAreAcceptedByClient() throws {
        let work = try Work.published()
        let check = try work.run("publish", "--check", "site")
        check.expect(0)
        #expect(check.output.contains("a client accepts the publication"))
        for id in ["ca", "mx", "us"] { #expect(check.output.contains("\n\(id)  ")) }
    }

    @Test func unchangedMarketsWriteNothing() throws {
        let work = try Work.published()
        let before = try work.site()
        let again = try work.run("publish", "--to", "site", "--keys", "keys")
        again.expect(0)
        #expect(again.output.contains("no changes; nothing was written"))
        #expect(try work.site() == before)
    }

    @Test func uncommittedMarketsAreNotPublished() throws {
        let work = try Work.published()
        func git(_ arguments: [String]) throws -> Int32 {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = ["git", "-C", work.files.url.path] + arguments
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            return process.terminationStatus
        }
        // Without git, there is nothing to test.
        guard try git(["init"]) == 0 else { return }
        try #require(try git(["add", "markets"]) == 0)
        let settings = ["user.name=a", "user.email=a@b.example", "commit.gpgsign=false"].flatMap { ["-c", $0] }
        try #require(try git(settings + ["commit", "-qm", "markets"]) == 0)
        try work.edit("ca", "currency = \"CAD\"", "currency = \"USD\"")
        let before = try work.site()
        let refused = try work.run("publish", "--to", "site", "--keys", "keys")
        refused.expect(1)
        #expect(
            refused.errors.contains(
                "markets/ca.lua in markets is not committed, so the publication could not be traced; "
                    + "commit the markets, or pass --allow-uncommitted"), "\(refused.errors)")
        #expect(try work.site() == before)
        // Whatever publishes what is in the files passes the same gate.
        for command in [["publish", "--dry-run"], ["rollout", "ca", "5%"], ["rollout", "ca", "5%", "--dry-run"]] {
            let run = try CommandRun(command + ["--to", "site", "--keys", "keys"], in: work.files.url)
            run.expect(1)
            #expect(run.errors == refused.errors)
        }
        #expect(try work.site() == before)
        try work.run("rollout", "ca", "5%", "--to", "site", "--keys", "keys", "--allow-uncommitted").expect(0)
        try work.run("rollout", "ca", "0%", "--to", "site", "--keys", "keys").expect(0)
        try work.run("publish", "--to", "site", "--keys", "keys", "--allow-uncommitted").expect(0)
        #expect(try work.site() != before)
        // Keys that are made in a checkout stay out of it.
        let made = try work.run("root", "init", "--to", "other", "--make-keys", "new-keys")
        made.expect(0)
        #expect(
            made.errors
                == """
                note: new-keys is in a git checkout, so new-keys/.gitignore keeps its private keys out of it; keep a copy of the keys elsewhere
                back up new-keys/root-1.pem, new-keys/root-2.pem, new-keys/root-3.pem, each in a place of its own, and take them off this machine: without enough of them, only a new version of the app can change the keys
                ship other/metadata/1.root.json with the app

                """
        )
        #expect(try git(["check-ignore", "new-keys/root-1.pem"]) == 0)
    }

    /// A rollout is stopped with a share of 0%, and that must not need anything else.
    @Test func shareOfNobodyIsPublished() throws {
        let work = try Work.published()
        try work.edit("us", "percent = 10,", "percent = 0,")
        try work.run("publish", "--to", "site", "--keys", "keys").expect(0)
    }

    @Test(arguments: [
        ("10", "10 has no unit; write 10%"), ("2.5", "2.5 has no unit; write 2.5%"),
        ("150%", "\"150%\" is not a percentage; write one from 0% to 100% in steps of 0.01%, such as 2.5%"),
        ("ten", "\"ten\" is not a percentage; write one from 0% to 100% in steps of 0.01%, such as 2.5%"),
    ])
    func shareSaysWhatToWrite(_ share: String, _ message: String) throws {
        let run = try Work.published().run("rollout", "ca", share, "--to", "site", "--keys", "keys")
        run.expect(64)
        #expect(run.errors.contains(message), "\(run.errors)")
    }

    @Test func differencesFromPublishedMarketsArePrinted() throws {
        let work = try Work.published()
        try work.edit("ca", "currency = \"CAD\"", "currency = \"USD\"")
        let dry = try work.run("publish", "--to", "site", "--keys", "keys", "--dry-run")
        dry.expect(0)
        #expect(dry.output.contains(#"~ currency: "CAD" → "USD""#), "\(dry.output)")
        #expect(dry.output.contains("nothing was written"))
        let json = try work.run("publish", "--to", "site", "--keys", "keys", "--format", "json")
        json.expect(0)
        let object = try json.json()
        #expect(object["published"] as? Bool == true)
        let markets = try #require(object["markets"] as? [[String: Any]])
        #expect(markets.compactMap { $0["change"] as? String } == ["changed", "unchanged", "unchanged"])
        #expect((object["differences"] as? [[String: Any]])?.count == 1)
    }

    /// As `diff` and `review`, it compares all situations.
    @Test func differencesOfOtherSituationsArePrinted() throws {
        let work = try Work.published()
        try work.edit("mx", "\"buen-fin\"", "\"elbuenfin\"")
        let dry = try work.run("publish", "--to", "site", "--keys", "keys", "--dry-run")
        dry.expect(0)
        #expect(dry.output.contains("  when --context localDate=2029-11-16T00:00:00\n    ~ deals: "), "\(dry.output)")
        #expect(dry.output.contains("walmart.mx://elbuenfin\n  in other situations, 1 link differs\n"), "\(dry.output)")
    }

    /// A market whose file is gone stays published, and is named.
    @Test func marketThatIsGoneIsNamed() throws {
        let work = try Work.published()
        try FileManager.default.removeItem(at: work.files.url.appending(path: "markets/mx.lua"))
        let run = try work.run("publish", "--to", "site", "--keys", "keys")
        run.expect(0)
        #expect(run.errors.contains("warning: mx is still published, but markets no longer has it\n"), "\(run.errors)")
        #expect(try !work.run("publish", "us", "--to", "site", "--keys", "keys").errors.contains("still published"))
    }

    @Test func marketWithErrorIsNotPublished() throws {
        let work = try Work.published()
        let before = try work.site()
        try work.edit("ca", "currency = \"CAD\"", "currency = \"dollars\"")
        let run = try work.run("publish", "--to", "site", "--keys", "keys")
        run.expect(1)
        #expect(run.errors.contains("currency"))
        #expect(try work.site() == before)
    }

    @Test func marketWithLuaHandlerIsNotPublished() throws {
        let work = try Work.published()
        let before = try work.site()
        try work.edit(
            "ca", "routables = {",
            "routables = { odd = { paths = { \"odd\" }, handle = function(link, state) return true end },")
        let run = try work.run("publish", "--to", "site", "--keys", "keys")
        run.expect(1)
        #expect(run.errors.contains("markets/ca.lua:"), "\(run.errors)")
        #expect(run.errors.contains("routables.odd.handle"), "\(run.errors)")
        #expect(try work.site() == before)
    }

    @Test func secretValueIsInNoFile() throws {
        let work = try Work()
        let secret = "sesame-4711-open"
        let environment = [
            "GLASS_US_CONSUMER_KEY": secret, "GLASS_CA_CONSUMER_KEY": secret, "GLASS_MX_CONSUMER_KEY": secret,
        ]
        try work.run("root", "init", "--to", "site", "--make-keys", "keys", environment: environment).expect(0)
        try work.run("publish", "--to", "site", "--keys", "keys", environment: environment).expect(0)
        for (name, content) in try work.site() {
            #expect(content.range(of: Data(secret.utf8)) == nil, "\(name)")
        }
        // Written into a market in plain text, it is rejected.
        try work.edit("ca", "name = \"Canada\"", "name = \"\(secret)\"")
        let run = try work.run("publish", "--to", "site", "--keys", "keys", environment: environment)
        run.expect(1)
        #expect(run.errors.contains("contains the value of the secret GLASS_"))
        #expect(!run.errors.contains(secret))
    }

    @Test(
        arguments: [
            (
                ["publish", "--to", "site", "--keys", "no-keys"], 2,
                "cannot read the key no-keys: no such file or directory"
            ),
            (
                ["publish", "--to", "nowhere", "--keys", "keys"], 2,
                "there is no publication in nowhere: it has no root in metadata; check the path, or start one with "
            ),
            (["publish", "zz", "--to", "site", "--keys", "keys"], 2, "zz"),
            (["publish"], 64, "name the published folder with --to DIR"),
            (["publish", "--to", "site", "--at", "yesterday"], 64, "--at yesterday is not a time"),
            (
                ["publish", "--to", "site", "--app-min", "25", "--app-max", "24"], 64,
                "no version is at least 25 and at most 24"
            ),
            (["publish", "--check", "site", "--stage"], 64, "--check publishes nothing"),
            (["publish", "--check", "nowhere"], 2, "there is no metadata/1.root.json"),
            (["root", "init", "--to", "site", "--make-keys", "more"], 1, "site already has a root, version 1"),
            (["root", "rotate", "--to", "site", "--add", "boss=x.pem"], 64, "boss=x.pem"),
            (["rollout", "ca", "150%", "--to", "site"], 64, "150%"),
            (
                ["rollout", "ca", "100%", "--to", "site", "--keys", "keys"], 1,
                "no version of the market ca is being rolled out"
            ),
            (["rollback", "7", "--to", "site", "--keys", "keys"], 1, "there is no publication 7 to roll back to"),
            (["revoke", "0000000000", "--to", "site", "--keys", "keys"], 1, "was never published here"),
            (["sign", "--to", "site", "--keys", "keys"], 2, "nothing is waiting for signatures in site/staged"),
            (["timestmp"], 64, #"there is no command "timestmp"; did you mean "timestamp"?"#),
            (["root", "rotat"], 64, #"there is no command "root rotat"; did you mean "root rotate"?"#),
        ] as [([String], Int32, String)])
    func failureIsExplained(_ arguments: [String], _ status: Int32, _ text: String) throws {
        let work = try Work.published()
        let before = try work.site()
        let run = try CommandRun(arguments, in: work.files.url)
        #expect(run.status == status, "\(run.errors)")
        #expect((run.errors + run.output).contains(text), "\(run.errors)")
        #expect(try work.site() == before)
    }

    @Test func operatorRollsOutRollsBackAndRevokes() throws {
        let work = try Work.published()
        try work.edit("ca", "currency = \"CAD\"", "currency = \"USD\"")
        let start = try work.run("rollout", "ca", "25%", "--to", "site", "--keys", "keys")
        start.expect(0)
        #expect(start.output.contains("ca: rolling out (25%)"))
        let check = try work.run("publish", "--check", "site", "--format", "json")
        let markets = try #require(try check.json()["markets"] as? [[String: Any]])
        let next = try #require(markets.first { $0["path"] as? String == "4/ca.next.json" })
        #expect(next["share"] as? Int == 2500)
        try work.run("rollout", "ca", "100%", "--to", "site", "--keys", "keys").expect(0)
        let digest = try #require(next["digest"] as? String)
        let back = try work.run("rollback", "1", "ca", "--to", "site", "--keys", "keys")
        back.expect(0)
        #expect(back.output.contains(#"~ currency: "USD" → "CAD""#), "\(back.output)")
        try work.run("revoke", String(digest.prefix(12)), "--to", "site", "--keys", "keys").expect(0)
        #expect(try work.run("publish", "--check", "site").output.contains("revoked \(digest)"))
        // A revoked version is not published again.
        let again = try work.run("publish", "--to", "site", "--keys", "keys")
        again.expect(1)
        #expect(again.errors.contains("is revoked"))
    }

    @Test func dailyJobReportsWhatIsDue() throws {
        let work = try Work()
        let start = ["--at", "2026-01-01T00:00:00Z"]
        try CommandRun(["root", "init", "--to", "site", "--make-keys", "keys"] + start, in: work.files.url).expect(
            0)
        try CommandRun(["publish", "--to", "site", "--keys", "keys"] + start, in: work.files.url).expect(0)
        let early = try work.run(
            "timestamp", "--to", "site", "--keys", "keys/timestamp.pem", "--at", "2026-01-08T00:00:00Z")
        early.expect(0)
        #expect(early.errors.isEmpty, "\(early.errors)")
        #expect(early.output.contains("timestamp 2, expires 2026-01-15T00:00:00Z"))
        let late = try work.run(
            "timestamp", "--to", "site", "--keys", "keys/timestamp.pem", "--at", "2026-01-20T00:00:00Z")
        late.expect(0)
        #expect(late.errors.contains("snapshot 1 expires on 2026-01-31T00:00:00Z"))
        let check = try work.run("publish", "--check", "site", "--at", "2026-01-20T00:00:00Z")
        check.expect(0)
        #expect(check.output.contains("past half of its validity"))
        let expired = try work.run("publish", "--check", "site", "--at", "2026-03-01T00:00:00Z")
        expired.expect(1)
        #expect(expired.output.contains("expired"))
    }

    @Test func stagedTargetsAreSignedElsewhere() throws {
        let work = try Work.published()
        try FileManager.default.moveItem(
            atPath: work.files.path("keys/targets.pem"), toPath: work.files.path("release.pem"))
        try work.edit("ca", "currency = \"CAD\"", "currency = \"USD\"")
        let missing = try work.run("publish", "--to", "site", "--keys", "keys")
        missing.expect(2)
        #expect(missing.errors.contains("targets 2 has 0 of 1 signatures"))
        let staged = try work.run("publish", "--to", "site", "--keys", "keys", "--stage")
        staged.expect(0)
        #expect(staged.output.contains("targets 2 is staged: 0 of 1 signatures by the keys of targets"))
        try work.run("sign", "--to", "site", "--keys", "release.pem").expect(0)
        let done = try work.run("sign", "--to", "site", "--keys", "keys")
        done.expect(0)
        #expect(done.output.contains("published to site"))
        try work.run("publish", "--check", "site").expect(0)
    }
}

/// A run of the built `glass-delivery`.
typealias DeliveryProcess = CommandProcess

extension CommandProcess {
    /// The program next to the test bundle.
    static let executable = executable("glass-delivery")

    init(_ arguments: [String], in folder: URL, environment: [String: String] = [:], program: URL = executable) throws {
        try self.init(program, arguments, environment: environment, folder: folder)
    }

    func expect(_ status: Int32, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(self.status == status, "\(output)\(errors)", sourceLocation: sourceLocation)
    }
}

extension CommandRun {
    /// Runs a command of `glass-delivery` in a folder and waits until it ends.
    init(_ arguments: [String], in folder: URL, environment: [String: String] = [:]) throws {
        try self.init(
            arguments, of: DeliveryCommand.self, HostSettings(module: .platform), name: "glass-delivery",
            environment: environment, folder: folder)
    }

    func expect(_ status: Int32, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(self.status == status, "\(output)\(errors)", sourceLocation: sourceLocation)
    }
}
