import ArgumentParser
import GlassHost

struct SignCommand: PublishingCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Adds signatures to what is staged, and publishes it when there are enough.",
        usage: "glass-delivery sign [<options>] --to <dir> --keys <path>",
        discussion: """
            publish --stage and root leave in DIR/staged what too few keys have signed. Each owner of a key runs this with \
            it; the files may travel between them, and other programs that sign metadata of The Update Framework may sign \
            them too. Who runs it last needs the keys of snapshot and timestamp as well, which list what is new.

            EXAMPLES
              glass-delivery sign --to site --keys alice.pem
              glass-delivery sign --to site --signer ./sign-with-token
            """
    ).asSubcommand

    @OptionGroup var publishing: PublishingOptions
    @OptionGroup(title: "Global options") var options: GlobalOptions

    func publish(in session: Session) throws {
        let publisher = try publishing.publisher(session)
        let result = try publisher.folder.locked {
            // The first root waits in a folder that has none yet.
            let isFirst = publisher.folder.versions(of: "root").isEmpty
            return try publisher.signStaged(after: isFirst ? nil : PublishedState(reading: publisher.folder))
        }
        try PublishOutput(result).print(in: session, publisher.folder)
    }
}
