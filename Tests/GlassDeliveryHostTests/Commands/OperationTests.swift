import CommandTesting
import Foundation
import GlassBase
import GlassDelivery
@testable import GlassDeliveryHost
import GlassMarkets
import TestSupport
import Testing

/// What operators do: from staging to production, with the keys at hand, and what a certain phone gets.
@Suite(.timeLimit(.minutes(3)))
struct OperationTests {
    typealias Work = PublishCommandTests.Work

    /// Two publications: `site` is staging and has three markets, and `production` has Canada's first version.
    private static func two() throws -> Work {
        let work = try Work.published()
        try work.run("root", "init", "--to", "production", "--make-keys", "production-keys").expect(0)
        try work.promote("ca").expect(0)
        try work.edit("ca", "currency = \"CAD\"", "currency = \"USD\"")
        try work.run("publish", "ca", "--to", "site", "--keys", "keys").expect(0)
        return work
    }

    // MARK: Promoting

    @Test func productionGetsSameBytes() throws {
        let work = try Self.two()
        try work.promote("ca").expect(0)
        let (staged, promoted) = (try work.entry("ca", in: "site"), try work.entry("ca", in: "production"))
        #expect(staged.digest == promoted.digest)
        let contents = try work.files.contents()
        #expect(contents["site/\(staged.file)"] == contents["production/\(promoted.file)"])
        #expect(promoted.serial == 2)
        try work.run("publish", "--check", "production").expect(0)
        let again = try work.promote("ca")
        again.expect(0)
        #expect(again.output.contains("nothing was written"))
    }

    @Test func versionIsPromotedToPercentage() throws {
        let work = try Self.two()
        let run = try work.promote("ca", "5%", "--reason", "new prices")
        run.expect(0)
        #expect(run.output.contains("5% of installations get version 2 ("), "\(run.output)")
        #expect(try work.entry("ca", in: "production").serial == 1)
        let log = try work.run("log", "ca", "--to", "production").output
        #expect(log.contains("to 5%") && log.contains("new prices"), "\(log)")
        let up = try work.run(
            "rollout", "ca", "25%", "--to", "production", "--keys", "production-keys", "--format", "json")
        let effect = try up.json()
        #expect(effect["gains"] as? Int == 2_000 && effect["loses"] as? Int == 0)
    }

