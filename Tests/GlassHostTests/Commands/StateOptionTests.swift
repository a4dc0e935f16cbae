import CommandTesting
import Foundation
import Testing

/// `--state`: the folders that it accepts, and how it reads the folder of an earlier version.
@Suite(.timeLimit(.minutes(3)))
struct StateOptionTests {
    private static func mode(_ url: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    }

    private static func setMode(_ mode: Int, _ url: URL) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
    }

    private static let commands = [
        ["open", "walmart://account"], ["explain", "currency"], ["services"], ["check", "us"],
        ["run", "--services", "live", "scripts/smoke.lua"],
    ]

    @Test(arguments: commands, [false, true])
    func unrelatedFolderIsRejectedWithAdvice(_ command: [String], _ isLink: Bool) throws {
        let folder = try TestFolder()
        let shared = folder.url.appending(path: "shared")
        try FileManager.default.createDirectory(at: shared, withIntermediateDirectories: true)
        _ = try folder.write("mine", to: "shared/notes.txt")
        try Self.setMode(0o755, shared)
        let named = isLink ? folder.url.appending(path: "link") : shared
        if isLink { try FileManager.default.createSymbolicLink(at: named, withDestinationURL: shared) }
        let run = try HostRun(command + ["--state", named.path])
        #expect(run.status == 2)
        #expect(
            run.errors
                == "cannot use the state folder \(named.path): the folder \(named.path) is open to others and contains other "
                + "files, such as notes.txt; use a new or an empty folder, such as \(named.path)/glass-state\n")
        #expect(try Self.mode(shared) == 0o755)
        #expect(try FileManager.default.contentsOfDirectory(atPath: shared.path) == ["notes.txt"])
    }

    @Test(arguments: ["us", "caches"], [0o755, 0o700])
    func linkInStateFolderIsRejected(_ name: String, _ mode: Int) throws {
        let folder = try TestFolder()
        let (state, theirs) = (folder.url.appending(path: "st"), folder.url.appending(path: "theirs"))
        #expect(try HostRun(["services", "--state", state.path]).status == 0)
        try FileManager.default.createDirectory(at: theirs, withIntermediateDirectories: true)
        try Self.setMode(mode, theirs)
        let link = state.appending(path: name)
        try? FileManager.default.removeItem(at: link)  // it may not exist yet
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: theirs)
        let run = try HostProcess(["run", "--services", "live", "--state", state.path, "scripts/smoke.lua"])
        #expect(run.status == 2)
        #expect(
            run.errors
                == "cannot use the state folder \(state.path): \(name) in it is a symbolic link, and services would "
                + "write to its target; remove the link, or name another folder\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: theirs.path) == [])
        #expect(try Self.mode(theirs) == mode)
    }

    @Test func adviceCanBeFollowed() throws {
        let folder = try TestFolder()
        _ = try folder.write("mine", to: "notes.txt")
        try Self.setMode(0o755, folder.url)
        let state = folder.url.appending(path: "glass-state")
        for _ in 0..<2 {
            #expect(try HostRun(["services", "--state", state.path]).status == 0)
            #expect(try Self.mode(state) == 0o700 && Self.mode(folder.url) == 0o755)
            // As after copying the folder elsewhere.
            try Self.setMode(0o755, state)
        }
    }

    @Test func doctorReportsUnrelatedStateFolder() throws {
        let folder = try TestFolder()
        _ = try folder.write("mine", to: "notes.txt")
        try Self.setMode(0o755, folder.url)
        let run = try HostRun(["doctor", "-q", "--state", folder.url.path])
        #expect(run.status == 1)
        #expect(run.output.contains("PROBLEM state: \(folder.url.path) cannot be used: the folder "))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["notes.txt"])
    }

    /// `Tests/Upgrade` documents the actions of the earlier version.
    @Test func stateOfEarlierVersionIsRecognizedAndRead() throws {
        let folder = try TestFolder()
        let state = folder.url.appending(path: "state")
        try FileManager.default.copyItem(
            at: CommandRun.repository.appending(path: "Tests/Upgrade/state"), to: state)
        try Self.setMode(0o755, state)
        let markets = try folder.markets()
        try Data(#"return { id = "loopback", name = "Loopback", extends = "us" }"#.utf8)
            .write(to: markets.appending(path: "loopback.lua"))
        let script = try folder.write(
            """
            local market = glass.market("loopback")
            local function get(name) return market.container:get(name) end
            print(get("PreferencesStorage"):get("storeID"), get("StorageAPI"):get("before", "name"))
            print(get("StartupPreferenceAPI"):market(), get("QuimbyCartProviding"):cartID())
            print(get("QuimbyAuthProviding"):isSignedIn(), get("QuimbyAuthProviding"):customerID())
            print(get("Analytics"):counts().balanced)
            """, to: "read.lua")
        let arguments = ["--state", state.path, "--markets", markets.path]
        let run = try HostProcess(["run", "--services", "live", script, "-v"] + arguments)
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.output == "1003\tvalue of 4cff7ba\nloopback\tcart-1\ntrue\tc-1\ntrue\n", "\(run.output)\(run.errors)")
        #expect(run.errors.hasPrefix("other users could open the state folder \(state.path); now only its owner can"))
        #expect(try Self.mode(state) == 0o700)
        let remote = try HostRun(["explain", "platform.networking.retry.maxRetries", "-m", "loopback"] + arguments)
        #expect(
            remote.output.hasPrefix("platform.networking.retry.maxRetries = 2\n  from remote configuration of 2026-"))
        // The mark is for versions that use other files.
        #expect(FileManager.default.fileExists(atPath: state.appending(path: ".glass-state").path))
    }

    @Test func runLeavesNothingBehindByDefault() throws {
        let folder = try TestFolder()
        let temporary = folder.url.appending(path: "tmp")
        let home = folder.url.appending(path: "home")
        let state = folder.url.appending(path: "state")
        for made in [temporary, home] {
            try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
        }
        let environment = ["TMPDIR": temporary.path, "HOME": home.path]
        #expect(try HostRun(["run", "scripts/smoke.lua"], environment: environment).status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path) == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path) == [])
        #expect(try HostRun(["services", "--state", state.path], environment: environment).status == 0)
        #expect(FileManager.default.fileExists(atPath: state.path))
    }

    @Test func stateFolderIsPrivate() throws {
        let folder = try TestFolder()
        let state = folder.url.appending(path: "state")
        try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
        let note = "other users could open the state folder \(state.path); now only its owner can (0700)\n"
        try Self.setMode(0o755, state)
        let told = try HostRun(["services", "-v", "-m", "us", "--state", state.path])
        #expect(told.status == 0)
        #expect(told.errors == note)
        #expect(try Self.mode(state) == 0o700)
        #expect(try HostRun(["services", "-v", "-m", "us", "--state", state.path]).errors == "")
        try Self.setMode(0o755, state)
        #expect(try HostRun(["services", "-m", "us", "--state", state.path]).errors == "")
        #expect(try Self.mode(state) == 0o700)
        let shared = try HostRun(["services", "--state", "/tmp"])
        #expect(shared.status == 2)
        #expect(shared.errors.hasPrefix("cannot use the state folder /tmp: the folder /tmp "))
        #expect(shared.errors.contains("; use a folder "))
    }
}
