import ArgumentParser
import GlassHost

struct RollbackCommand: PublishingCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback",
        abstract: "Republishes the markets of an earlier publication.",
        usage: "glass-delivery rollback [<options>] <serial> --to <dir> --keys <path> [<market> ...]",
        discussion: """
            The serial of a publication is the version of its targets, and is recorded with every market that the \
            publication introduces; `log` lists them. A rollback ends a rollout, and restarts none. It is a new \
            publication with the old files, so clients accept it like any other; metadata versions never decrease.

            EXAMPLES
              glass-delivery rollback 117 --to site --keys keys
              glass-delivery rollback 117 ca --to site --keys keys
            """
    )

    @OptionGroup var publishing: PublishingOptions
    @OptionGroup var writing: WritingOptions
    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Argument(help: ArgumentHelp("The serial of the publication to roll back to.", valueName: "serial"))
    var serial: Int

    @Argument(help: ArgumentHelp("The markets to roll back. (default: all)", valueName: "market"))
    var ids: [String] = []

    func publish(in session: Session) throws {
        let publisher = try publishing.publisher(session, "rollback")
        let output = try publisher.folder.locked {
            let state = try PublishedState(reading: publisher.folder)
            var draft = try TargetsDraft(after: state, in: publisher.folder)
            let rollouts = draft.entries.filter { $0.share != nil }
            try draft.goBack(to: serial, markets: ids, after: state)
            var output = PublishOutput(dispositions: draft.dispositions, isDry: writing.dryRun)
            output.effects = rollouts.compactMap { next in
                guard let id = next.market, draft.rollout(of: id) == nil, let share = next.share else { return nil }
                let stable = draft.entry(of: id)
                return RolloutEffect(
                    of: next, beside: stable, from: share, to: stable?.digest == next.digest ? 10_000 : 0)
            }
            output.differences = try MarketCompiler(session).differences(draft)
            output.add(try publisher.publish(draft.change, after: state, staging: writing.stage, isDry: writing.dryRun))
            return output
        }
        try output.print(in: session, publisher.folder)
    }
}
