import ArgumentParser
import GlassHost

struct SignCommand: PublishingCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Signs staged metadata, and publishes it once it has enough signatures.",
        usage: "glass-delivery sign [<options>] --to <dir> --keys <path>",
        discussion: """
            `publish --stage` and `root` leave metadata in DIR/staged until it has enough signatures. Each key owner \
            runs this command with their own key. You can copy the files from one owner to the next, and you can also \
            sign them with other tools for The Update Framework. The last person to run it also needs the snapshot and \
            timestamp keys, because that metadata lists the new versions.

            EXAMPLES
              glass-delivery sign --to site --keys alice.pem
              glass-delivery sign --to site --signer ./sign-with-token
            """
    )

    @OptionGroup var publishing: PublishingOptions
    @OptionGroup(title: "Global options") var options: GlobalOptions

    func publish(in session: Session) throws {
        let publisher = try publishing.publisher(session, "sign")
        let result = try publisher.folder.locked {
            // The first root is staged in a folder that has no root yet.
            let isFirst = publisher.folder.versions(of: "root").isEmpty
            return try publisher.signStaged(after: isFirst ? nil : PublishedState(reading: publisher.folder))
        }
        try PublishOutput(result).print(in: session, publisher.folder)
    }
}
