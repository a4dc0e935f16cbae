import ArgumentParser
import CommandTesting
import GlassDeliveryHost
import GlassHost
import GlassMarkets
import GlassPlatform
import Testing

/// `glass-host` and `glass-delivery` are two programs, and each says where the other's commands are.
@Suite struct TwoProgramsTests {
    private static let publishing = DeliveryCommand.configuration.subcommands.map { $0._commandName }

    @Test func theHostKnowsTheNamesOfTheCommands() {
        #expect(RootCommand.otherProgram?.name == "glass-delivery")
        #expect(Set(RootCommand.otherProgram?.commands ?? []) == Set(Self.publishing))
    }

    @Test func theySkipTheSearchForACompletionScript() {
        let commands = DeliveryCommand.configuration.subcommands.filter { $0.configuration.subcommands.isEmpty }
        #expect(commands.count > 6)
        for command in commands where command.configuration._superCommandName == nil {
            Issue.record("\(command) lacks `.asSubcommand`")
        }
    }

    @Test(arguments: publishing)
    func helpNamesTheProgramThatWasCalled(_ command: String) throws {
        for name in ["glass-delivery", "shop-delivery"] {
            let run = try CommandRun(
                [command, "--help"], of: DeliveryCommand.self, HostSettings(module: .platform), name: name)
            #expect(run.status == 0)
            #expect(run.output.contains("USAGE: \(name) \(command)"), "\(run.output)")
            #expect(name == "glass-delivery" || !run.output.contains("glass-delivery"), "\(run.output)")
        }
    }

    private func host(_ arguments: String...) throws -> CommandRun {
        try CommandRun(arguments, of: RootCommand.self, HostSettings(module: .platform), name: "glass-host")
    }

    @Test(arguments: publishing)
    func theHostSaysWhichProgramPublishes(_ command: String) throws {
        for arguments in [[command, "--to", "site"], ["help", command], ["--quiet", command]] {
            let run = try CommandRun(
                arguments, of: RootCommand.self, HostSettings(module: .platform), name: "glass-host")
            #expect(run.status == 64)
            #expect(
                run.errors
                    == "there is no command \"\(command)\"; publishing is done by `glass-delivery \(command)`\n")
            #expect(run.output.isEmpty)
        }
    }

    @Test func theHostSuggestsThem() throws {
        #expect(
            try host("publsh").errors
                == "there is no command \"publsh\"; did you mean \"glass-delivery publish\"?\n")
        #expect(try host("chekc").errors == "there is no command \"chekc\"; did you mean \"check\"?\n")
        #expect(try host("--help").output.contains("glass-delivery"))
        #expect(try host("schema", "publish").errors.hasPrefix("there is no command \"schema publish\"; there are "))
    }

    @Test func aProgramNamesItsModule() {
        #expect(ShopDelivery.module.name == "shop")
    }
}
