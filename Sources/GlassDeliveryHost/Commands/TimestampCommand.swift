import ArgumentParser
import GlassBase
import GlassDelivery
import GlassHost

struct TimestampCommand: PublishingCommand {
    static let configuration = CommandConfiguration(
        commandName: "timestamp",
        abstract: "Renews the timestamp. Run this command daily.",
        usage: "glass-delivery timestamp [<options>] --to <dir> --keys <path>",
        discussion: """
            A timestamp is valid for 7 days, which limits how long anyone can present old markets as the newest. This \
            command changes nothing else, but warns you when more than half of the lifetime of other metadata has \
            passed. In that case, renew the root or the targets, or renew the snapshot with --with-snapshot.

            EXAMPLES
              glass-delivery timestamp --to site --keys timestamp.pem
              glass-delivery timestamp --to site --keys ci-keys --with-snapshot
            """
    )

    @OptionGroup var publishing: PublishingOptions
    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Flag(help: "Also renew the snapshot, which is valid for 30 days; use this about once a week.")
    var withSnapshot = false

    func publish(in session: Session) throws {
        let publisher = try publishing.publisher(session, "timestamp")
        let result = try publisher.folder.locked {
            let state = try PublishedState(reading: publisher.folder)
            guard state.targets != nil else {
                throw PublishingError.impossible(
                    "nothing is published in \(publisher.folder.path) yet; "
                        + "start with glass-delivery publish --to \(publisher.folder.path)"
                )
            }
            var change = Publisher.Change()
            change.renewsTimestamp = true
            change.renewsSnapshot = withSnapshot
            return try publisher.publish(change, after: state)
        }
        try PublishOutput(result).print(in: session, publisher.folder)
        for line in try PublishedState(reading: publisher.folder).due(at: publisher.now) {
            Console.message("warning: \(line.namingProgram)")
        }
    }
}
