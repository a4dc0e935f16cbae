import CommandTesting
import Foundation
import Testing

/// Files that commands write: completely, and only to a new file or over a regular file.
@Suite(.timeLimit(.minutes(3)))
struct WrittenFilesTests {
    /// Two markets, with something at the target of a write.
    private struct Project {
        let outer: TestFolder
        let folder: URL

        init() throws {
            outer = try TestFolder()
            folder = outer.url.appending(path: "project")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let markets = folder.appending(path: "markets")
            try FileManager.default.moveItem(at: outer.smallMarkets(), to: markets)
            try Data("return { id = \"ca\", name = \"Canada\", extends = \"us\" }".utf8).write(
                to: markets.appending(path: "ca.lua"))
            try FileManager.default.createDirectory(
                at: outer.url.appending(path: "theirs"), withIntermediateDirectories: true)
            _ = try outer.write("theirs", to: "theirs/file")
        }

        func put(_ kind: String, at name: String) throws {
            let path = folder.appending(path: name)
            try FileManager.default.createDirectory(
                at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
            let up = String(repeating: "../", count: name.split(separator: "/").count)
            switch kind {
            case "pipe": #expect(mkfifo(path.path, 0o644) == 0)
            case "folder": #expect(mkdir(path.path, 0o755) == 0)
            case "link": #expect(symlink("\(up)theirs/file", path.path) == 0)
            case "dangling": #expect(symlink("\(up)theirs/made", path.path) == 0)
            default: #expect(symlink("/dev/null", path.path) == 0)
            }
        }

        func run(_ arguments: String...) throws -> HostProcess { try HostProcess(arguments, folder: folder) }

        var everything: [String] {
            get throws { try FileManager.default.subpathsOfDirectory(atPath: outer.url.path).sorted() }
        }
    }

    private static func refusal(_ path: String, _ kind: String) -> String {
        let kind = ["pipe", "folder"].contains(kind) ? kind : "link"
        return "cannot write \(path): it is a \(kind), but only regular files can be replaced; choose another path\n"
    }

    @Test(arguments: ["pipe", "folder", "link", "dangling", "device"], ["ca.json", "us.map.json"])
    func compileWritesAllOrNothing(_ kind: String, _ name: String) throws {
        let project = try Project()
        try project.put(kind, at: "out/4/\(name)")
        let before = try project.everything
        let run = try project.run("compile", "--to", "out")
        #expect(run.status == 2)
        #expect(run.errors == Self.refusal("out/4/\(name)", kind))
        #expect(try project.everything == before)
        #expect(try String(contentsOf: project.outer.url.appending(path: "theirs/file"), encoding: .utf8) == "theirs")
    }

    @Test func compileFollowsOnlyLinkNamedByUser() throws {
        let project = try Project()
        #expect(symlink("../theirs", project.folder.appending(path: "out").path) == 0)
        #expect(try project.run("compile", "us", "--to", "out").status == 0)
        #expect(try project.everything.contains("theirs/4/us.json"))
        try FileManager.default.removeItem(at: project.outer.url.appending(path: "theirs/4"))
        #expect(symlink("../theirs", project.folder.appending(path: "4").path) == 0)
        let before = try project.everything
        let run = try project.run("compile", "us", "--to", ".")
        #expect(run.status == 2)
        #expect(run.errors == "cannot write ./4/us.json: it is a symbolic link that leads outside its folder\n")
        #expect(try project.everything == before)
    }

    @Test(arguments: ["pipe", "folder", "link", "dangling", "device"])
    func newWritesAllOrNothing(_ kind: String) throws {
        let project = try Project()
        try project.put(kind, at: ".glass/glass.lua")
        let before = try project.everything
        let run = try project.run("new", "br")
        #expect(run.status == 2)
        #expect(run.errors == Self.refusal(".glass/glass.lua", kind))
        #expect(try project.everything == before)
    }

    @Test(arguments: ["markets/br.lua", "scripts/br_test.lua"])
    func newOverwritesNothing(_ name: String) throws {
        for kind in ["pipe", "folder", "link", "dangling"] {
            let project = try Project()
            try project.put(kind, at: name)
            let before = try project.everything
            let run = try project.run("new", "br")
            #expect(run.status == 2)
            #expect(run.errors == "\(name) exists; choose another id, or remove the file first\n")
            #expect(try project.everything == before)
        }
    }