    /// The same version keeps its salt, so that nobody who has it loses it; another version waits.
    @Test func repeatedPromotionKeepsInstallations() throws {
        let work = try Self.two()
        try work.promote("ca", "5%").expect(0)
        let state = { try PublishedState(reading: RepositoryFolder(work.files.path("production"))).entries() }
        let salt = try state().first { $0.share != nil }?.custom?["rollout"]?["salt"]?.stringValue
        let run = try work.promote("ca", "30%")
        run.expect(0)
        #expect(run.output.contains("25% of installations get version 2 ("), "\(run.output)")
        let next = try #require(try state().first { $0.share != nil })
        #expect(next.share == 3_000 && next.custom?["rollout"]?["salt"]?.stringValue == salt)
        try work.edit("ca", "currency = \"USD\"", "currency = \"MXN\"")
        try work.run("publish", "ca", "--to", "site", "--keys", "keys").expect(0)
        let before = try work.files.contents()
        let refused = try work.promote("ca", "5%")
        refused.expect(1)
        #expect(
            refused.errors.contains("another version of the market ca is being rolled out (30%)"), "\(refused.errors)")
        #expect(try work.files.contents() == before)
    }

    /// A rollback ends a rollout, says for whom, and restarts none.
    @Test func rollbackRestartsNoRollout() throws {
        let work = try Self.two()
        try work.promote("ca", "10%").expect(0)  // publication 2
        let ended = try work.run("rollback", "1", "ca", "--to", "production", "--keys", "production-keys")
        ended.expect(0)
        #expect(ended.output.contains("the 10% of installations that have version 2 ("), "\(ended.output)")
        #expect(try work.entry("ca", in: "production").serial == 1)
        try work.promote("ca").expect(0)  // publication 4
        let back = try work.run("rollback", "2", "ca", "--to", "production", "--keys", "production-keys")
        back.expect(0)
        #expect(try work.entry("ca", in: "production").serial == 1)
        let entries = try PublishedState(reading: RepositoryFolder(work.files.path("production"))).entries()
        #expect(!entries.contains { $0.share != nil })
    }

    /// A root that waits for its owners for days does not prevent an urgent revocation, and is not lost.
    @Test func stagedRootDoesNotBlockRevocation() throws {
        let work = try Work.published()
        try work.run("root", "rotate", "--to", "site", "--keys", "keys/root-1.pem").expect(0)
        #expect(FileManager.default.fileExists(atPath: work.files.path("site/staged/2.root.json")))
        try work.run("revoke", work.entry("us", in: "site").digest, "--to", "site", "--keys", "keys").expect(0)
        #expect(FileManager.default.fileExists(atPath: work.files.path("site/staged/2.root.json")))
        try work.run("publish", "--check", "site").expect(0)
        try work.run("sign", "--to", "site", "--keys", "keys").expect(0)
        #expect(try work.run("publish", "--check", "site").output.contains("root 2"))
    }

    /// Keys are never made where they would be served, and what is there already is named.
    @Test func keysAreNotServed() throws {
        let work = try Work.published()
        let before = try work.files.contents()
        for arguments in [
            ["key", "new", "a", "--in", "site"], ["key", "new", "a", "--in", "site/metadata/keys"],
            ["root", "init", "--to", "other", "--make-keys", "other/keys"],
        ] {
            let run = try CommandRun(arguments, in: work.files.url)
            run.expect(2)
            #expect(run.errors.contains("would be served with"), "\(run.errors)")
        }
        #expect(try work.files.contents() == before)
        try FileManager.default.copyItem(
            atPath: work.files.path("keys/targets.pem"), toPath: work.files.path("site/targets.pem"))
        #expect(
            try work.run("publish", "--check", "site").output.contains("site/targets.pem is not of the publication"))
    }

    /// What somebody's .gitignore has stays, and all keys are made, or none.
    @Test func newKeysChangeNothingElse() throws {
        let work = try Work()
        _ = try work.files.write("*.log\nbuild/\n", to: ".gitignore", mode: 0o644)
        let git = try DeliveryProcess(
            ["init", "--quiet"], in: work.files.url, program: URL(filePath: "/usr/bin/git"))
        git.expect(0)
        try work.run("key", "new", "a", "--in", ".").expect(0)
        let ignored = try String(contentsOfFile: work.files.path(".gitignore"), encoding: .utf8)
        #expect(ignored == "*.log\nbuild/\n*.pem\n")
        let before = try work.files.contents()
        try work.run("key", "new", "b", "a", "--in", ".").expect(2)
        #expect(try work.files.contents() == before)
    }

    /// A market that git ignores is not of the commit that the log would name.
    @Test func ignoredMarketIsNotCommitted() throws {
        let work = try Work.published()
        _ = try work.files.write("mx.lua\n", to: "markets/.gitignore", mode: 0o644)
        for arguments in [
            ["init", "--quiet"], ["add", "markets"],
            ["-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--message", "a"],
        ] {
            try DeliveryProcess(arguments, in: work.files.url, program: URL(filePath: "/usr/bin/git")).expect(0)
        }
        let run = try work.run("publish", "mx", "--to", "site", "--keys", "keys")
        run.expect(1)
        #expect(run.errors.contains("mx.lua in markets is not committed"), "\(run.errors)")
    }

    /// A publisher whose clock is ahead makes metadata that is valid for too long.
    @Test func clockAheadIsReported() throws {
        let work = try Work.published()
        let future = UpdateTime.now.adding(seconds: 10 * 86_400)
        try work.run("timestamp", "--to", "site", "--keys", "keys", "--at", "\(future)").expect(0)
        let check = try work.run("publish", "--check", "site")
        #expect(check.output.contains("was the clock of the publisher ahead?"), "\(check.output)")
    }

    /// The commit is that of the version on staging, which is another than that of the working tree.
    @Test func earlierVersionIsPromotedByDigest() throws {
        let work = try Self.two()
        let first = try work.entry("ca", in: "production").digest
        try work.promote("ca").expect(0)
        let run = try work.promote("ca", "--digest", String(first.prefix(8)))
        run.expect(0)
        #expect(try work.entry("ca", in: "production").digest == first)
        let entry = try work.entry("ca", in: "production")
        let map = try #require(
            try PublishedState(reading: RepositoryFolder(work.files.path("production"))).entries()
                .first { $0.path == entry.mapPath })
        #expect(map.length > 0)
    }

    @Test func refusedPromotionWritesNothing() throws {
        let work = try Self.two()
        let digest = try work.entry("us", in: "site").digest
        try work.run("revoke", digest, "--to", "site", "--keys", "keys").expect(0)
        let before = try work.files.contents()
        for (arguments, status, text) in [
            (["us"], 1, "site has revoked this version of us"),
            (["de"], 2, "site does not publish the market de; it publishes ca, mx, us"),
            (["ca", "--digest", "0123456789"], 2, "site never served a version 0123456789 of the market ca"),
            (["ca", "--digest", "0123"], 2, "too short"),
            (["ca", "--from", "nowhere"], 2, "there is no publication in nowhere"),
            (["ca", "--environment", "beta"], 1, "ca starts in the environment production, not in beta"),
            (["ca", "0%"], 64, "leave the percentage out"), (["ca", "5"], 64, "5 has no unit; write 5%"),
            (["mx", "5%"], 1, "is not published yet"),
            (["ca", "--keys", "keys"], 2, "which may be of another publication"),
        ] as [([String], Int32, String)] {
            let run = try work.promote(arguments)
            #expect(run.status == status, "\(arguments): \(run.errors)")
            #expect(run.errors.contains(text), "\(arguments): \(run.errors)")
            #expect(try work.files.contents() == before, "\(arguments)")
        }
    }

    /// A market that starts in an environment for tests is for testers only.
    @Test func environmentForTestsIsNotPromoted() throws {
        let work = try Self.two()
        for id in ["ca", "us"] {
            let file = work.files.url.appending(path: "markets/\(id).lua")
            let text = try String(contentsOf: file, encoding: .utf8)
            try Data(text.replacing("default = \"production\"", with: "default = \"staging\"").utf8).write(to: file)
        }
        try work.run("publish", "--to", "site", "--keys", "keys").expect(0)
        let before = try work.files.contents(of: "production")
        let changed = try work.promote("ca")
        changed.expect(1)
        #expect(
            changed.errors.contains("ca starts in the environment staging, and the published version in production"),
            "\(changed.errors)")
        let new = try work.promote("us")
        new.expect(1)
        #expect(new.errors.contains("us starts in the environment staging, which is for tests"), "\(new.errors)")
        #expect(try work.files.contents(of: "production") == before)
        try work.promote("us", "--environment", "staging").expect(0)
    }

    // MARK: Keys

    @Test func newKeyIsFoundByCommands() throws {
        let work = try Work.published()
        let environment = ["XDG_CONFIG_HOME": work.files.path("configuration")]
        let made = try work.run("key", "new", "release", environment: environment)
        made.expect(0)
        let path = work.files.path("configuration/glass-delivery/release.pem")
        #expect(made.output.hasPrefix("\(path): key "))
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        try work.run(
            "root", "rotate", "--to", "site", "--keys", "keys", "--keys", path, "--add", "targets=\(path)", "--remove",
            "targets=\(try work.id(of: .targets))"
        ).expect(0)
        let list = try work.run("key", "list", "--to", "site", environment: environment)
        list.expect(0)
        #expect(list.output.contains("/release.pem"), "\(list.output)")
        #expect(list.output.split(separator: "\n").filter { $0.hasSuffix("  no") }.count == 5, "\(list.output)")
        // A key is never replaced.
        let bytes = try Data(contentsOf: URL(filePath: path))
        let again = try work.run("key", "new", "release", environment: environment)
        again.expect(2)
        #expect(again.errors.contains("exists, and a key is never replaced"), "\(again.errors)")
        #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
        try work.run("key", "new", "../release", environment: environment).expect(64)
    }

    /// A team's own command signs in place of key files, also for a promotion.
    @Test func signingCommandPromotes() throws {
        let work = try Self.two()
        let signer = """
            if [ "$GLASS_ROLE" = root ]; then exit 0; fi
            cat > in; openssl pkeyutl -sign -rawin -inkey production-keys/$GLASS_ROLE.pem -in in | od -An -v -tx1 | tr -d ' \\n'
            """
        let file = work.files.url.appending(path: "sign.sh")
        try Data(signer.utf8).write(to: file)
        let run = try DeliveryProcess(
            ["promote", "ca", "--from", "site", "--to", "production", "--signer", "sh sign.sh"], in: work.files.url)
        run.expect(0)
        try work.run("publish", "--check", "production").expect(0)
        #expect(try work.entry("ca", in: "production").serial == 2)
    }

    // MARK: Installations

    @Test(arguments: [
        (0, 500, 500, 0, "5% of installations get version 2 (bb); the others keep version 1 (aa)"),
        (500, 2_500, 2_000, 0, "20% of installations get version 2 (bb), 25% in all; none loses it"),
        (2_500, 1_000, 0, 1_500, "15% of installations return to version 1 (aa); 10% keep version 2 (bb)"),
        (1_000, 10_000, 9_000, 0, "the other 90% of installations get version 2 (bb), so that all have it"),
        (1_000, 0, 0, 1_000, "the 10% of installations that have version 2 (bb) return to version 1 (aa)"),
        (500, 500, 0, 0, "the same 5% of installations have version 2 (bb); none gains or loses it"),
    ])
    func rolloutSaysWhoGainsAndLoses(_ old: Int, _ new: Int, _ gains: Int, _ loses: Int, _ text: String) throws {
        func entry(_ digest: String, _ serial: Int) -> TargetEntry {
            var entry = TargetEntry(
                path: "4/ca.json", bytes: [], custom: PublishedMarket.custom(of: "ca", serial: serial, apps: AppRange())
            )
            entry.digest = digest
            return entry
        }
        let effect = try #require(RolloutEffect(of: entry("bb", 2), beside: entry("aa", 1), from: old, to: new))
        #expect((effect.gains, effect.loses) == (gains, loses))
        #expect(effect.text == text)
    }

    /// Installations on both sides of a percentage, one whose app is too old, a revoked version, and expired metadata.
    @Test func installationIsToldWhatItGetsAndWhy() throws {
        let work = try Self.two()
        try work.promote("ca", "50%").expect(0)
        let site = work.files.url.appending(path: "production")
        let server = try RawServer { connection in
            // Only what is in the folder: a request for another file is answered with 404.
            guard
                let file = try? String(
                    contentsOf: site.appending(path: connection.path.replacing("/base/", with: "")), encoding: .utf8)
            else {
                connection.answer(404)
                return
            }
            connection.answer(200, [:], file)
        }
        func fetch(_ arguments: String...) throws -> DeliveryProcess {
            try DeliveryProcess(
                ["fetch", server.url.absoluteString, "--root", "production/metadata/1.root.json"] + arguments,
                in: work.files.url)
        }
        let salt = "ca-2"
        let names = (1...100).map { "u\($0)" }
        let inside = try #require(names.first { Rollout.bucket(of: $0, salt: salt) < 5_000 })
        let outside = try #require(names.first { Rollout.bucket(of: $0, salt: salt) >= 5_000 })
        let place = { TargetsDraft.percent(Rollout.bucket(of: $0, salt: salt)) }
        let before = try work.files.contents()
        var run = try fetch("--install-id", inside)
        run.expect(0)
        #expect(
            run.output.contains(/ca: version 2 \([0-9a-f]{12}\), rolled out to 50% of installations/), "\(run.output)")
        #expect(run.output.contains("this one is at \(place(inside)), below it\n"), "\(run.output)")
        run = try fetch("--install-id", outside, "--app-version", "24.2")
        run.expect(0)
        #expect(run.output.contains(/ca: version 1 \([0-9a-f]{12}\), for all installations/), "\(run.output)")
        #expect(run.output.contains("this one is at \(place(outside)), not below it\n"), "\(run.output)")
        run = try fetch("--at", "2040-01-01T00:00:00Z")
        run.expect(1)
        #expect(run.output == "frozen: a device keeps what it has, and accepts nothing new\n")
        #expect(run.errors.contains("expired"), "\(run.errors)")
        #expect(try work.files.contents() == before, "a fetch without --store leaves something behind")
        let first = try work.entry("ca", in: "production").digest
        try work.run("rollout", "ca", "0%", "--to", "production", "--keys", "production-keys").expect(0)
        try work.run("revoke", first, "--to", "production", "--keys", "production-keys").expect(0)
        run = try fetch("--install-id", inside)
        run.expect(1)
        #expect(run.output.contains("ca: nothing new, because it is revoked"), "\(run.output)")
    }

    @Test func storeHasInstallationOfItsOwn() throws {
        let work = try Work.published()
        let run = try work.run("fetch", "http://127.0.0.1:9", "--root", "x", "--store", "s", "--install-id", "u7")
        run.expect(64)
        #expect(run.errors.contains("leave out --store or --install-id"), "\(run.errors)")
    }

    @Test func publishedMarketsHaveOneRowEach() throws {
        let work = try Self.two()
        try work.promote("ca", "5%").expect(0)
        let check = try work.run("publish", "--check", "production")
        let lines = check.output.split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("ca ") }.count == 1, "\(check.output)")
        #expect(check.output.contains(/ca +1 \([0-9a-f]{12}\) +any +2 \([0-9a-f]{12}\) to 5% +any/), "\(check.output)")
        // What expires first is first.
        #expect(lines.prefix(4).map { $0.prefix { $0 != " " } } == ["timestamp", "snapshot", "targets", "root"])
    }

    /// Bad input: one sentence, status 2, nothing written.
    @Test(arguments: [
        (["root", "init", "--to", "new", "--key", "root=keys/root-1.pem"], "has no key; name one with --key"),
        (["publish", "--quiet", "--to", "production", "--keys", "keys"], "which may be of another publication"),
        (["publish", "de", "--to", "site", "--keys", "keys"], "there is no market \"de\""),
        (["rollout", "de", "5%", "--to", "site", "--keys", "keys"], "there is no market \"de\""),
        (["rollback", "1", "de", "--to", "site", "--keys", "keys"], "the market de is not published"),
        (["log", "de", "--to", "site"], "has no line about the market de"),
        (["key", "list", "--to", "nowhere"], "there is no publication in nowhere"),
    ])
    func badInputIsOneSentence(_ arguments: [String], _ text: String) throws {
        let work = try Self.two()
        let before = try work.files.contents()
        let run = try CommandRun(arguments, in: work.files.url)
        #expect(run.status == 2, "\(run.errors)")
        #expect(run.errors.contains(text), "\(run.errors)")
        #expect(
            run.errors.split(separator: "\n").filter { !$0.hasPrefix("no app releases") }.count == 1, "\(run.errors)")
        #expect(try work.files.contents() == before)
    }
}

extension PublishCommandTests.Work {
    /// Promotes from `site` to `production`, unless the arguments name others.
    fileprivate func promote(_ arguments: String...) throws -> CommandRun { try promote(arguments) }

    fileprivate func promote(_ arguments: [String]) throws -> CommandRun {
        var all = ["promote"] + arguments + ["--to", "production"]
        if !arguments.contains("--from") { all += ["--from", "site"] }
        if !arguments.contains("--keys") { all += ["--keys", "production-keys"] }
        return try CommandRun(all, in: files.url)
    }

    /// The published version of a market for all installations.
    fileprivate func entry(_ id: String, in folder: String) throws -> TargetEntry {
        let state = try PublishedState(reading: RepositoryFolder(files.path(folder)))
        return try #require(try state.entries().first { $0.path == PublishedMarket.path(of: id) })
    }

    /// The id of the key of a role.
    fileprivate func id(of role: UpdateRole) throws -> String {
        try #require(try PublishedState(reading: RepositoryFolder(files.path("site"))).root[role].entries.first?.id)
    }
}
