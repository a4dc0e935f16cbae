package import ArgumentParser
import GlassHost

/// The command line of the delivery.
package struct DeliveryCommand: CommandLineRoot {
    package static let configuration = CommandConfiguration(
        commandName: "glass-delivery",
        abstract: "Publishes markets for phones, and fetches them as a phone does.",
        discussion: """
            EXAMPLES
              glass-delivery root init --to site --make-keys keys
              glass-delivery publish --to site --keys keys
              glass-delivery publish --check site
              glass-delivery rollout ca 25% --to site --keys keys

            Results go to standard output, messages to \
            standard error.

            EXIT STATUS
              0    yes
              1    no: what was asked for must not be published, or a client would refuse it
              2    the command could not do its job: a file, a key, a signer, no answer
              64   usage
              130  interrupted
            """,
        version: "0.1.0",
        subcommands: [
            PublishCommand.self, RolloutCommand.self, RevokeCommand.self, RollbackCommand.self, TimestampCommand.self,
            SignCommand.self, RootKeysCommand.self, FetchCommand.self, StatusCommand.self,
        ])

    /// Creates the command; the parser does.
    package init() {}
}
