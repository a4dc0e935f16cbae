import CommandTesting
import Foundation
import Testing
import TestSupport

/// `diff --against` with a git reference.
@Suite(.timeLimit(.minutes(2)))
struct GitDiffTests {
    private func repository() throws -> GitFixture {
        let repository = try GitFixture()
        try FileManager.default.copyItem(
            at: CommandRun.repository.appending(path: "markets"), to: repository.folder.appending(path: "markets"))
        try repository.commit()
        let file = repository.folder.appending(path: "markets/ca.lua")
        let text = try String(contentsOf: file, encoding: .utf8)
        try Data(text.replacing("maxRetries = 4", with: "maxRetries = 2").utf8).write(to: file)
        return repository
    }

    @Test func referenceIsTheOlderSide() throws {
        let fixture = try repository()
        let run = try HostRun(["diff", "--against", "main", "--exit-code"], folder: fixture.folder)
        #expect(run.status == 1)
        #expect(run.errors.hasPrefix("comparing with the commit ") && run.errors.hasSuffix(", main\n"))
        #expect(run.output.contains("main:markets/ca.lua → markets/ca.lua"))
        #expect(run.output.contains("platform.networking.retry.maxRetries: 4 → 2"))
        // A folder with that name takes precedence.
        try FileManager.default.copyItem(
            at: fixture.folder.appending(path: "markets"), to: fixture.folder.appending(path: "main"))
        let other = try HostRun(["diff", "--against", "main", "--exit-code"], folder: fixture.folder)
        #expect(other.status == 0)
        #expect(other.errors.isEmpty)
        #expect(other.output.contains("main/ca.lua → markets/ca.lua"))
    }

    /// Git waits for the named pipe in its own process group, which the terminal's signal does not reach.
    @Test func ctrlCAlsoEndsGit() throws {
        let fixture = try repository()
        try fixture.remove(".git/config")
        try #require(mkfifo(fixture.folder.appending(path: ".git/config").path, 0o600) == 0)
        let diff = try LiveProcess(["diff", "--against", "main"], folder: fixture.folder)
        #if os(Linux)
            let start = ContinuousClock.now
            while fixture.processes.isEmpty, ContinuousClock.now - start < .seconds(30) { usleep(10_000) }
            #expect(!fixture.processes.isEmpty)
        #else
            usleep(500_000)
        #endif
        #expect(diff.interrupt() == 130)
        #expect(fixture.processes == [])
    }

    @Test(arguments: [
        ("-x", "\"-x\" is not a valid reference: it begins with \"-\", as options do"),
        ("nope", "there is no commit \"nope\" in this clone; run: git fetch origin nope"),
    ])
    func argumentThatIsNeitherFolderNorReferenceIsRejected(_ name: String, _ text: String) throws {
        let fixture = try repository()
        let run = try HostRun(["diff", "--against=\(name)"], folder: fixture.folder)
        #expect(run.status == 2)
        #expect(run.errors == "\(name) is not a folder, and using it as a git reference failed: \(text)\n")
    }
}
