import GlassBase
package import ArgumentParser
import Dispatch
import Foundation
import GlassSchema
import Logging

/// The command line of the host.
struct RootCommand: CommandLineRoot {
    static let configuration = CommandConfiguration(
        commandName: "glass-host",
        abstract: "Checks market files, runs scripts against them, and opens their links.",
        discussion: """
            EXAMPLES
              glass-host check                              every market, every problem
              glass-host run scripts/smoke.lua              a script against all markets
              glass-host --market ca open walmart.ca://myaccount
              glass-host show platform.networking.retry -m ca

            Results go to standard output, messages to standard error. Global options may stand before or after the \
            command.

            EXIT STATUS
              0    yes
              1    no: an error in a market, a failed test, a script error, any outcome but routed
              2    the command could not do its job: an unreadable file, no such market
              64   usage
              130  interrupted

            PUBLISHING
              publish, rollout, revoke, rollback, timestamp, sign, root, fetch, status
              They bring markets to phones. They are commands of a program beside this one, which each starts.

            COMPLETION
              source <(glass-host --generate-completion-script bash)
              glass-host --generate-completion-script zsh > "${fpath[1]}/_glass-host"
              glass-host --generate-completion-script fish | source

            MANUAL
              glass-host --generate-manual-page > glass-host.1
            """,
        version: "0.1.0",
        subcommands: [
            RunCommand.self, CheckCommand.self, FixCommand.self, CompileCommand.self, OpenCommand.self,
            RoutesCommand.self, ServicesCommand.self, ShowCommand.self, ExplainCommand.self, ExportCommand.self,
            VerifyCommand.self, DiffCommand.self, ReviewCommand.self, MatrixCommand.self,
            WatchCommand.self, GraphCommand.self, SchemaCommand.self,
            TestCommand.self, ReplCommand.self, LanguageServerCommand.self, InspectCommand.self, NewCommand.self,
            DoctorCommand.self,
        ])

    static let otherCommands = DeliveryExecutable.commands
}

extension CommandConfiguration {
    /// The configuration of a command directly below the program.
    ///
    /// Whatever it parses, ArgumentParser first runs two parsers of its own to look for a completion-script request, unless
    /// the command has a super-command. Only the program answers such requests. The name is never shown, because help and
    /// errors come from the program's own parse.
    package var belowProgram: CommandConfiguration {
        var configuration = self
        configuration._superCommandName = ProgramName.inHelp
        return configuration
    }
}

/// The root of a program's commands.
package protocol CommandLineRoot: ParsableCommand {
    /// Names of commands that another program has, for suggestions.
    static var otherCommands: [String] { get }
}

extension CommandLineRoot {
    /// None.
    package static var otherCommands: [String] { [] }

    /// Runs the command that the arguments of the process name, and ends the process.
    package static func run(_ program: HostSettings) {
        UserFile.makeOthersPrivate()
        StandardStream.reserveClosedNumbers()
        StandardStream.reportBrokenPipes()
        Interruption.endWithStatusOfSignal()
        LoggingSystem.bootstrap(ConsoleLogHandler.init)
        let arguments = GlobalOptions.movedBehindCommand(Array(CommandLine.arguments.dropFirst()))
        if arguments == ["--generate-manual-page"] { printManualPage() }
        if CompletionRoot<Self>.isMeant(by: arguments) { CompletionRoot<Self>.answer(arguments, of: program) }
        if let message = unknownCommand(arguments[...], of: Self.self, otherCommands) {
            Console.message(message)
            Foundation.exit(EX_USAGE)
        }
        let warming = DispatchGroup()
        let needNoModule = ["help", "-h", "--help", "--version"]
        if arguments.first?.hasPrefix("-") == false, !arguments.contains(where: needNoModule.contains) {
            DispatchQueue.global(qos: .userInitiated).async(group: warming) { program.warmUp() }
        }
        let parsed = Result { try command(named: arguments) }
        // Before the command runs: it may change the environment, which an app's module may read, and may end the process.
        warming.wait()
        do {
            var command = try parsed.get()
            try HostSettings.$current.withValue(program) { try command.run() }
        } catch {
            end(with: error, of: arguments)
        }
    }

    /// Parses the command line.
    ///
    /// A command with none below it is parsed without its root first: ArgumentParser looks at the command three times on
    /// the way down from the root, and at every command beside it, which is a twentieth of what `open` does.
    /// Whatever is wrong then, or asks for help, the root parses again, whose answers name the whole way to the command.
    static func command(named arguments: [String]) throws -> any ParsableCommand {
        let command = configuration.subcommands.first { $0._commandName == arguments.first }
        if let command, command.configuration.subcommands.isEmpty,
            let parsed = try? command.parseAsRoot(Array(arguments.dropFirst())), type(of: parsed) == command
        {
            return parsed
        }
        return try parseAsRoot(arguments)
    }

    /// Prints the manual page and ends the process.
    private static func printManualPage() -> Never {
        do {
            let page = try ManualPage(_dumpHelp(), name: ProgramName.current).text
            StandardStream.output.write(SafeText(lines: page))
            Foundation.exit(EXIT_SUCCESS)
        } catch {
            Console.message("cannot make the manual page: \(error)")
            Foundation.exit(CommandFailure.Status.impossible.rawValue)
        }
    }

    /// Ends the process as `exit(withError:)` does.
    private static func end(with error: any Error, of arguments: [String]) -> Never {
        let (status, message) = (exitCode(for: error), text(of: error, arguments))
        if !message.isEmpty { (status.isSuccess ? StandardStream.output : .errors).write(message + "\n") }
        Foundation.exit(status.rawValue)
    }

    /// What ArgumentParser says about an error.
    ///
    /// Its lines are its own, and in usage errors it repeats what the user wrote, whose lines are not. So where an argument
    /// has characters that are to be written out, it is asked about a command line in which they are.
    private static func text(of error: any Error, _ arguments: [String]) -> SafeText {
        let visible = arguments.map { SafeText($0).plain }
        guard visible != arguments, exitCode(for: error) == .validationFailure else {
            return SafeText(lines: message(of: error))
        }
        do {
            _ = try parseAsRoot(visible)
            // Nothing is wrong with that one: what is said stays, without lines.
            return SafeText(message(of: error))
        } catch {
            return SafeText(lines: message(of: error))
        }
    }

    private static func message(of error: any Error) -> String {
        let text = HelpText.withGlobalOptionsOnce(fullMessage(for: error)) { ShowCommand.helpMessage() }
        guard ProgramName.current != ProgramName.inHelp else { return text }
        return text.replacing(ProgramName.inHelp, with: ProgramName.current)
    }

    /// What to say about a command that there is none of, also below a command or behind `help`.
    private static func unknownCommand(
        _ arguments: ArraySlice<String>, of parent: any ParsableCommand.Type, _ others: [String] = [],
        path: String = ""
    ) -> SafeText? {
        let commands = parent.configuration.subcommands
        guard let name = arguments.first, !name.hasPrefix("-"), !commands.isEmpty else { return nil }
        if path.isEmpty, name == "help" { return unknownCommand(arguments.dropFirst(), of: parent, others) }
        if let command = commands.first(where: { $0._commandName == name }) {
            return unknownCommand(arguments.dropFirst(), of: command, path: "\(path)\(name) ")
        }
        let names = commands.map { $0._commandName } + (path.isEmpty ? others + ["help"] : [])
        let near = Suggestion.nearest(to: name, in: names).map { "did you mean \"\(path)\($0)\"?" as SafeText }
        return "there is no command \"\(path)\(name)\"; \(near ?? "there are \(names.joined(separator: ", "))")"
    }
}
