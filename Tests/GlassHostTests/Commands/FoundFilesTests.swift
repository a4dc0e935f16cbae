import CommandTesting
import Foundation
import TestSupport
import Testing

/// Files that a command finds by itself, in which others may have put anything.
@Suite(.timeLimit(.minutes(3)))
struct FoundFilesTests {
    /// A repository with a market, next to a file that does not belong to them.
    private struct Project {
        let outer: TestFolder
        let fixture: GitFixture
        var folder: URL { fixture.folder }
        static let planted = "TOPSECRET"

        init() throws {
            outer = try TestFolder()
            let folder = outer.url.appending(path: "project")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try FileManager.default.moveItem(at: outer.smallMarkets(), to: folder.appending(path: "markets"))
            fixture = try GitFixture(in: folder)
            try fixture.commit()
            _ = try outer.write("walmart://account?session=\(Self.planted)\n\(Self.planted)\n", to: "outside.txt")
        }

        func link(_ name: String, to target: String) throws {
            let file = folder.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: target)
        }

        func pipe(_ name: String) throws {
            try fixture.write("", to: name)
            try FileManager.default.removeItem(at: folder.appending(path: name))
            #expect(mkfifo(folder.appending(path: name).path, 0o600) == 0)
        }

        func run(_ arguments: String...) throws -> HostProcess { try HostProcess(arguments, folder: folder) }
    }

    private static let escapesFolder = "it is a symbolic link that leads outside its folder"

    @Test(arguments: ["text", "markdown", "sarif", "github", "gitlab"])
    func reviewPrintsNothingFromOutsideFile(_ form: String) throws {
        let project = try Project()
        try project.link("links/a.txt", to: "../../outside.txt")
        let market = try String(contentsOf: project.folder.appending(path: "markets/us.lua"), encoding: .utf8)
        try project.fixture.write(
            market.replacing("account = {},", with: "account = { paths = { \"me\" } },"), to: "markets/us.lua")
        let run = try project.run("review", "--as", form)
        #expect(run.status == 2)
        #expect(run.errors == "cannot read links/a.txt: \(Self.escapesFolder)\n")
        #expect(!run.output.contains(Project.planted))
    }

    /// An obstacle at `links/a.txt`, or in place of `links`, and the error for it.
    @Test(arguments: [
        ("device", "cannot read links/a.txt: \(escapesFolder)\n"),
        ("pipe", "cannot read links/a.txt: it is not a regular file\n"),
        (
            "sparse",
            "the files of links up to links/a.txt have more than 8,388,608 bytes; name those to read with --links FILE\n"
        ),
        (
            "lines",
            "the files of links up to links/b.txt have more than 50,000 lines; name those to read with --links FILE\n"
        ),
        ("files", "links has more than 1,000 files of links; name those to read with --links FILE\n"),
        ("folder", "cannot read links: \(escapesFolder); name those to read with --links FILE\n"),
    ])
    func contentOfLinksFolderIsLimited(_ kind: String, _ message: String) throws {
        let project = try Project()
        switch kind {
        case "device": try project.link("links/a.txt", to: "/dev/zero")
        case "pipe": try project.pipe("links/a.txt")
        case "sparse":
            try project.fixture.write("", to: "links/a.txt")
            #expect(truncate(project.folder.appending(path: "links/a.txt").path, 20 << 30) == 0)
        case "lines":
            try project.fixture.write(String(repeating: "\n", count: 30_000), to: "links/a.txt")
            try project.fixture.write(String(repeating: "#\n", count: 30_000), to: "links/b.txt")
        case "files":
            for number in 0...1_000 { try project.fixture.write("", to: "links/\(number).txt") }
        default: try project.link("links", to: "..")
        }
        let run = try project.run("review")
        #expect(run.status == 2)
        #expect(run.errors == message)
    }

    @Test func fileNamedByUserMayBeLinkOrPipe() throws {
        let project = try Project()
        try project.link("named", to: "../outside.txt")
        #expect(try project.run("review", "--links", "named").status == 0)
        let endless = try project.run("review", "--links", "/dev/zero")
        #expect(endless.status == 2)
        #expect(endless.errors == "/dev/zero:1: the line has more than 16,777,216 bytes\n")
        let replay = try project.run("open", "--from", "/dev/zero", "--dry-run")
        #expect(replay.status == 2 && replay.errors.hasSuffix("the line has more than 16,777,216 bytes\n"))
    }

    @Test func linkInsideLinksFolderIsRead() throws {
        let project = try Project()
        try project.fixture.write("walmart://account\n", to: "links/sub/real")
        try project.link("links/a.txt", to: "sub/real")
        #expect(try project.run("review").status == 0)
    }

    /// Every command reads the project's own `markets`, and never through a link to a folder outside the project.
    @Test(arguments: [
        ["check"], ["check", "us"], ["routes"], ["show"], ["fix"], ["review"], ["new", "br"],
        ["new", "br", "--extends", "us"],
    ])
    func marketsOutsideProjectAreNotRead(_ arguments: [String]) throws {
        let project = try Project()
        let theirs = project.outer.url.appending(path: "theirs")
        try FileManager.default.moveItem(at: project.folder.appending(path: "markets"), to: theirs)
        _ = try project.outer.write("return {\n\(Project.planted) \(Project.planted)\n", to: "theirs/us.lua")
        try project.link("markets", to: "../theirs")
        let before = try FileManager.default.subpathsOfDirectory(atPath: theirs.path).sorted()
        let run = try HostProcess(arguments, folder: project.folder)
        #expect(run.status == 2)
        let text = run.output + run.errors
        #expect(!text.contains(Project.planted), "\(text)")
        #expect(
            text.contains(
                "markets: \(Self.escapesFolder); to use its target, name the folder with --markets DIR"),
            "\(text)")
        #expect(try FileManager.default.subpathsOfDirectory(atPath: theirs.path).sorted() == before)
        // A link that the user names is followed.
        let named = try project.run("check", "us", "--markets", "markets")
        #expect((named.output + named.errors).contains(Project.planted))
    }

    @Test func compiledMarketsOutsideProjectAreNotRead() throws {
        let project = try Project()
        #expect(try project.run("compile", "us", "--to", "../theirs").status == 0)
        try FileManager.default.removeItem(at: project.folder.appending(path: "markets"))
        try project.link("markets", to: "../theirs")
        #expect(try project.run("check", "us").status == 2)
        #expect(try project.run("check", "us", "--markets", "markets").status == 0)
    }

    @Test func marketsMayBeLinkInsideProject() throws {
        let project = try Project()
        try FileManager.default.moveItem(
            at: project.folder.appending(path: "markets"), to: project.folder.appending(path: "countries"))
        try project.link("markets", to: "countries")
        #expect(try project.run("check", "us").status == 0)
        #expect(try project.run("new", "br").status == 0)
    }

    @Test func policiesOutsideProjectAreNotRead() throws {
        let project = try Project()
        try FileManager.default.createDirectory(
            at: project.outer.url.appending(path: "elsewhere"), withIntermediateDirectories: true)
        _ = try project.outer.write("error('\(Project.planted)')", to: "elsewhere/p.lua")
        try project.link("policies", to: "../elsewhere")
        let check = try project.run("check", "us")
        #expect(check.status == 2)
        #expect((check.output + check.errors).contains("policies: \(Self.escapesFolder)"))
        #expect(!(check.output + check.errors).contains(Project.planted))
        // A link that the user names is followed.
        let named = try project.run("check", "us", "--policies", "policies")
        #expect((named.output + named.errors).contains(Project.planted))
    }

    @Test func policyThatIsOutsideLinkOrPipeIsRejected() throws {
        for name in ["out", "pipe"] {
            let project = try Project()
            if name == "out" {
                try project.link("policies/p.lua", to: "../../outside.txt")
            } else {
                try project.pipe("policies/p.lua")
            }
            let run = try project.run("check", "us")
            #expect(run.status == 2)
            let text = run.output + run.errors
            #expect(
                text.contains(name == "out" ? "link that leads outside policies" : "it is not a regular file"))
            #expect(!text.contains(Project.planted))
        }
    }

    @Test(arguments: ["scripts", "policies"])
    func testsOutsideProjectAreNotRead(_ folder: String) throws {
        let project = try Project()
        _ = try project.outer.write("error('\(Project.planted)')", to: "a_test.lua")
        try project.link(folder, to: "..")
        let run = try project.run("test")
        #expect(run.status == 2)
        #expect(run.errors == "cannot read the folder \(folder): \(Self.escapesFolder)\n")
    }

    @Test func testThatIsOutsideLinkOrPipeIsRejected() throws {
        let project = try Project()
        try project.link("scripts/a_test.lua", to: "../../outside.txt")
        let out = try project.run("test")
        #expect(out.status == 2 && out.errors.contains("scripts/a_test.lua: \(Self.escapesFolder)"))
        #expect(!(out.output + out.errors).contains(Project.planted))
        try FileManager.default.removeItem(at: project.folder.appending(path: "scripts/a_test.lua"))
        try project.pipe("scripts/a_test.lua")
        let pipe = try project.run("test")
        #expect(pipe.status == 2 && pipe.errors.contains("scripts/a_test.lua: it is not a regular file"))
    }

    @Test func goldenFileMustBeRegularFileWithLines() throws {
        let project = try Project()
        try project.fixture.write("walmart://account\n", to: "links/us.txt")
        try project.pipe("links/us.jsonl")
        let arguments = ["open", "--from", "links/us.txt", "--golden", "links/us.jsonl"]
        let pipe = try HostProcess(arguments, folder: project.folder)
        #expect(pipe.status == 2 && pipe.errors == "cannot read links/us.jsonl: it is not a regular file\n")
        try FileManager.default.removeItem(at: project.folder.appending(path: "links/us.jsonl"))
        try project.fixture.write("", to: "links/us.jsonl")
        #expect(truncate(project.folder.appending(path: "links/us.jsonl").path, 20 << 30) == 0)
        let sparse = try HostProcess(arguments, folder: project.folder)
        #expect(sparse.status == 2)
        #expect(sparse.errors == "links/us.jsonl:1: the line has more than 16,777,216 bytes\n")
    }

    @Test(arguments: ["us.json", "us.map.json"])
    func compiledMarketOutsideFolderIsNotRead(_ name: String) throws {
        let project = try Project()
        #expect(try project.run("compile", "us", "--to", "out").status == 0)
        try FileManager.default.removeItem(at: project.folder.appending(path: "out/4/\(name)"))
        try project.link("out/4/\(name)", to: "../../../outside.txt")
        let run = try project.run("check", "us", "--markets", "out")
        #expect(run.status == (name == "us.json" ? 2 : 0))
        if name == "us.json" { #expect(run.errors == "cannot read out/4/us.json: \(Self.escapesFolder)\n") }
        #expect(!(run.output + run.errors).contains(Project.planted))
        // A file that the user names may be a link, and the map next to it is found.
        let named = try project.run("check", "--market", "out/4/us.json")
        #expect(!named.output.contains(Project.planted) || name == "us.json")
    }

    @Test(arguments: ["Info.plist", "Contents/Info.plist", "Shop.entitlements"])
    func propertyListsOutsideAppAreNotRead(_ name: String) throws {
        let project = try Project()
        if name == "Shop.entitlements" {
            let list = try PropertyListSerialization.data(fromPropertyList: ["a": "b"], format: .xml, options: 0)
            try project.fixture.write(String(decoding: list, as: UTF8.self), to: "Shop.app/Info.plist")
        }
        try project.link("Shop.app/\(name)", to: name.contains("/") ? "../../../outside.txt" : "../../outside.txt")
        let run = try project.run("check", "us", "--bundle", "Shop.app")
        #expect(run.status == 2)
        #expect(run.errors == "cannot read Shop.app/\(name): \(Self.escapesFolder)\n")
        try FileManager.default.removeItem(at: project.folder.appending(path: "Shop.app/\(name)"))
        try project.pipe("Shop.app/\(name)")
        let pipe = try project.run("check", "us", "--bundle", "Shop.app")
        #expect(pipe.status == 2 && pipe.errors == "cannot read Shop.app/\(name): it is not a regular file\n")
    }
}
