import CommandTesting
import Foundation
import Testing

/// `export`: the files that web sites and apps need.
@Suite(.timeLimit(.minutes(3)))
struct ExportCommandTests {
    @Test(arguments: [
        ("aasa", "\"appIDs\": [\"CA7W4LMART.com.walmart.canada\"]"),
        ("assetlinks", "\"package_name\": \"com.walmart.android.ca\""),
        ("intent-filters", "<data android:host=\"www.walmart.ca\" />"), ("info-plist", "<string>walmart.ca</string>"),
        ("entitlements", "applinks:www.walmart.ca"), ("links-md", "`myaccount`"),
        ("links-md", "\n## Legend\n\n- exact: "),
    ])
    func fileIsExportedFromRoutes(file: String, part: String) throws {
        let run = try HostRun(["export", file, "-m", "ca"])
        #expect(run.status == 0)
        #expect(run.output.contains(part))
    }

    @Test(arguments: [
        ("aasa", ""), ("assetlinks", ""), ("info-plist", ""), ("entitlements", ""),
        ("intent-filters", "on Android below"),
        ("links-md", "on Android below"),
    ])
    func exportEndsWithLineFeedAndWarns(file: String, warning: String) throws {
        let run = try HostRun(["export", file, "-m", "ca"])
        #expect(run.output.hasSuffix("\n") && !run.output.hasSuffix("\n\n"))
        #expect(warning.isEmpty ? run.errors == "" : run.errors.contains(warning), "\(run.errors)")
    }

    @Test func siteFileIsJSONAndRoutesHaveLabels() throws {
        let run = try HostRun(["export", "aasa", "--format", "json"])
        let json = try run.json()
        let content = try #require(json["content"] as? String)
        #expect(try JSONSerialization.jsonObject(with: Data(content.utf8)) is [String: Any])
        let labels = try #require(json["labels"] as? [[String: Any]])
        #expect(
            Set(labels.compactMap { $0["target"] as? String })
                == ["aasa", "android-35", "android-31", "url-types"])
        #expect(labels.allSatisfy { $0["fit"] as? String == "exact" || ($0["rules"] as? [String])?.isEmpty == false })
        #expect(try HostRun(["export", "aasa", "--labels"]).output.hasPrefix("MARKET"))
        let all = try HostRun(["export", "aasa", "--all"])
        #expect(all.status == 1)
        #expect(all.errors.contains("choose one with --host: www.walmart.ca, www.walmart.com.mx, www.walmart.com"))
        let one = try HostRun(["export", "aasa", "--all", "--host", "www.walmart.com.mx"])
        #expect(one.status == 0)
        #expect(one.output.contains("MX7W4LMART.com.walmart.mexico"))
        #expect(try HostRun(["export", "robots"]).status == 64)
    }
}
