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
        for block in shown {
            let run = try DeliveryProcess(
                ["-e", "-c", String(block.dropFirst(3))], in: work.files.url,
                environment: ["PATH": "\(host.path):/usr/bin:/bin"], program: URL(filePath: "/bin/sh"))
            #expect(run.status == 0, "\(block)\n\(run.output)\(run.errors)")
        }
    }
}
