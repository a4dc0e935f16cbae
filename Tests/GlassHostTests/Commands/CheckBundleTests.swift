import CommandTesting
import Foundation
import Testing

/// `check --bundle`: differences between a built app and its markets.
@Suite(.timeLimit(.minutes(3)))
struct CheckBundleTests {
    /// The property lists of an app as built for Canada, with changes.
    private struct App {
        let folder: TestFolder
        var info: [String: Any] = [
            "CFBundleIdentifier": "com.walmart.canada", "CFBundleShortVersionString": "24.3.0",
            "CFBundleVersion": "2403",
            "CFBundleURLTypes": [["CFBundleURLSchemes": ["walmart.ca"]]],
            "LSApplicationQueriesSchemes": ["tel", "mailto", "sms", "maps", "itms-apps", "app-settings"],
        ]
        var entitlements: [String: Any]? = [
            "com.apple.developer.associated-domains": [
                "applinks:www.walmart.ca", "applinks:www.walmart.ca?mode=developer",
            ],
            "com.apple.security.application-groups": ["group.com.walmart.canada"],
        ]

        init() throws {
            folder = try TestFolder()
        }

        /// Writes the property lists and runs the comparison.
        func check(_ arguments: [String], format: PropertyListSerialization.PropertyListFormat = .xml) throws
            -> HostRun
        {
            let app = folder.url.appending(path: "Shop.app")
            try FileManager.default.createDirectory(at: app, withIntermediateDirectories: true)
            func write(_ list: Any, _ name: String) throws {
                try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
                    .write(to: app.appending(path: name))
            }
            try write(info, "Info.plist")
            if let entitlements { try write(entitlements, "Shop.entitlements") }
            return try HostRun(["check", "--format", "json", "--bundle", app.path] + arguments)
        }

        /// The findings about the app: severity, key and the first words.
        func findings(_ arguments: [String] = []) throws -> [String] {
            let findings = try #require(try check(arguments).json()["findings"] as? [[String: Any]])
            return findings.filter { $0["code"] as? String == "bundleDiffers" }.map {
                "\($0["severity"] ?? "") \($0["key"] ?? "") \($0["message"] ?? "")"
            }
        }
    }

