import CommandTesting
import Foundation
import GlassDelivery
@testable import GlassDeliveryHost
import TestSupport
import Testing

/// The log of what was published, and what is said about one that was changed.
@Suite(.timeLimit(.minutes(3)))
struct PublicationLogTests {
    typealias Work = PublishCommandTests.Work

    /// A folder with three publications, whose log has six lines: the root, three markets, a rollout, and a revocation.
    private static func used() throws -> Work {
        let work = try Work.published()
        try work.edit("ca", "currency = \"CAD\"", "currency = \"USD\"")
        try work.run("rollout", "ca", "5%", "--to", "site", "--keys", "keys", "--reason", "a secret plan").expect(0)
        let digest = try #require(try work.entries().first { $0.path == "4/us.json" }?.digest)
        try work.run("revoke", digest, "--to", "site", "--keys", "keys", "--reason", "it was \"wrong\"\n").expect(0)
        return work
    }

    @Test func everyChangeHasLine() throws {
        let work = try Self.used()
        let run = try work.run("log", "--to", "site", "--format", "json")
        run.expect(0)
        let json = try run.json()
        let lines = try #require(json["lines"] as? [[String: Any]])
        #expect(
            lines.map { $0["change"] as? String } == [
                "root", "published", "published", "published", "rolling out", "revoked",
            ])
        #expect(lines.map { $0["market"] as? String } == [nil, "ca", "mx", "us", "ca", "us"])
        #expect(lines.map { $0["share"] as? Int } == [nil, nil, nil, nil, 500, nil])
        #expect(lines.map { $0["targets"] as? Int } == [nil, 1, 1, 1, 2, 3])
        #expect(
            lines.map { $0["command"] as? String } == [
                "root init", "publish", "publish", "publish", "rollout", "revoke",
            ])
        #expect(lines[4]["reason"] as? String == "a secret plan")
        #expect(lines[5]["reason"] as? String == "it was \"wrong\"\n")
        #expect(lines.allSatisfy { $0["finished"] as? Bool == true })
        let own = try work.run("log", "us", "--to", "site")
        #expect(own.output.split(separator: "\n").count == 3, "\(own.output)")
        try work.run("log", "--check", "--to", "site").expect(0)
    }

    /// Names and reasons must not reach devices.
    @Test func nothingAboutPeopleIsServed() throws {
        let work = try Self.used()
        let log = try String(contentsOfFile: work.files.path("site.log.jsonl"), encoding: .utf8)
        #expect(log.contains("a secret plan") && log.contains(NSUserName()))
        for (name, content) in try work.site() {
            #expect(!String(decoding: content, as: UTF8.self).contains("a secret plan"), "\(name)")
            #expect(!name.contains("log"))
        }
        let refused = try work.run("publish", "--to", "site", "--keys", "keys", "--log", "site/metadata/log.jsonl")
        refused.expect(2)
        #expect(refused.errors.contains("would be served with site"), "\(refused.errors)")
        #expect(try work.run("log", "--to", "site", "--log", "./site/../site/x").status == 2)
    }

    /// Each change to the file of the log, and what `log --check` says about it.
    static let changes: [(name: String, text: String, change: @Sendable (inout [String]) -> Void)] = [
        (
            "a changed reason", "line 6 does not follow line 5",
            { $0[4] = $0[4].replacing("a secret plan", with: "a plan") }
        ),
        ("a removed line", "line 5 does not follow line 4", { $0.remove(at: 4) }),
        ("a removed beginning", "line 1 is not the first", { $0.removeFirst(2) }),
        ("a removed end", "targets 3 is published, and the log does not have it", { $0.removeLast() }),
        ("two lines in another order", "line 2 does not follow line 1", { $0.swapAt(1, 2) }),
        ("an invented line", "line 3 does not follow line 2", { $0.insert($0[1], at: 2) }),
        ("half a line", "line 6 is damaged", { $0[5] = String($0[5].prefix(40)) }),
        ("other text", "line 7 is damaged", { $0.append("hello") }),
    ]

    @Test(arguments: changes.indices)
    func changedLogIsDetected(_ index: Int) throws {
        let (name, text, change) = Self.changes[index]
        let work = try Self.used()
        let path = work.files.path("site.log.jsonl")
        var lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
        try #require(lines.count == 6)
        change(&lines)
        try lines.map { $0 + "\n" }.joined().write(toFile: path, atomically: true, encoding: .utf8)
        let run = try work.run("log", "--check", "--to", "site")
        run.expect(1)
        #expect(run.errors.contains(text), "\(name): \(run.errors)")
    }

    /// A publication by a program that writes no log, or with another log.
    @Test func missingPublicationIsDetected() throws {
        let work = try Self.used()
        try work.run("rollout", "ca", "25%", "--to", "site", "--keys", "keys", "--log", "other.jsonl").expect(0)
        #expect(try work.run("log", "--check", "--to", "site").errors.contains("targets 4 is published, and the log"))
        try work.run("rollout", "ca", "50%", "--to", "site", "--keys", "keys").expect(0)
        let run = try work.run("log", "--check", "--to", "site")
        run.expect(1)
        #expect(run.errors.contains("line 7 follows targets 4, and the log has only 3"), "\(run.errors)")
    }

    @Test func logIsMissingOrUnreadable() throws {
        let work = try Work.published()
        try FileManager.default.removeItem(atPath: work.files.path("site.log.jsonl"))
        let run = try work.run("log", "--to", "site")
        run.expect(2)
        #expect(run.errors.contains("there is no log "), "\(run.errors)")
        // A log that cannot be written prevents the publication.
        try FileManager.default.createDirectory(
            atPath: work.files.path("site.log.jsonl"), withIntermediateDirectories: false)
        let before = try work.site()
        try work.edit("ca", "currency = \"CAD\"", "currency = \"USD\"")
        let refused = try work.run("publish", "--to", "site", "--keys", "keys")
        refused.expect(2)
        #expect(refused.errors.contains("the log "), "\(refused.errors)")
        #expect(try work.site() == before)
    }

    /// A second publisher waits for nothing and changes nothing.
    @Test func secondPublisherWritesNoLine() throws {
        let work = try Self.used()
        let before = try Data(contentsOf: work.files.url.appending(path: "site.log.jsonl"))
        try RepositoryFolder(work.files.path("site")).locked {
            let run = try work.run("rollout", "ca", "25%", "--to", "site", "--keys", "keys")
            run.expect(2)
            #expect(run.errors.contains("another process is publishing"), "\(run.errors)")
        }
        #expect(try Data(contentsOf: work.files.url.appending(path: "site.log.jsonl")) == before)
    }

    /// A clock that goes back changes neither the order nor the check.
    @Test func timeMayGoBack() throws {
        let work = try Self.used()
        try work.run(
            "rollout", "ca", "25%", "--to", "site", "--keys", "keys", "--at", "2020-01-01T00:00:00Z",
            "--allow-earlier-expiry"
        ).expect(0)
        try work.run("log", "--check", "--to", "site").expect(0)
        #expect(try work.run("log", "--to", "site").output.contains("2020-01-01T00:00:00Z  rollout    ca      to 25%"))
    }

    /// What waits for a signature is in the log, and what it says goes on to the line of the publication.
    @Test func stagedPublicationKeepsReason() throws {
        let work = try Work.published()
        try work.edit("ca", "currency = \"CAD\"", "currency = \"USD\"")
        try work.run(
            "publish", "ca", "--to", "site", "--keys", "keys/snapshot.pem", "--stage", "--reason", "prices"
        ).expect(0)
        try work.run("log", "--check", "--to", "site").expect(0)
        try work.run("sign", "--to", "site", "--keys", "keys").expect(0)
        try work.run("log", "--check", "--to", "site").expect(0)
        let lines = try #require(
            try work.run("log", "ca", "--to", "site", "--format", "json").json()["lines"] as? [[String: Any]])
        #expect(lines.map { $0["staged"] as? Bool } == [false, true, false])
        #expect(lines.map { $0["command"] as? String } == ["publish", "publish", "sign"])
        #expect(lines.map { $0["reason"] as? String } == [nil, "prices", "prices"])
        for (name, content) in try work.site() {
            #expect(!String(decoding: content, as: UTF8.self).contains("prices"), "\(name)")
        }
    }

    // MARK: Interruptions

    private static func shell(_ script: String, in work: Work) throws -> CommandProcess {
        let folder = DeliveryProcess.executable.deletingLastPathComponent().path
        return try DeliveryProcess(
            ["-c", script], in: work.files.url, environment: ["PATH": "\(folder):/usr/bin:/bin"],
            program: URL(filePath: "/bin/sh"))
    }

    /// Files cannot grow beyond some size, as on a full disk: first the log, then the log alone fits.
    @Test(arguments: [1, 8])
    func fullDiskPublishesNothing(_ blocks: Int) throws {
        let work = try Self.used()
        try work.edit("mx", "currency = \"MXN\"", "currency = \"USD\"")
        let served = try Data(contentsOf: work.files.url.appending(path: "site/metadata/timestamp.json"))
        let run = try Self.shell(
            "trap '' XFSZ; ulimit -f \(blocks); glass-delivery publish mx --to site --keys keys", in: work)
        run.expect(2)
        #expect(run.errors.contains("cannot write"), "\(run.errors)")
        #expect(try Data(contentsOf: work.files.url.appending(path: "site/metadata/timestamp.json")) == served)
        try work.run("publish", "--check", "site").expect(0)
        try work.run("log", "--check", "--to", "site").expect(0)
        // Later than the attempt, because the same publication in the same second has the same targets.
        try work.run("publish", "mx", "--to", "site", "--keys", "keys", "--at", "\(UpdateTime.now.adding(seconds: 60))")
            .expect(0)
        try work.run("log", "--check", "--to", "site").expect(0)
        let log = try work.run("log", "mx", "--to", "site").output
        #expect(log.contains("interrupted") == (blocks == 8), "\(log)")
    }

    /// Kills a publisher at many moments. Whatever it has written, devices have a whole publication, the log is whole,
    /// and the next publication succeeds.
    @Test func killedPublisherLeavesWholeLog() throws {
        let work = try Self.used()
        let currencies = ["USD", "MXN"]
        var current = "MXN"
        let clock = ContinuousClock()
        var whole = Duration.milliseconds(500)
        let count = rounds(all: 60, few: 10)
        for round in 0..<count {
            let next = currencies[round % 2]
            try work.edit("mx", "currency = \"\(current)\"", "currency = \"\(next)\"")
            current = next
            if round == 0 {
                whole = try clock.measure {
                    try Self.shell("glass-delivery publish mx --to site --keys keys", in: work).expect(0)
                }
                continue
            }
            let process = Process()
            process.executableURL = DeliveryProcess.executable
            process.arguments = ["publish", "mx", "--to", "site", "--keys", "keys"]
            process.currentDirectoryURL = work.files.url
            process.environment = CommandEnvironment.almostEmpty([:])
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            // Later rounds are closer to the end, where files are written.
            let part = 0.4 + 0.6 * Double(round) / Double(count)
            usleep(UInt32(whole.milliseconds * 1_000 * part))
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            try work.run("publish", "--check", "site").expect(0)
            try work.run("log", "--check", "--to", "site").expect(0)
        }
        try work.run("publish", "mx", "--to", "site", "--keys", "keys").expect(0)
        try work.run("log", "--check", "--to", "site").expect(0)
        try work.run("publish", "--check", "site").expect(0)
    }
}

extension Duration {
    fileprivate var milliseconds: Double {
        Double(components.seconds) * 1_000 + Double(components.attoseconds) / 1e15
    }
}

extension PublishCommandTests.Work {
    /// The published files.
    func entries() throws -> [TargetEntry] {
        try PublishedState(reading: RepositoryFolder(files.path("site"))).entries()
    }
}
