import GlassBase
package import ArgumentParser
import Dispatch
import Foundation
import GlassSchema
import Logging

/// The command line of the host.
package struct RootCommand: CommandLineRoot {
    package static let configuration = CommandConfiguration(
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
              glass-delivery brings markets to phones: publish, rollout, rollback and more.

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

    /// Creates the command; the parser does.
    package init() {}

    package static let otherProgram: (name: String, commands: [String])? = (
        "glass-delivery",
        ["publish", "rollout", "revoke", "rollback", "timestamp", "sign", "root", "fetch", "status"]
    )
}

extension CommandConfiguration {
    /// The configuration of a command directly below the program.
    ///
    /// Whatever it parses, ArgumentParser first runs two parsers of its own to look for a completion-script request, unless
    /// the command has a super-command. Only the program answers such requests. The name is never shown, because help and
    /// errors come from the program's own parse.
    package var asSubcommand: CommandConfiguration {
        var configuration = self
        configuration._superCommandName = ProgramName.inHelp
        return configuration
    }
}

/// The root of a program's commands.
package protocol CommandLineRoot: ParsableCommand {
    /// Another program and its commands, for suggestions.
    static var otherProgram: (name: String, commands: [String])? { get }
}

extension CommandLineRoot {
    /// None.
    package static var otherProgram: (name: String, commands: [String])? { nil }

    /// Runs the command that the arguments of the process name, and ends the process.
    package static func run(_ program: HostSettings) -> Never {
        OutputFile.makeOthersPrivate()
        StandardStream.reserveClosedNumbers()
        StandardStream.reportBrokenPipes()
        SignalHandling.endWithStatusOfSignal()
        LoggingSystem.bootstrap(ConsoleLogHandler.init)
        Foundation.exit(status(of: Array(CommandLine.arguments.dropFirst()), program))
    }

    /// Runs a command in a context of its own, whose output is kept in memory.
    ///
    /// Paths are relative to the working directory of the calling thread.
    package static func status(of arguments: [String], _ program: HostSettings, in context: CommandContext) -> Int32 {
        context.run { status(of: arguments, program) }
    }

    /// Runs the command that arguments name, and returns its exit status.
    private static func status(of arguments: [String], _ program: HostSettings) -> Int32 {
        let arguments = GlobalOptions.movedBehindCommand(arguments)
        if arguments == ["--generate-manual-page"] { return printManualPage() }
        if CompletionRoot<Self>.isMeant(by: arguments) { return CompletionRoot<Self>.answer(arguments, of: program) }
        if let message = unknownCommand(arguments[...], of: Self.self) {
            Console.message(message)
            return EX_USAGE
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
            return EXIT_SUCCESS
        } catch {
            return status(of: error, arguments)
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

    /// Prints the manual page.
    private static func printManualPage() -> Int32 {
        do {
            let page = try ManualPage(_dumpHelp(), name: ProgramName.current).text
            StandardStream.output.write(DisplayText(lines: page))
            return EXIT_SUCCESS
        } catch {
            Console.message("cannot make the manual page: \(error)")
            return CommandFailure.Status.impossible.rawValue
        }
    }

    /// Prints what parsing or running ended with, as `exit(withError:)` does, and returns the exit status.
    private static func status(of error: any Error, _ arguments: [String]) -> Int32 {
        let (status, message) = (exitCode(for: error), text(of: error, arguments))
        let stream = status.isSuccess ? StandardStream.output : StandardStream.errors
        if !message.isEmpty { stream.write(message + "\n") }
        return status.rawValue
    }

    /// What ArgumentParser says about an error.
    ///
    /// Its lines are its own, and in usage errors it repeats what the user wrote, whose lines are not. So where an argument
    /// has characters that are to be written out, it is asked about a command line in which they are.
    private static func text(of error: any Error, _ arguments: [String]) -> DisplayText {
        let visible = arguments.map { DisplayText($0).plain }
        guard visible != arguments, exitCode(for: error) == .validationFailure else {
            return DisplayText(lines: message(of: error))
        }
        do {
            _ = try parseAsRoot(visible)
            // Nothing is wrong with that one: what is said stays, without lines.
            return DisplayText(message(of: error))
        } catch {
            return DisplayText(lines: message(of: error))
        }
    }

    private static func message(of error: any Error) -> String {
        let text = HelpText.withGlobalOptionsOnce(fullMessage(for: error)) { ShowCommand.helpMessage() }
        guard let name = configuration.commandName, ProgramName.current != name else { return text }
        return text.replacing(name, with: ProgramName.current)
    }

    /// What to say about an unknown command, also below a command or behind `help`; nil where the command exists or none was
    /// named.
    ///
    /// `path` is how the user calls the parent, with a space behind it; empty for the program.
    private static func unknownCommand(
        _ arguments: ArraySlice<String>, of parent: any ParsableCommand.Type, path: String = ""
    ) -> DisplayText? {
        let commands = parent.configuration.subcommands
        guard let name = arguments.first, !name.hasPrefix("-"), !commands.isEmpty else { return nil }
        if path.isEmpty, name == "help" { return unknownCommand(arguments.dropFirst(), of: parent) }
        if let command = commands.first(where: { $0._commandName == name }) {
            return unknownCommand(arguments.dropFirst(), of: command, path: "\(path)\(name) ")
        }
        let names = commands.map { $0._commandName } + (path.isEmpty ? ["help"] : [])
        var advice = "there are \(names.joined(separator: ", "))" as DisplayText
        if let near = Suggestion.nearest(to: name, in: names) { advice = "did you mean \"\(path)\(near)\"?" }
        if path.isEmpty, let other = otherProgram {
            if other.commands.contains(name) {
                advice = "publishing is done by `\(other.name) \(name)`"
            } else if let near = Suggestion.nearest(to: name, in: names + other.commands), other.commands.contains(near)
            {
                advice = "did you mean \"\(other.name) \(near)\"?"
            }
        }
        return "there is no command \"\(path)\(name)\"; \(advice)"
    }
}
