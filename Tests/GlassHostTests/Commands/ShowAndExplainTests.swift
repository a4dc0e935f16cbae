import CommandTesting
import Foundation
import Testing

/// `show` and `explain`: values, where they come from, and which routable opens a link.
@Suite(.timeLimit(.minutes(3)))
struct ShowAndExplainTests {
    @Test func showPrintsEffectiveValuesWithoutSecrets() throws {
        let run = try HostRun(
            ["show", "platform.networking", "-m", "ca"], environment: ["GLASS_CA_CONSUMER_KEY": "hunter2"])
        #expect(run.status == 0)
        #expect(run.output.contains("platform.networking.retry.maxRetries = 4\n"))
        #expect(run.output.contains("platform.networking.consumerKey = <secret GLASS_CA_CONSUMER_KEY>\n"))
        #expect(!run.output.contains("hunter2"))
        let verbose = try HostRun(["show", "platform.networking.retry.jitter", "-m", "ca", "-v"])
        #expect(verbose.output == "platform.networking.retry.jitter = 0.25  -- markets/us.lua:81:18\n")
    }

    @Test func showNamesPlatformsOfKey() throws {
        let run = try HostRun(["show", "platform.urlSession.waitsForConnectivity", "-v"])
        #expect(run.output.hasSuffix("= true  -- markets/us.lua:71:30, applies on: Apple\n"))
    }

    @Test func showAsJSONIsOneObject() throws {
        let json = try HostRun(["show", "platform.networking.retry", "--format", "json"]).json()
        #expect(json["schema"] as? Int == 1)
        #expect((json["value"] as? [String: Any])?["maxRetries"] as? Int == 3)
    }

    @Test func explainNamesOriginAndOverriddenValues() throws {
        let run = try HostRun(["explain", "platform.networking.retry.maxRetries", "-m", "ca"])
        #expect(run.status == 0)
        #expect(
            run.output == """
                platform.networking.retry.maxRetries = 4
                  from markets/ca.lua:51:30
                  overrides 3  -- markets/us.lua:77:22
                  The maximum number of retries of a failed request.
                  accepts an integer from 0 to 10
                  remote configuration may change it
                  read by MediaNetworking, Networking, RetryNotifyingFactory

                """)
    }

    @Test func explainShowsRemoteConfigurationAsTopLayer() throws {
        let folder = try TestFolder()
        let state = folder.url.appending(path: "state")
        let file = state.appending(path: "ca/remote-configuration.json")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        let arguments = ["explain", "platform.networking.retry.maxRetries", "-m", "ca", "--state", state.path]
        func keep(_ retry: String) throws {
            let kept = #"{"platform":{"networking":{"retry":\#(retry)}}}"#
            try Data(
                #"{"schema":1,"earlier":[],"receivedAt":1795341600,"configuration":\#(kept)}"#.utf8
            ).write(to: file)
        }
        try keep(#"{"maxRetries":7}"#)
        let run = try HostRun(arguments)
        #expect(run.status == 0)
        #expect(
            run.output.hasPrefix(
                """
                platform.networking.retry.maxRetries = 7
                  from remote configuration of 2026-11-22T10:00:00Z (\(file.path))
                  overrides 4  -- markets/ca.lua:51:30
                  overrides 3  -- markets/us.lua:77:22

                """), "\(run.output)")
        let json = try HostRun(arguments + ["--format", "json"]).json()
        #expect(json["value"] as? Int == 7 && json["isRemote"] as? Bool == true)
        #expect(json["remote"] as? String == "remote configuration of 2026-11-22T10:00:00Z (\(file.path))")
        #expect((json["beat"] as? [Any])?.count == 2)
        // A configuration that an app would reject is not a layer, and the reason is printed.
        try keep(#"{"maxRetries":70}"#)
        let refused = try HostRun(arguments)
        #expect(refused.output.hasPrefix("platform.networking.retry.maxRetries = 4\n  from markets/ca.lua:51:30\n"))
        #expect(
            refused.errors == "the remote configuration is not used: platform.networking.retry.maxRetries: expected an "
                + "integer from 0 to 10, got 70\n")
    }

    @Test func explainNamesReadersOfKeyAndHidesSecrets() throws {
        let json = try HostRun(
            ["explain", "platform.appInfo.version", "-m", "mx", "--format", "json"]
        ).json()
        #expect(json["readBy"] as? [String] == ["AppInfoAPI"])
        #expect((json["beat"] as? [[String: Any]])?.first?["value"] as? String == "24.3.0")
        let secret = try HostRun(
            ["explain", "platform.networking.consumerKey"], environment: ["GLASS_US_CONSUMER_KEY": "hunter2"])
        #expect(secret.output.hasPrefix("platform.networking.consumerKey = <secret GLASS_US_CONSUMER_KEY>\n"))
        #expect(!secret.output.contains("hunter2"))
    }

    @Test func explainNamesRoutableThatOpensLink() throws {
        let routed = try HostRun(["explain", "walmart://account"])
        #expect(routed.status == 0)
        #expect(
            routed.output == """
                walmart://account: routed
                gate: passed
                scheme: walmart
                segments: account
                + account (account): matches, most specific
                waits for: appStarted, signedIn, storeSelected
                goes to: tab account › account

                """)
        let missed = try HostRun(["explain", "walmart://acount"])
        #expect(missed.status == 1)
        #expect(missed.output.contains("did you mean \"account\"? (\"acount\" → \"account\", route of account)\n"))
        let foreign = try HostRun(["explain", "walmart.ca://myaccount", "-m", "us", "--format", "json"])
        #expect(foreign.status == 1)
        #expect(try foreign.json()["takers"] as? [String] == ["ca"])
        let refused = try HostRun(["explain", "https://www.walmart.com@evil.com/"])
        #expect(refused.output.contains("gate: "))
        #expect(refused.status == 1)
    }
}
