import ArgumentParser
import Foundation
import GlassBase

/// A program's command line as shells complete it: by the name with which the user calls it, so that an app's own host has
/// functions of its own in the shell, and with the global options before the command, where they may stand.
struct CompletionRoot<Root: CommandLineRoot>: ParsableCommand {
    static var configuration: CommandConfiguration {
        var configuration = Root.configuration
        configuration.commandName = ProgramName.current
        return configuration
    }

    @OptionGroup(title: "Global options") var options: GlobalOptions

    /// Whether arguments ask for completions, or for the script with which a shell asks for them.
    static func isMeant(by arguments: [String]) -> Bool {
        let script = "--generate-completion-script"
        return arguments.first.map { $0 == CompletionWords.request || $0 == script || $0.hasPrefix(script + "=") }
            ?? false
    }

    /// Answers.
    static func answer(_ arguments: [String], of program: HostSettings) -> Int32 {
        let isRequest = arguments.first == CompletionWords.request
        // The line that somebody is typing would be torn by a message, whoever writes it.
        if isRequest { StandardStream.errors.silence() }
        do {
            _ = try HostSettings.$current.withValue(program) { try parseAsRoot(arguments) }
            return EX_USAGE
        } catch {
            // ArgumentParser answers by throwing.
            let (status, text) = (exitCode(for: error), fullMessage(for: error))
            let stream = status.isSuccess ? StandardStream.output : StandardStream.errors
            if !text.isEmpty { stream.write(DisplayText(lines: text) + "\n") }
            return status.rawValue
        }
    }
}
