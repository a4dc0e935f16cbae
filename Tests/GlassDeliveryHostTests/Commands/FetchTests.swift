import CommandTesting
import Foundation
@testable import GlassDeliveryHost
import Testing

/// `fetch` and `status` against a server on this machine. `fetch` runs in its own process: tasks open its store, and
/// they use the working directory of the process.
@Suite(.timeLimit(.minutes(2)))
struct FetchTests {
    @Test func plainHTTPIsOnlyAllowedForThisMachine() throws {
        let work = try PublishCommandTests.Work.published()
        let run = try DeliveryProcess(
            ["fetch", "http://markets.example.com", "--root", "site/metadata/1.root.json", "--store", "store"],
            in: work.files.url)
        run.expect(2)
        #expect(run.errors.contains("http://markets.example.com cannot be used"), "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: work.files.path("store")))
    }

    @Test func unreachableServerIsReported() throws {
        let work = try PublishCommandTests.Work.published()
        // A port that was free a moment ago.
        let run = try DeliveryProcess(
            ["fetch", "http://127.0.0.1:9", "--root", "site/metadata/1.root.json", "--store", "store"],
            in: work.files.url)
        run.expect(2)
        let status = try work.run("status", "--store", "store")
        status.expect(1)
        #expect(status.output.contains("1 refresh failed since the last successful one: "), "\(status.output)")
    }

    @Test(
        arguments: [
            (["fetch", "site", "--root", "site/metadata/1.root.json", "--store", "store"], 2, "site is not a URL"),
            (
                ["fetch", "http://127.0.0.1:9", "--root", "nowhere", "--store", "store"], 2,
                "cannot read the root nowhere"
            ),
            (
                ["fetch", "http://127.0.0.1:9", "--root", "markets/ca.lua", "--store", "store"], 2,
                "the root markets/ca.lua cannot be used"
            ),
            (
                ["fetch", "http://127.0.0.1:9", "--root", "x", "--store", "s", "--app", "new"], 64,
                "new is not an app version"
            ),
            (["status", "--store", "nowhere"], 2, "there is no store in nowhere"),
        ] as [([String], Int32, String)])
    func failureIsExplained(_ arguments: [String], _ status: Int32, _ text: String) throws {
        let work = try PublishCommandTests.Work()
        let run = try DeliveryProcess(arguments, in: work.files.url)
        #expect(run.status == status, "\(run.errors)")
        #expect(run.errors.contains(text), "\(run.errors)")
    }
}