    @Test(arguments: [".glass", "scripts"])
    func newDoesNotWriteThroughLinks(_ name: String) throws {
        let project = try Project()
        #expect(symlink("../theirs", project.folder.appending(path: name).path) == 0)
        let before = try project.everything
        let run = try project.run("new", "br")
        #expect(run.status == 2)
        #expect(run.errors.hasPrefix("cannot write \(name)/"))
        #expect(run.errors.hasSuffix(": it is a symbolic link that leads outside its folder\n"))
        #expect(try project.everything == before)
    }

    @Test func newKeepsSettingsLink() throws {
        let project = try Project()
        try project.put("dangling", at: ".luarc.json")
        #expect(try project.run("new", "br").status == 0)
        #expect(try !project.everything.contains("theirs/made"))
    }

    @Test(arguments: [
        ("pipe", "a pipe"), ("folder", "a folder"), ("device", "a device"), ("/dev/null", "a device"),
        ("/dev/stdout", "a stream of this process"), ("/dev/fd/2", "a stream of this process"),
    ])
    func reportIsWrittenOnlyToRegularFile(_ kind: String, _ noun: String) throws {
        let project = try Project()
        let isNamed = kind.hasPrefix("/")
        if !isNamed { try project.put(kind, at: "report") }
        try Data("glass.test('t', function() end)".utf8).write(to: project.folder.appending(path: "t.lua"))
        let path = isNamed ? kind : "report"
        let run = try project.run("test", "t.lua", "--junit", path)
        #expect(run.status == 2)
        #expect(
            run.errors
                == "cannot write \(path): it is \(noun), but only regular files can be replaced; choose another path\n")
    }

    @Test func reportReplacesTargetOfLinkNamedByUser() throws {
        let project = try Project()
        try Data("glass.test('t', function() end)".utf8).write(to: project.folder.appending(path: "t.lua"))
        try project.put("link", at: "report")
        #expect(try project.run("test", "t.lua", "--junit", "report").status == 0)
        let text = try String(contentsOf: project.outer.url.appending(path: "theirs/file"), encoding: .utf8)
        #expect(text.hasPrefix("<?xml"))
        let link = project.folder.appending(path: "report").path
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "../theirs/file")
    }

    @Test func recordIsNotWrittenThroughFoundLink() throws {
        let project = try Project()
        #expect(symlink("../theirs", project.folder.appending(path: "releases").path) == 0)
        let before = try project.everything
        let run = try project.run("schema", "record", "24.3")
        #expect(run.status == 2)
        #expect(run.errors == "cannot write releases/24.3.json: it is a symbolic link that leads outside its folder\n")
        #expect(try project.everything == before)
        // A link that the user names is followed.
        #expect(try project.run("schema", "record", "24.3", "--to", "releases").status == 0)
        #expect(try project.everything.contains("theirs/24.3.json"))
    }

    @Test(arguments: ["pipe", "folder", "link", "device"])
    func recordIsWrittenOnlyToRegularFile(_ kind: String) throws {
        let project = try Project()
        try project.put(kind, at: "releases/24.3.json")
        let run = try project.run("schema", "record", "24.3")
        #expect(run.status == 2)
        #expect(run.errors == Self.refusal("releases/24.3.json", kind))
    }

    @Test func requestedFilesRespectUmask() throws {
        let folder = try TestFolder()
        _ = try folder.write("glass.test(\"t\", function() end)", to: "a_test.lua")
        let script = """
            umask 0022; "$0" test a_test.lua --junit r.xml --markets "$1" >/dev/null && stat -c %a r.xml
            """
        let shell = Process()
        let output = Pipe()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        let markets = CommandRun.repository.appending(path: "markets").path
        shell.arguments = ["-c", script, HostProcess.executable.path, markets]
        shell.currentDirectoryURL = folder.url
        shell.environment = HostProcess.environment([:])
        shell.standardOutput = output
        try shell.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        shell.waitUntilExit()
        #expect(text == "644\n")
    }
}
