import ArgumentParser
import Foundation
import GlassBase
import GlassDelivery
import GlassHost
import GlassMarketFiles
import GlassMarkets

struct PublishCommand: PublishingCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract:
            "Checks, compiles, signs, and publishes markets for phones, and verifies the result as a client would.",
        usage: """
            glass-delivery publish [<options>] --to <dir> --keys <path> [<market> ...]
            glass-delivery publish --check <url|dir> [--root <file>]
            """,
        discussion: """
            Checks and compiles the named markets, or all markets in the folder, and prints how their keys and links \
            differ from the published versions. Then it writes the files, the targets, the snapshot, and finally the \
            timestamp to DIR, which any web server can serve. If a step fails, the existing publication remains \
            unchanged. If nothing changed and no metadata is due for renewal, nothing is written.

            It rejects markets that have an error or a Lua `handle`, or that a recorded app release cannot read \
            (releases/VERSION.json, as written by `schema record`). It also rejects revoked versions, files that \
            contain the value of a secret, roles that share a key, and uncommitted market files in a git checkout, \
            because there would be no record of what was published. --allow-uncommitted permits such files.

            --stage keeps the new targets in DIR/staged until enough key owners have run `sign`. --check reads the \
            publication as a client would, and reports problems that would prevent clients from using it.

            EXAMPLES
              glass-delivery publish --to site --keys keys
              glass-delivery publish --to site --keys ci-keys ca mx --app-min 24.2 --dry-run
              glass-delivery publish --to site --stage
              glass-delivery publish --check https://markets.example.com --root root.json
            """
    )

    @OptionGroup var publishing: PublishingOptions
    @OptionGroup var market: MarketPublishingOptions
    @OptionGroup var writing: WritingOptions
    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Option(
        help: ArgumentHelp(
            "Read the publication at a URL or in a folder as a client would, without changing it.",
            valueName: "url|dir"))
    var check: String?

    @Option(
        help: ArgumentHelp(
            "With --check, the root that clients ship with. (default: the first published root)", valueName: "file"))
    var root: String?

    @Argument(help: ArgumentHelp("The markets to publish. (default: all markets in the folder)", valueName: "market"))
    var ids: [String] = []

    func validateArguments() throws {
        if check != nil {
            if publishing.to != nil || !ids.isEmpty || writing.stage || writing.dryRun {
                throw ValidationError(
                    "--check publishes nothing; do not combine it with markets, --to, --stage or --dry-run")
            }
            return
        }
        if root != nil { throw ValidationError("--root requires --check") }
    }

    func publish(in session: Session) throws {
        if let check { return try checkPublished(check).print(on: session.console) }
        var publisher = try publishing.publisher(session, "publish")
        let compiler = MarketCompiler(session)
        try market.requireCommitted(options.markets)
        let markets = try compiler.markets(ids)
        try compiler.ask(market.releases.fleet(), about: markets, for: market.apps)
        publisher.log?.entry.commit = try GitWorkingTree.commit(of: options.markets)
        let output = try publisher.folder.locked {
            let state = try PublishedState(reading: publisher.folder)
            var draft = try TargetsDraft(after: state, in: publisher.folder)
            for compiled in markets { try draft.publish(compiled, apps: market.apps) }
            if ids.isEmpty, options.market == nil { warn(about: draft, beside: markets, session.console) }
            var output = PublishOutput(dispositions: draft.dispositions, isDry: writing.dryRun)
            // Metadata past half of its validity is signed again, even without changes.
            let isDue = state.due(at: publisher.now).contains { $0.hasPrefix("targets") || $0.hasPrefix("snapshot") }
            guard draft.isChanged || isDue || state.targets == nil else { return output }
            output.differences = try compiler.differences(draft)
            output.add(try publisher.publish(draft.change, after: state, staging: writing.stage, isDry: writing.dryRun))
            return output
        }
        try output.print(in: session, publisher.folder)
    }

    /// Names the markets that are still published although the folder no longer has them.
    private func warn(about draft: TargetsDraft, beside markets: [PublishedMarket], _ console: Console) {
        guard !console.isQuiet else { return }
        let published = Set(
            draft.entries.compactMap { $0.path.split(separator: "/").last?.split(separator: ".").first })
        for id in published.map(String.init).sorted() where !markets.contains(where: { $0.id == id }) {
            console.error("warning: \(id) is still published, but \(options.markets) no longer has it")
        }
    }

    private func checkPublished(_ place: String) throws -> PublishedCheck {
        var bytes: [UInt8]?
        if let root {
            do throws(FileFailure) {
                bytes = try Descriptor.named(root).contents(limit: SignedMetadata.maximumBytes)
            } catch {
                throw PublishingError.impossible("cannot read the root \(root): \(error.reason)")
            }
        }
        guard PublishedServer.isURL(place) else {
            let folder = RepositoryFolder(place)
            var check = try PublishedCheck(folder, root: bytes, now: publishing.now)
            for name in folder.names(in: ".") where name.hasSuffix(".pem") || name.hasSuffix(".log.jsonl") {
                check.warnings.append("\(place)/\(name) is not of the publication; take it out of the served folder")
            }
            return check
        }
        let server = try PublishedServer(place)
        var check = try PublishedCheck(server, root: bytes, now: publishing.now)
        let root = check.roles.first { $0.role == .root }?.version ?? 1
        let (headers, file) = (ServerHeaders(url: server.url), check.entries.first?.file)
        check.warnings += try BlockingCall.result { await headers.warnings(root: root, target: file) }
        return check
    }
}
