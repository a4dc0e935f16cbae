import GlassBase
package import ArgumentParser
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
              glass-host new ca                             create a market for Canada
              glass-host check                              report every problem in every market
              glass-host run scripts/smoke.lua              run a script against all markets
              glass-host --market ca open walmart.ca://myaccount
              glass-host show platform.networking.retry -m ca

            Results go to standard output, and messages to standard error. You can put global options before or after \
            the command.

            EXIT STATUS
              0    success
              1    a negative result, such as an error in a market, a failed test, or a link that was not routed
              2    the command could not run: for example, a file is unreadable or a market does not exist
              64   usage error
              130  interrupted

            PUBLISHING
              glass-delivery publishes markets to phones: publish, rollout, rollback, and more.

            COMPLETION
              source <(glass-host --generate-completion-script bash)
              glass-host --generate-completion-script zsh > "${fpath[1]}/_glass-host"
              glass-host --generate-completion-script fish | source

            REFERENCE
              glass-host --generate-markdown-page > Commands.md
            """,
        version: "0.1.0",
        subcommands: [
            RunCommand.self, CheckCommand.self, FixCommand.self, CompileCommand.self, OpenCommand.self,
            RoutesCommand.self, ServicesCommand.self, FlagsCommand.self, ShowCommand.self, ExplainCommand.self,
            ExportCommand.self, VerifyCommand.self, DiffCommand.self, ReviewCommand.self, MatrixCommand.self,
            WatchCommand.self, GraphCommand.self, SchemaCommand.self,
            TestCommand.self, ReplCommand.self, LanguageServerCommand.self, InspectCommand.self, NewCommand.self,
            ImportCommand.self, DoctorCommand.self,
        ])

    /// Creates the command. The parser calls it.
    package init() {}

    package static let otherProgram: (name: String, commands: [String])? = (
        "glass-delivery",
        [
            "publish", "promote", "rollout", "revoke", "rollback", "timestamp", "sign", "root", "key", "log", "fetch",
            "status",
        ]
    )
}

/// The root of a program's commands.
package protocol CommandLineRoot: ParsableCommand {
    /// Another program and its commands, for suggestions.
    static var otherProgram: (name: String, commands: [String])? { get }
}

extension CommandLineRoot {
    /// No other program.
    package static var otherProgram: (name: String, commands: [String])? { nil }

    /// Runs the command that the arguments of the process specify, and exits the process.
    package static func run(_ program: HostSettings) -> Never {
        // In this order: the umask applies to the whole process, so it is set before another thread can run, and closed
        // streams are reserved before a file can take their descriptors.
        OutputFile.makeOthersPrivate()
        StandardStream.reserveClosedNumbers()
        StandardStream.reportBrokenPipes()
        SignalHandling.endWithStatusOfSignal()
        LoggingSystem.bootstrap(ConsoleLogHandler.init)
        Foundation.exit(status(of: Array(CommandLine.arguments.dropFirst()), program))
    }

    /// Runs a command in a context that keeps its output in memory.
    ///
    /// Paths are relative to the working directory of the calling thread.
    package static func status(of arguments: [String], _ program: HostSettings, in context: CommandContext) -> Int32 {
        context.run { status(of: arguments, program) }
    }

    /// Runs the command that the arguments specify, and returns its exit status.
    private static func status(of arguments: [String], _ program: HostSettings) -> Int32 {
        let arguments = GlobalOptions.movedBehindCommand(arguments)
        if arguments == ["--generate-manual-page"] {
            Console.message(
                "--generate-manual-page was removed; scripts/install makes manual pages with ArgumentParser's generate-manual"
            )
            return EX_USAGE
        }
        if arguments == ["--generate-markdown-page"] { return printCommandsPage() }
        if CompletionRoot<Self>.isMeant(by: arguments) { return CompletionRoot<Self>.answer(arguments, of: program) }
        if let message = unknownCommand(arguments[...], of: Self.self) {
            Console.message(message)
            return EX_USAGE
        }
        do {
            var command = try parse(arguments)
            try HostSettings.$current.withValue(program) { try command.run() }
            return EXIT_SUCCESS
        } catch {
            return status(of: error, arguments)
        }
    }

    /// Parses the arguments.
    ///
    /// ArgumentParser reports an unknown option only once a command accepts its arguments. But a misspelled option is
    /// often why it doesn't, so unknown options are reported first.
    private static func parse(_ arguments: [String]) throws -> any ParsableCommand {
        do {
            return try parseAsRoot(arguments)
        } catch {
            guard exitCode(for: error) == .validationFailure else { throw error }
            _ = try ArgumentValidation.$isSkipped.withValue(true) { try parseAsRoot(arguments) }
            throw error
        }
    }

    /// Prints the page about the commands in Markdown.
    private static func printCommandsPage() -> Int32 {
        do {
            StandardStream.output.write(
                DisplayText(lines: try CommandsPage(_dumpHelp(), name: ProgramName.current).text))
            return EXIT_SUCCESS
        } catch {
            Console.message("cannot generate the page: \(error)")
            return CommandFailure.Status.impossible.rawValue
        }
    }

    /// Prints the message of an error from parsing or running, as `exit(withError:)` does, and returns the exit status.
    private static func status(of error: any Error, _ arguments: [String]) -> Int32 {
        let (status, message) = (exitCode(for: error), text(of: error, arguments))
        let stream = status.isSuccess ? StandardStream.output : StandardStream.errors
        if !message.isEmpty { stream.write(message + "\n") }
        return status.rawValue
    }

    /// ArgumentParser's message for an error.
    ///
    /// The line breaks are ArgumentParser's own, but usage errors also quote the user's arguments, which may contain
    /// others. If an argument contains characters that must be escaped, the message is generated again for escaped
    /// arguments.
    private static func text(of error: any Error, _ arguments: [String]) -> DisplayText {
        let visible = arguments.map { DisplayText($0).plain }
        guard visible != arguments, exitCode(for: error) == .validationFailure else {
            return DisplayText(lines: message(of: error))
        }
        do {
            _ = try parse(visible)
            // The escaped arguments are valid, so keep the original message and escape its line breaks.
            return DisplayText(message(of: error))
        } catch {
            return DisplayText(lines: message(of: error))
        }
    }

    private static func message(of error: any Error) -> String {
        let text = HelpText.withGlobalOptionsOnce(fullMessage(for: error), of: self)
        guard let name = configuration.commandName, ProgramName.current != name else { return text }
        return text.replacing(name, with: ProgramName.current)
    }

    /// The message for an unknown command, subcommand, or argument of `help`; nil if the command exists or none was
    /// named.
    ///
    /// `path` is the parent command as the user writes it, followed by a space; empty for the program.
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
        var advice = "the commands are \(names.joined(separator: ", "))" as DisplayText
        if let near = Suggestion.nearest(to: name, in: names) { advice = "did you mean \"\(path)\(near)\"?" }
        if path.isEmpty, let other = otherProgram {
            if other.commands.contains(name) {
                advice = "use `\(other.name) \(name)`"
            } else if let near = Suggestion.nearest(to: name, in: names + other.commands), other.commands.contains(near)
            {
                advice = "did you mean \"\(other.name) \(near)\"?"
            }
        }
        return "there is no command \"\(path)\(name)\"; \(advice)"
    }
}
