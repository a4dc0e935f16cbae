import ArgumentParser
import CommandTesting
import Foundation
@testable import GlassDeliveryHost
import GlassHost
import GlassMarkets
import GlassPlatform
import Testing

/// `glass-host` and `glass-delivery` are two programs, and each refers to the other for its commands.
@Suite struct TwoProgramsTests {
    private static let publishing = DeliveryCommand.configuration.subcommands.map { $0._commandName }

    @Test func hostKnowsNamesOfDeliveryCommands() {
        #expect(RootCommand.otherProgram?.name == "glass-delivery")
        #expect(Set(RootCommand.otherProgram?.commands ?? []) == Set(Self.publishing))
    }

    @Test func committedCommandPageIsUpToDate() throws {
        let settings = HostSettings(module: .platform)
        let run = try CommandRun(
            ["--generate-markdown-page"], of: DeliveryCommand.self, settings, name: "glass-delivery")
        let page = "Sources/GlassDeliveryHost/GlassDeliveryHost.docc/Commands.md"
        let committed = try String(contentsOf: CommandRun.repository.appending(path: page), encoding: .utf8)
        #expect(run.output == committed, "renew it: scripts/glass-delivery --generate-markdown-page > \(page)")
        #expect(run.status == 0)
    }

    /// The generator of manual pages drops what is not ASCII, and takes a line for a request of roff if it starts like
    /// one and is not the first of its text.
    @Test func manualPagesContainHelpAsItIs() throws {
        func texts(in value: Any) -> [String] {
            if let list = value as? [Any] { return list.flatMap(texts) }
            return (value as? [String: Any] ?? [:]).flatMap { key, value in
                (value as? String).map { ["abstract", "discussion"].contains(key) ? [$0] : [] } ?? texts(in: value)
            }
        }
        let settings = HostSettings(module: .platform)
        for run in [
            try CommandRun(["--experimental-dump-help"], of: RootCommand.self, settings, name: "glass-host"),
            try CommandRun(["--experimental-dump-help"], of: DeliveryCommand.self, settings, name: "glass-delivery"),
        ] {
            let texts = texts(in: try run.json())
            #expect(texts.count > 100)
            for text in texts {
                let isASCII = text.allSatisfy(\.isASCII)
                #expect(isASCII, "\(text)")
                for line in text.split(separator: "\n").dropFirst() {
                    #expect(!line.hasPrefix(".") && !line.hasPrefix("'"), "\(line)")
                }
            }
        }
    }

    @Test(arguments: publishing)
    func helpUsesNameOfCalledProgram(_ command: String) throws {
        for name in ["glass-delivery", "shop-delivery"] {
            let run = try CommandRun(
                [command, "--help"], of: DeliveryCommand.self, HostSettings(module: .platform), name: name)
            #expect(run.status == 0)
            #expect(run.output.contains("USAGE: \(name) \(command)"), "\(run.output)")
            #expect(name == "glass-delivery" || !run.output.contains("glass-delivery"), "\(run.output)")
            #expect(!run.output.contains("glass-host"), "\(run.output)")
            guard run.output.contains("For global options") else { continue }
            #expect(run.output.contains("see '\(name) --help'"), "\(run.output)")
            let program = try CommandRun(
                ["--help"], of: DeliveryCommand.self, HostSettings(module: .platform), name: name)
            #expect(program.output.contains("\nGLOBAL OPTIONS:\n"), "\(program.output)")
        }
    }

    private func host(_ arguments: String...) throws -> CommandRun {
        try CommandRun(arguments, of: RootCommand.self, HostSettings(module: .platform), name: "glass-host")
    }

    @Test(arguments: publishing)
    func hostNamesProgramForPublishing(_ command: String) throws {
        for arguments in [[command, "--to", "site"], ["help", command], ["--quiet", command]] {
            let run = try CommandRun(
                arguments, of: RootCommand.self, HostSettings(module: .platform), name: "glass-host")
            #expect(run.status == 64)
            #expect(
                run.errors
                    == "there is no command \"\(command)\"; use `glass-delivery \(command)`\n")
            #expect(run.output.isEmpty)
        }
    }

    @Test func hostSuggestsDeliveryCommands() throws {
        #expect(
            try host("publsh").errors
                == "there is no command \"publsh\"; did you mean \"glass-delivery publish\"?\n")
        #expect(try host("chekc").errors == "there is no command \"chekc\"; did you mean \"check\"?\n")
        #expect(try host("--help").output.contains("glass-delivery"))
        #expect(
            try host("schema", "publish").errors.hasPrefix("there is no command \"schema publish\"; the commands are "))
    }

    /// A release installs one executable by both names.
    @Test func executableRunsCommandsOfNameThatItIsInvokedBy() throws {
        let folder = try PublishingFolder()
        for (name, ownCommand, otherCommand) in [
            ("glass-host", "check", "publish"), ("shop-host", "check", "publish"),
            ("glass-delivery", "publish", "check"), ("shop-delivery", "publish", "check"),
        ] {
            let program = folder.url.appending(path: name)
            try FileManager.default.createSymbolicLink(at: program, withDestinationURL: CommandProcess.executable)
            let own = try CommandProcess(program, [ownCommand, "--help"])
            own.expect(0)
            #expect(own.output.contains("USAGE: \(name) \(ownCommand)"), "\(own.output)")
            let other = try CommandProcess(program, [otherCommand])
            other.expect(64)
            #expect(other.errors.hasPrefix("there is no command \"\(otherCommand)\""), "\(other.errors)")
        }
    }

    @Test func programNamesItsModule() {
        #expect(ShopDelivery.module.name == "shop")
    }
}
