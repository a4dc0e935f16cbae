import ArgumentParser
import Foundation
import GlassBase

/// A program's command line for shell completion: under the name by which the user invokes it, so that an app's own
/// host gets separate functions in the shell, and with global options before the command, where they are allowed.
struct CompletionRoot<Root: CommandLineRoot>: ParsableCommand {
    static var configuration: CommandConfiguration {
        var configuration = Root.configuration
        configuration.commandName = ProgramName.current
        return configuration
    }

    @OptionGroup(title: "Global options") var options: GlobalOptions

    /// Whether the arguments request completions, or the script with which a shell requests them.
    static func isMeant(by arguments: [String]) -> Bool {
        let script = "--generate-completion-script"
        return arguments.first.map { $0 == CompletionWords.request || $0 == script || $0.hasPrefix(script + "=") }
            ?? false
    }

    /// Prints the completions or the script, and returns the exit status.
    static func answer(_ arguments: [String], of program: HostSettings) -> Int32 {
        let isRequest = arguments.first == CompletionWords.request
        // Any message would corrupt the line that the user is typing.
        if isRequest { StandardStream.errors.silence() }
        do {
            _ = try HostSettings.$current.withValue(program) { try parseAsRoot(arguments) }
            return EX_USAGE
        } catch {
            // ArgumentParser returns completions by throwing.
            let (status, text) = (exitCode(for: error), fullMessage(for: error))
            let stream = status.isSuccess ? StandardStream.output : StandardStream.errors
            if !text.isEmpty { stream.write(DisplayText(lines: text) + "\n") }
            return status.rawValue
        }
    }
}
