import CommandTesting
import Foundation
import Testing

/// The commands in the guides do what the guides say.
@Suite(.timeLimit(.minutes(5)))
struct PublishingGuideTests {
    @Test(arguments: [("FromACommitToEveryPhone", 5), ("PublishingFromCI", 2), ("AYearOfPublishing", 1)])
    func everyGuideCommandRuns(_ guide: String, _ blocks: Int) throws {
        let work = try PublishCommandTests.Work()
        let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(
            contentsOf: repository.appending(
                path: "Sources/GlassDeliveryHost/GlassDeliveryHost.docc/Guides/\(guide).md"), encoding: .utf8)
        let parts = page.components(separatedBy: "```")
        let shown = stride(from: 1, to: parts.count, by: 2).map { parts[$0] }.filter { $0.hasPrefix("sh\n") }
        #expect(shown.count == blocks)
        let host = DeliveryProcess.executable.deletingLastPathComponent()
        let path = "\(host.path):/usr/bin:/bin"
        // Markets are published from a checkout, which the guides assume.
        let settings = ["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"]
        let environment = Dictionary(uniqueKeysWithValues: settings.map { ($0, "a@example.com") })
            .merging(["PATH": path, "HOME": work.files.url.path]) { $1 }
        let checkout = "git init --quiet && git add markets && git commit --quiet --message markets"
        try DeliveryProcess(
            ["-e", "-c", checkout], in: work.files.url, environment: environment, program: URL(filePath: "/bin/sh")
        ).expect(0)
        for block in shown {
            let run = try DeliveryProcess(
                ["-e", "-c", String(block.dropFirst(3))], in: work.files.url,
                environment: environment, program: URL(filePath: "/bin/sh"))
            #expect(run.status == 0, "\(block)\n\(run.output)\(run.errors)")
        }
    }
}
