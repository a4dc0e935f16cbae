import ArgumentParser
import GlassBase
import GlassHost

struct RevokeCommand: PublishingCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Removes a version of a market from each device at its next refresh.",
        usage: "glass-delivery revoke [<options>] <digest> --to <dir> --keys <path>",
        discussion: """
            A device that uses the version reverts to the last version that was healthy on that device, or to its \
            embedded version, and never accepts the revoked version again. Publish another version, or use `rollback`, \
            for the devices that would have received it.

            EXAMPLES
              glass-delivery revoke 9f3c21ab --to site --keys keys
            """
    )

    @OptionGroup var publishing: PublishingOptions
    @OptionGroup var writing: WritingOptions
    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Argument(help: ArgumentHelp("The SHA-256 digest of the compiled market, or a prefix of it.", valueName: "digest"))
    var digest: String

    func publish(in session: Session) throws {
        let publisher = try publishing.publisher(session, "revoke")
        var current: [String] = []
        let output = try publisher.folder.locked {
            let state = try PublishedState(reading: publisher.folder)
            var draft = try TargetsDraft(after: state, in: publisher.folder)
            current = try draft.revoke(digest)
            var output = PublishOutput(dispositions: draft.dispositions, isDry: writing.dryRun)
            output.add(try publisher.publish(draft.change, after: state, staging: writing.stage, isDry: writing.dryRun))
            return output
        }
        try output.print(in: session, publisher.folder)
        for id in current {
            Console.message(
                "warning: the published version of \(id) \(writing.dryRun ? "would be" : "is now") revoked; publish another version, "
                    + "or use rollback"
            )
        }
    }
}
