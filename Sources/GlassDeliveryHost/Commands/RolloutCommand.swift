import ArgumentParser
import GlassHost
import GlassSchema

struct RolloutCommand: PublishingCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollout",
        abstract: "Releases a new version of a market to a percentage of installations.",
        usage: "glass-delivery rollout [<options>] <market> <share> --to <dir> --keys <path>",
        discussion: """
            The first call compiles the market, as `publish` does, and lists it next to the published version; later \
            calls change the percentage. Increasing the percentage adds installations and removes none. At 100%, every \
            installation gets the new version; at 0%, it is withdrawn.

            EXAMPLES
              glass-delivery rollout ca 5% --to site --keys keys
              glass-delivery rollout ca 25% --to site --keys keys
              glass-delivery rollout ca 100% --to site --keys keys
            """
    )

    @OptionGroup var publishing: PublishingOptions
    @OptionGroup var market: MarketPublishingOptions
    @OptionGroup var writing: WritingOptions
    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Argument(help: ArgumentHelp("The market.", valueName: "market"))
    var id: String

    @Argument(
        help: ArgumentHelp(
            "The percentage of installations, from 0% to 100% in steps of 0.01%.", valueName: "share"),
        transform: RolloutPercentage.init)
    var share: RolloutPercentage

    func publish(in session: Session) throws {
        var publisher = try publishing.publisher(session, "rollout")
        let compiler = MarketCompiler(session)
        let output = try publisher.folder.locked {
            let state = try PublishedState(reading: publisher.folder)
            var draft = try TargetsDraft(after: state, in: publisher.folder)
            let (former, stable) = (draft.rollout(of: id), draft.entry(of: id))
            if draft.rollout(of: id) != nil || share.value == 0 || share.value == 10_000 {
                try draft.setShare(of: id, to: share.value)
            } else {
                try market.requireCommitted(options.markets)
                let compiled = try compiler.markets([id])
                try compiler.ask(market.releases.fleet(), about: compiled, for: market.apps)
                publisher.log?.entry.commit = try GitWorkingTree.commit(of: options.markets)
                for version in compiled { try draft.rollOut(version, share: share.value, apps: market.apps) }
            }
            var output = PublishOutput(dispositions: draft.dispositions, isDry: writing.dryRun)
            let effect = RolloutEffect(
                of: draft.rollout(of: id) ?? former, beside: stable, from: former?.share ?? 0, to: share.value)
            output.effects = [effect].compactMap(\.self)
            output.differences = try compiler.differences(draft)
            output.add(try publisher.publish(draft.change, after: state, staging: writing.stage, isDry: writing.dryRun))
            return output
        }
        try output.print(in: session, publisher.folder)
    }
}

/// What a change of a percentage means for the installations.
struct RolloutEffect {
    /// The installations that get the version, and those that lose it, in units of 0.01%.
    let (gains, loses): (Int, Int)
    /// A sentence.
    let text: String

    /// Compares the percentages of a version that is rolled out beside the one for all.
    init?(of next: TargetEntry?, beside stable: TargetEntry?, from old: Int, to new: Int) {
        guard let next else { return nil }
        (gains, loses) = (max(0, new - old), max(0, old - new))
        func name(_ entry: TargetEntry?) -> String {
            entry.map { "version \($0.serial.map { "\($0) " } ?? "")(\($0.digest.prefix(12)))" } ?? "their version"
        }
        let apps =
            next.apps == AppRange()
            ? "installations" : "installations of the app versions \(next.apps.min ?? "")…\(next.apps.max ?? "")"
        let percent = TargetsDraft.percent
        text =
            switch (old, new) {
            case (_, 10_000): "the other \(percent(gains)) of \(apps) get \(name(next)), so that all have it"
            case (_, 0): "the \(percent(loses)) of \(apps) that have \(name(next)) return to \(name(stable))"
            case (0, _): "\(percent(new)) of \(apps) get \(name(next)); the others keep \(name(stable))"
            case _ where new > old:
                "\(percent(gains)) of \(apps) get \(name(next)), \(percent(new)) in all; none loses it"
            case _ where new < old:
                "\(percent(loses)) of \(apps) return to \(name(stable)); \(percent(new)) keep \(name(next))"
            default: "the same \(percent(new)) of \(apps) have \(name(next)); none gains or loses it"
            }
    }
}

/// A percentage of installations, in steps of 0.01%.
struct RolloutPercentage {
    /// In units of 0.01%, so 10,000 is all installations.
    let value: Int

    /// Reads a percentage.
    ///
    /// - Throws: An error that says what to write.
    init(_ text: String) throws {
        if let value = Self.value(of: text) {
            self.value = value
            return
        }
        if Self.value(of: text + "%") != nil { throw ValidationError("\(text) has no unit; write \(text)%") }
        throw ValidationError(
            "\(text.quotedForMessage) is not a percentage; write one from 0% to 100% in steps of 0.01%, such as 2.5%")
    }

    private static func value(of text: String) -> Int? {
        guard let match = text.wholeMatch(of: /([0-9]{1,3})(?:\.([0-9]{1,2}))?%/), let whole = Int(match.1) else {
            return nil
        }
        let digits = match.2 ?? ""
        guard let rest = Int(digits + String(repeating: "0", count: 2 - digits.count)) else { return nil }
        let value = whole * 100 + rest
        return value > 10_000 ? nil : value
    }
}