    private static func version(_ market: String) throws -> (version: String, build: Int) {
        let run = try HostRun(["show", "platform.appInfo", "-m", market, "--format", "json"]).json()
        let info = try #require(run["value"] as? [String: Any])
        return (try #require(info["version"] as? String), try #require(info["build"] as? Int))
    }

    private static func built() throws -> App {
        var app = try App()
        let (version, build) = try version("ca")
        app.info["CFBundleShortVersionString"] = version
        app.info["CFBundleVersion"] = "\(build)"
        return app
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func appOfMarketHasNoDifferences(format: PropertyListSerialization.PropertyListFormat) throws {
        let app = try Self.built()
        let run = try app.check([], format: format)
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        #expect(try app.findings() == [])
        #expect(try app.findings(["ca"]) == [])
    }

    @Test(arguments: [
        (["www.walmart.ca?mode=developer"], "developer", "developer devices"),
        (["*.walmart.ca?mode=developer"], "developer", "developer devices"),
        (["www.walmart.ca?mode=managed"], "managed", "managed devices"),
        (
            ["WWW.walmart.ca?mode=managed&mode=developer"], "developer+managed",
            "developer and managed devices"
        ),
        (["www.walmart.ca?mode=developer+managed"], "developer+managed", "developer and managed devices"),
        (["www.walmart.ca?mode=managed+developer"], "developer+managed", "developer and managed devices"),
        (
            ["www.walmart.ca?mode=managed", "*.walmart.ca?mode=developer"], "developer+managed",
            "developer and managed devices"
        ),
    ])
    func associationForSomeDevicesOnlyIsMissing(domains: [String], mode: String, devices: String) throws {
        var app = try Self.built()
        app.entitlements?["com.apple.developer.associated-domains"] = domains.map { "applinks:\($0)" }
        let findings = try app.findings()
        #expect(findings.count == 1)
        #expect(
            findings.first?.hasPrefix(
                "error deepLinking.universalLinks ca: the app has \"applinks:www.walmart.ca\" only with ?mode=\(mode) ("
            )
                == true, "\(findings)")
        #expect(findings.first?.hasSuffix("), so links open it only on \(devices)") == true, "\(findings)")
    }

    @Test func everyDifferenceIsReportedAtMarketKey() throws {
        var app = try Self.built()
        app.info["CFBundleShortVersionString"] = "1.0"
        app.info["CFBundleVersion"] = "7.1"
        app.info["CFBundleURLTypes"] = [["CFBundleURLSchemes": ["fb123"]]]
        app.info["LSApplicationQueriesSchemes"] = ["tel", "mailto", "sms", "maps", "itms-apps", "whatsapp"]
        app.entitlements = [
            "com.apple.developer.associated-domains": ["applinks:m.walmart.ca", "webcredentials:x.com"]
        ]
        let findings = try app.findings()
        let (version, build) = try Self.version("ca")
        let entitlements = "\(app.folder.url.path)/Shop.app/Shop.entitlements"
        let missing = "ca: the app has no entitlement for"
        #expect(
            Set(findings) == [
                "error platform.appInfo.version ca: the app has \"1.0\" (CFBundleShortVersionString), but the market has \"\(version)\"",
                "error platform.appInfo.build ca: the app has \"7.1\" (CFBundleVersion), but the market has \"\(build)\"",
                "error deepLinking.schemes ca: the app does not claim the scheme \"walmart.ca\" (CFBundleURLTypes), so its links do not open it",
                "warning deepLinking.outboundSchemes ca: the app is not allowed to query the scheme \"app-settings\" (LSApplicationQueriesSchemes)",
                "error deepLinking.universalLinks \(missing) \"applinks:www.walmart.ca\" (\(entitlements)), so its links stay in the browser",
                "error platform.userDefaultsRegistration.suite \(missing) the group \"group.com.walmart.canada\" (\(entitlements))",
                "error platform.preferences.suite \(missing) the group \"group.com.walmart.canada\" (\(entitlements))",
                "error platform.cookieStorage.sharedGroup \(missing) the group \"group.com.walmart.canada\" (\(entitlements))",
                "warning deepLinking.schemes the app claims the scheme \"fb123\", which none of its markets has: its links open nothing",
                "warning deepLinking.outboundSchemes the app queries the scheme \"whatsapp\", which none of its markets allows",
                "warning deepLinking.universalLinks the app has an entitlement for \"m.walmart.ca\", unlike its markets: its links open nothing",
            ], "\(findings.joined(separator: "\n"))")
        let text = try HostRun([
            "check", "ca", "--bundle", app.folder.url.appending(path: "Shop.app/Info.plist").path,
        ])
        #expect(text.status == 1)
        #expect(
            text.output.contains("markets/ca.lua:12:15: error: deepLinking.schemes: ca: the app does not claim"),
            "\(text.output)")
    }

    @Test func wildcardCoversSubdomainsAndMissingEntitlementsAreReportedOnce() throws {
        var app = try Self.built()
        app.entitlements?["com.apple.developer.associated-domains"] = ["applinks:*.walmart.ca"]
        #expect(try app.findings() == [])
        try FileManager.default.removeItem(at: app.folder.url.appending(path: "Shop.app/Shop.entitlements"))
        app.entitlements = nil
        let plist = "\(app.folder.url.path)/Shop.app/Info.plist"
        #expect(
            try app.findings() == [
                "warning deepLinking.universalLinks there is no .entitlements file next to \(plist), so domains and groups were not compared"
            ])
    }

    @Test func unknownBundleIdentifierAndMissingBuildAreReported() throws {
        var app = try Self.built()
        app.info["CFBundleIdentifier"] = "com.example.other"
        #expect(try app.findings().count == 1)
        #expect(try app.findings()[0].contains("no market has the bundle identifier \"com.example.other\""))
        #expect(
            try app.findings(["ca"]).contains {
                $0.contains(
                    "the app has \"com.example.other\" (CFBundleIdentifier), but the market has \"com.walmart.canada\"")
            })
        app.info["CFBundleIdentifier"] = "com.walmart.canada"
        app.info["CFBundleVersion"] = "$(CURRENT_PROJECT_VERSION)"
        app.info["CFBundleShortVersionString"] = nil
        let findings = try app.findings()
        #expect(
            findings.contains {
                $0.hasPrefix("warning platform.appInfo.build") && $0.contains("which is an unresolved build setting")
            })
        #expect(findings.contains("error platform.appInfo.version ca: the app has no CFBundleShortVersionString"))
    }

    @Test(
        arguments: [
            ("nowhere/Info.plist", nil, "there is no "), ("Info.plist", "not a list", "is not a property list"),
            ("Info.plist", "<?xml version=\"1.0\"?><plist><array/></plist>", "is not a property list"),
            ("Info.plist", "bplist00garbage", "is not a property list"), ("Info.plist", "", "is not a property list"),
        ] as [(String, String?, String)])
    func invalidPropertyListIsReported(name: String, content: String?, message: String) throws {
        let folder = try TestFolder()
        if let content { _ = try folder.write(content, to: name) }
        let run = try HostRun(["check", "--bundle", folder.url.appending(path: name).path])
        #expect(run.status == 2)
        #expect(run.errors.contains(message), "\(run.errors)")
    }

    /// Each name in a list is looked up, and the findings after the first ones are counted. A property list has at most
    /// 10,000 values.
    @Test func longListsAreComparedInTime() throws {
        var app = try Self.built()
        let many = (0..<4_900).map { "applinks:h\($0).example.com" }
        app.entitlements?["com.apple.developer.associated-domains"] = many
        app.info["LSApplicationQueriesSchemes"] = (0..<4_900).map { "s\($0)" }
        let run = try app.check([])
        #expect(run.status == 1)
        #expect(run.output.utf8.count < 256 << 10)
        let findings = try #require(try run.json()["findings"] as? [[String: Any]])
        let more = findings.filter { $0["code"] as? String == "more" }.compactMap { $0["message"] as? String }
        #expect(more == ["4,875 more differences", "4,875 more differences"])
    }

    /// A value as long as the file is not printed for each compared key.
    @Test func listInsteadOfStringIsReported() throws {
        var app = try Self.built()
        app.info["CFBundleShortVersionString"] = ["24", "3"]
        #expect(
            try app.findings() == [
                "error platform.appInfo.version ca: the app's CFBundleShortVersionString is not a string"
            ]
        )
    }
}
