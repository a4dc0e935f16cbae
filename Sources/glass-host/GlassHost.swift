import ArgumentParser
import Foundation

/// The command line of the host.
@main
struct GlassHost: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "glass-host",
        abstract: "One app, many markets: checks market files, runs scripts against them, and opens their links.",
        discussion: """
            EXAMPLES
              glass-host check                              every market, every problem
              glass-host run scripts/smoke.lua              a script against all markets
              glass-host --market ca open walmart.ca://myaccount
              glass-host show platform.networking.retry -m ca

            Results go to standard output, messages to standard error. Global options (see any command's help) may
            stand before or after the command.

            EXIT STATUS
              0    yes
              1    no: a finding, a failed test, a script error, any outcome but routed
              2    the job could not be done: an unreadable file, no such market
              64   usage
              130  interrupted
            """,
        version: "0.1.0",
        subcommands: [
            RunCommand.self, CheckCommand.self, OpenCommand.self, RoutesCommand.self, ServicesCommand.self,
            ShowCommand.self,
        ])

    static func main() {
        Interruption.endWith130()
        let arguments = Array(CommandLine.arguments.dropFirst())
        main(GlobalOptions.movedBehindCommand(arguments))
    }
}
