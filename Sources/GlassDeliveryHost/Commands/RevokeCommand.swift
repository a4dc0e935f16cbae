import ArgumentParser
import GlassBase
import GlassHost

struct RevokeCommand: PublishingCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Takes a version of a market away from every device, at its next refresh.",
        usage: "glass-delivery revoke [<options>] <digest> --to <dir> --keys <path>",
        discussion: """
            A device that runs the version goes back to the last one that was healthy there, or to the one that it shipped \
            with, and never takes the revoked one again. Publish another version, or go back with `rollback`, for those \
            that would have got it.

            EXAMPLES
              glass-delivery revoke 9f3c21ab --to site --keys keys
            """
    ).asSubcommand

    @OptionGroup var publishing: PublishingOptions
    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Argument(help: ArgumentHelp("The SHA-256 of the compiled market, or its first digits.", valueName: "digest"))
    var digest: String

    @Flag(help: "Do everything but write.")
    var dryRun = false

    @Flag(help: "Let targets wait in DIR/staged for signatures.")
    var stage = false

    func publish(in session: Session) throws {
        let publisher = try publishing.publisher(session)
        var current: [String] = []
        let output = try publisher.folder.locked {
            let state = try PublishedState(reading: publisher.folder)
            var draft = try TargetsDraft(after: state, in: publisher.folder)
            current = try draft.revoke(digest)
            var output = PublishOutput(fates: draft.fates, isDry: dryRun)
            output.add(try publisher.publish(draft.change, after: state, staging: stage, isDry: dryRun))
            return output
        }
        try output.print(in: session, publisher.folder)
        for id in current {
            Console.message(
                "warning: this is the version of \(id) that is published; publish another one, or go back with rollback"
            )
        }
    }
}
