import CommandTesting
import Foundation
import Testing

/// What an app links: the modules that it needs, and nothing of the others.
@Suite(.timeLimit(.minutes(1)))
struct BinaryTests {
    /// Reads compiled markets and flags.
    private static let reader = HostProcess.executable.deletingLastPathComponent().appending(path: "market-reader")

    /// Loads markets from Lua files.
    private static let loader = HostProcess.executable.deletingLastPathComponent().appending(path: "soak")

    /// The output of a tool for inspecting binaries.
    private func output(_ tool: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [tool] + arguments
        process.environment = HostProcess.environment([:])
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    private func symbols(_ program: URL, _ pattern: String) throws -> Int {
        let pattern = try Regex(pattern)
        return try output("nm", [program.path]).split(separator: "\n").count { $0.contains(pattern) }
    }

    @Test func marketReaderOpensLinks() throws {
        let folder = try TestFolder()
        try FileManager.default.createDirectory(at: folder.url.appending(path: "4"), withIntermediateDirectories: true)
        let market = """
            {"badge":{"text":"hello"},"currency":"USD","deepLinking":{"schemes":["t"]},"id":"t","locales":["en-US"],\
            "module":"reader","name":"T","routables":{"item":{"paths":["item/:id"],"show":{"screen":"item"},\
            "waitForPreconditions":false}},"schema":4,"schemaDigest":"of another version"}
            """
        _ = try folder.write(market, to: "4/t.json")
        #expect(try output(Self.reader.path, [folder.url.path, "t", "t://item/7"]) == "routed item hello\n")
    }

    /// The same search must find each in the host; otherwise the test could pass without finding anything anywhere.
    @Test func neitherLuaNorSQLiteNorTransfersAreLinked() throws {
        for pattern in [" _?lua(L|opt|opn)?_", " _?sqlite3_", "13GlassTransfer", "13GlassPlatform"] {
            #expect(try symbols(HostProcess.executable, pattern) > 0)
            #expect(try symbols(Self.reader, pattern) == 0)
        }
        #if os(Linux)
            let libraries = try output("ldd", [Self.reader.path])
            #expect(libraries.contains("libc.so") && !libraries.contains("lua") && !libraries.contains("sqlite"))
            #expect(try output("ldd", [HostProcess.executable.path]).contains("lua"))
        #endif
    }

    /// An app that loads markets links nothing for their authors: no fixes, policies or git, and no other programs are run.
    @Test func nothingForAuthorsIsLinked() throws {
        #expect(try symbols(Self.loader, "16GlassMarketFiles") > 0)
        for pattern in [
            "14GlassAuthoring", "GitCommand", "MarketFixer", "CorrectionEditor", "PolicySet", "posix_spawn",
        ] {
            #expect(try symbols(HostProcess.executable, pattern) > 0)
            #expect(try symbols(Self.loader, pattern) == 0)
        }
    }
}
