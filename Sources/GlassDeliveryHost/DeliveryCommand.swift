import ArgumentParser
import GlassHost

/// The root command of `glass-delivery`.
struct DeliveryCommand: CommandLineRoot {
    static let configuration = CommandConfiguration(
        commandName: "glass-delivery",
        abstract: "Publishes markets for phones, and downloads them the way a phone does.",
        discussion: """
            EXAMPLES
              glass-delivery root init --to site --make-keys keys
              glass-delivery publish --to site --keys keys
              glass-delivery publish --check site
              glass-delivery rollout ca 25% --to site --keys keys

            Results go to standard output, and messages to standard error.

            EXIT STATUS
              0    success
              1    a negative result: the request was refused, or a client would reject the publication
              2    the command could not run: for example, a key is missing or the server did not respond
              64   usage error
              130  interrupted
            """,
        version: "0.1.0",
        subcommands: [
            PublishCommand.self, RolloutCommand.self, RevokeCommand.self, RollbackCommand.self, TimestampCommand.self,
            PromoteCommand.self, SignCommand.self, RootKeysCommand.self, KeyCommand.self, LogCommand.self,
            FetchCommand.self, StatusCommand.self,
        ])

    /// Creates the command. For use by the argument parser.
    init() {}
}
