import ArgumentParser
import GlassBase
import GlassDelivery
import GlassHost

struct TimestampCommand: PublishingCommand {
    static let configuration = CommandConfiguration(
        commandName: "timestamp",
        abstract: "Signs the timestamp again: the daily job.",
        usage: "glass-delivery timestamp [<options>] --to <dir> --keys <path>",
        discussion: """
            A timestamp is valid for 7 days, so that nobody can pass old markets off as the newest for longer. It touches \
            nothing else, and says when other metadata is past the half of its time: the root and the targets are then due \
            to be signed again, the snapshot with --with-snapshot.

            EXAMPLES
              glass-delivery timestamp --to site --keys timestamp.pem
              glass-delivery timestamp --to site --keys ci-keys --with-snapshot
            """
    ).asSubcommand

    @OptionGroup var publishing: PublishingOptions
    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Flag(help: "Sign the snapshot again too, once a week or so: it is valid for 30 days.")
    var withSnapshot = false

    func publish(in session: Session) throws {
        let publisher = try publishing.publisher(session)
        let result = try publisher.folder.locked {
            let state = try PublishedState(reading: publisher.folder)
            guard state.targets != nil else {
                throw PublishingError.impossible(
                    "nothing is published in \(publisher.folder.path) yet; begin with glass-delivery publish --to \(publisher.folder.path)"
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
