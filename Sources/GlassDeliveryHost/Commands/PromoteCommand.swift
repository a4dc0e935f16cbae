import ArgumentParser
import GlassAuthoring
import GlassBase
import GlassDelivery
import GlassHost
import GlassMarkets
import GlassSchema

struct PromoteCommand: PublishingCommand {
    static let configuration = CommandConfiguration(
        commandName: "promote",
        abstract: "Publishes a version of a market that another folder has served, with the same bytes.",
        usage: "glass-delivery promote [<options>] <market> [<share>] --from <dir> --to <dir> --keys <path>",
        discussion: """
            Nothing is compiled: what was tried in --from is what the devices of --to get. With a percentage, the \
            version is rolled out, as by `rollout`. The version keeps its range of app versions, and the releases that \
            are recorded must be able to read it.

            It rejects a version that --from never served or has revoked, and a market whose default environment is \
            one for tests, or one that differs from that of the version in --to. --environment names the one that is \
            meant.

            EXAMPLES
              glass-delivery promote us --from staging --to production --keys keys
              glass-delivery promote us 5% --from staging --to production --keys keys --reason "new checkout"
              glass-delivery promote us --digest 9f3c21ab --from staging --to production --keys keys
            """
    )

    @OptionGroup var publishing: PublishingOptions
    @OptionGroup var releases: ReleaseOptions
    @OptionGroup var writing: WritingOptions
    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Argument(help: ArgumentHelp("The market.", valueName: "market"))
    var id: String

    @Argument(
        help: ArgumentHelp(
            "The percentage of installations that get the version, such as 5%. (default: all)", valueName: "share"),
        transform: RolloutPercentage.init)
    var share: RolloutPercentage?

    @Option(help: ArgumentHelp("The folder that served the version.", valueName: "dir"))
    var from: String

    @Option(
        help: ArgumentHelp(
            "The digest of the version, or a prefix of it. (default: the version that --from publishes now)",
            valueName: "digest"))
    var digest: String?

    @Option(
        help: ArgumentHelp(
            "The default environment that the market must have. (default: that of the version in --to)",
            valueName: "name"))
    var environment: String?

    func validateArguments() throws {
        if let share, share.value == 0 {
            throw ValidationError("0% of the installations would get nothing; leave the percentage out for all of them")
        }
    }

    func publish(in session: Session) throws {
        var publisher = try publishing.publisher(session, "promote")
        let compiler = MarketCompiler(session)
        let source = RepositoryFolder(from)
        let state = try PublishedState(reading: source)
        let draft = try TargetsDraft(after: state, in: source)
        let (entry, version) = try draft.served(id, digest: digest, by: state)
        let market = try compiler.market(of: version, in: from)
        try compiler.ask(releases.fleet(), about: [version], for: entry.apps)
        publisher.log?.entry.commit = try PublicationLog(of: source, at: nil).reading(beside: state)?.lines
            .last { $0["digest"] == entry.digest && $0["commit"] != nil }?["commit"]
        let output = try publisher.folder.locked {
            let state = try PublishedState(reading: publisher.folder)
            var draft = try TargetsDraft(after: state, in: publisher.folder)
            try requireEnvironment(of: market, after: draft, compiler)
            let former = draft.rollout(of: id)
            if let share, share.value < 10_000 {
                try draft.rollOut(version, share: share.value, apps: entry.apps)
            } else {
                try draft.publish(version, apps: entry.apps)
            }
            var output = PublishOutput(dispositions: draft.dispositions, isDry: writing.dryRun)
            if let share, let next = draft.rollout(of: id) {
                let effect = RolloutEffect(
                    of: next, beside: draft.entry(of: id), from: former?.share ?? 0, to: share.value)
                output.effects = [effect].compactMap(\.self)
            }
            guard draft.isChanged else { return output }
            output.differences = try compiler.differences(draft)
            output.add(try publisher.publish(draft.change, after: state, staging: writing.stage, isDry: writing.dryRun))
            return output
        }
        try output.print(in: session, publisher.folder)
    }

    /// Rejects a market that would start in another environment than the one that devices use now, or in one for tests.
    private func requireEnvironment(
        of market: Market, after draft: TargetsDraft, _ compiler: MarketCompiler
    ) throws(PublishingError) {
        guard let own = market.firstEnvironment else { return }
        if let environment {
            guard own != environment else { return }
            throw .refused("\(id) starts in the environment \(own), not in \(environment)")
        }
        if let published = draft.entry(of: id) {
            let former = try compiler.market(
                of: PublishedMarket(id: id, bytes: draft.content(of: published), map: []), in: publishing.to ?? "")
            guard let environment = former.firstEnvironment, environment != own else { return }
            throw .refused(
                "\(id) starts in the environment \(own), and the published version in \(environment); "
                    + "change the market, or pass --environment \(own) if that is meant")
        }
        guard own.isForTests else { return }
        throw .refused(
            "\(id) starts in the environment \(own), which is for tests; change the market, or pass --environment \(own) "
                + "if that is meant")
    }
}

extension Market {
    /// The name of the environment that the app starts in, in a release; `nil` if the module has no environments.
    fileprivate var firstEnvironment: String? {
        for path in schema.paths(.firstEnvironment) {
            if case .string(let name)? = source.node(at: path)?.value { return name }
        }
        return nil
    }
}
