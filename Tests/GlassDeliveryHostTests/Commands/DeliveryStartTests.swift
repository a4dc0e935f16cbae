import ArgumentParser
import Foundation
import GlassDeliveryHost
import GlassHost
import GlassMarkets
import Testing

/// How `glass-host` comes to run the commands of `glass-delivery`.
@Suite struct DeliveryStartTests {
    private var host: URL { DeliveryProcess.executable.deletingLastPathComponent().appending(path: "glass-host") }

    @Test func theHostKnowsTheNamesOfTheCommands() throws {
        let folder = try PublishingFolder()
        let help = try DeliveryProcess(["--help"], in: folder.url).output
        let list = try #require(help.components(separatedBy: "SUBCOMMANDS:\n").dropFirst().first)
        let names = list.split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }.compactMap {
            $0.split(separator: " ").first.map(String.init)
        }.filter { $0 != "See" }  // the sentence after the list
        #expect(Set(names) == Set(DeliveryExecutable.commands))
    }

    @Test func theySkipTheSearchForACompletionScript() {
        let commands = DeliveryCommand.configuration.subcommands.filter { $0.configuration.subcommands.isEmpty }
        #expect(commands.count > 6)
        for command in commands where command.configuration._superCommandName == nil {
            Issue.record("\(command) lacks `.belowProgram`")
        }
    }

    @Test(arguments: DeliveryExecutable.commands)
    func theHostStartsThem(_ command: String) throws {
        let folder = try PublishingFolder()
        for arguments in [[command, "--help"], ["help", command], ["--quiet", command, "--help"]] {
            let run = try DeliveryProcess(arguments, in: folder.url, program: host)
            #expect(run.status == 0, "\(arguments): \(run.errors)")
            // Under the name by which the user called.
            #expect(run.output.contains("USAGE: glass-host \(command)"), "\(arguments): \(run.output)")
        }
        let direct = try DeliveryProcess([command, "--help"], in: folder.url)
        #expect(direct.output.contains("USAGE: glass-delivery \(command)"), "\(direct.output)")
    }

    @Test func theHostSuggestsThemAndListsThem() throws {
        let folder = try PublishingFolder()
        let run = try DeliveryProcess(["publsh"], in: folder.url, program: host)
        #expect(run.status == 64)
        #expect(run.errors.contains(#"there is no command "publsh"; did you mean "publish"?"#), "\(run.errors)")
        let help = try DeliveryProcess(["--help"], in: folder.url, program: host).output
        for command in DeliveryExecutable.commands { #expect(help.contains(command), "\(command)") }
    }

    @Test func aHostWithoutTheProgramSaysHowToGetIt() throws {
        let folder = try PublishingFolder()
        let alone = folder.url.appending(path: "glass-host")
        // A link would lead back to the folder where the program is.
        try FileManager.default.copyItem(at: host.resolvingSymlinksInPath(), to: alone)
        let run = try DeliveryProcess(["publish", "--to", "site"], in: folder.url, program: alone)
        #expect(run.status == 2)
        #expect(run.errors.hasPrefix("cannot start "), "\(run.errors)")
        #expect(
            run.errors.hasSuffix(
                "/glass-delivery: it is not there; build it with swift build --product glass-delivery\n"),
            "\(run.errors)")
    }

    @Test func aProgramNamesItsModule() {
        #expect(ShopDelivery.module.name == "shop")
    }
}
