import CommandTesting
import Foundation
import GlassMarkets
import GlassPlatform
import Testing

/// `routes` and `services`.
@Suite(.timeLimit(.minutes(3)))
struct ListingCommandTests {
    @Test func verboseRoutesHavePositions() throws {
        let run = try HostRun(["routes", "-m", "ca", "-v"])
        #expect(run.status == 0)
        let line = run.output.split(separator: "\n").first { $0.hasPrefix("myaccount ") }
        #expect(line?.hasSuffix("markets/ca.lua:90:27") == true, "\(line ?? "")")
        #expect(run.output.contains("routes; the worst-case link, \""))
        #expect(run.output.contains("\", visits "))
    }

    @Test func everyServiceIsListedLiveAndMocked() throws {
        let live = try HostRun(["services", "--format", "json"])
        let mock = try HostRun(["services", "--format", "json", "--services", "mock"])
        #expect(live.status == 0 && mock.status == 0)
        let names = try (live.json()["services"] as? [[String: Any]])?.compactMap { $0["name"] as? String }
        #expect(names == names?.sorted())
        #expect(names?.count == MarketModule.platform.services.count)
        let implementations = try (mock.json()["services"] as? [[String: Any]])?.compactMap {
            $0["implementation"] as? String
        }
        #expect(implementations?.filter { $0.hasSuffix("Mock") }.count == names.map { $0.count - 1 })
    }

    @Test(arguments: [40, 80, 200])
    func servicesFitTerminalWidth(width: Int) throws {
        let run = try HostRun(["services"], environment: ["COLUMNS": "\(width)"])
        let lines = run.output.split(separator: "\n")
        #expect((lines.map(\.count).max() ?? 0) <= width)
        #expect(lines.contains { $0.hasPrefix("UserDefaultsRegistrationAPI ") && $0.contains(" yes") }, "\(run.output)")
        #expect(!run.output.contains("…"), "\(run.output)")
    }

    @Test func singleServiceIsShownInFull() throws {
        let run = try HostRun(["services", "AnalyticsTracking"])
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("AnalyticsTracking: Receives events"))
        #expect(run.output.contains("\n  needs: Analytics\n") && run.output.contains("\n  needed by: "))
        let wrong = try HostRun(["services", "Netwroking"])
        #expect(wrong.status == 2)
        #expect(wrong.errors == "the market us has no service \"Netwroking\"; did you mean \"Networking\"?\n")
    }
}
