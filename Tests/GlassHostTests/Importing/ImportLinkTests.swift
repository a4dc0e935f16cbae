import CommandTesting
import Foundation
import Testing

/// Links and schemes of imported files.
@Suite(.timeLimit(.minutes(5)))
struct ImportLinkTests {
    /// The routes of a market have no exceptions, so the report says which route takes an excluded link.
    @Test func excludedLinkThatARouteMatchesIsReported() throws {
        let folder = try ImportedFolder([
            "apple-app-site-association": """
            {"applinks": {"details": [{"appIDs": ["ABCDE12345.com.example.loja"], "components": [
              {"/": "/producto/*/interno", "exclude": true}, {"/": "/ayuda/?x", "exclude": true},
              {"#": "no_universal_links", "exclude": true}, {"/": "/producto/*"}]}]}}
            """
        ])
        let run = try folder.run("apple-app-site-association", "--extends", "us")
        let start = "lost    apple-app-site-association: details[0].components"
        for line in [
            "[0]: /producto/*/interno: devices exclude the links, but the route producto/*rest matches them; write the routes that open the app instead of producto/*rest",
            "[1]: /ayuda/?x: a market lists what opens the app, and no route matches these links",
            "[2]: *: devices exclude links with #no_universal_links, but routes match them, because it is not part of a path",
        ] { #expect(run.output.contains("\(start)\(line)\n"), "\(run.output)") }
    }

    /// In a file the first entry decides, but browser paths precede all routes.
    @Test func exclusionAfterAnEntryThatClaimsItsLinksIsLost() throws {
        let folder = try ImportedFolder([
            "apple-app-site-association": """
            {"applinks": {"details": [{"appIDs": ["ABCDE12345.com.example.loja"], "components": [
              {"/": "/ayuda/contacto"}, {"/": "/ayuda/*", "exclude": true}, {"/": "/tienda/*", "exclude": true},
              {"/": "/ofertas/*"}, {"/": "/ofertas/internas/*", "exclude": true}]}]}}
            """
        ])
        let values = try folder.values("apple-app-site-association", "--extends", "us")
        #expect(
            values.filter { $0.contains("tienda") || $0.contains("lost") } == [
                "details[0].components[1]: /ayuda/* lost -",
                "details[0].components[2]: /tienda/* guessed deepLinking.browser",
                "details[0].components[4]: /ofertas/internas/* lost -",
            ])
    }

    /// A path overlaps an earlier one only if some link has both, whatever wildcards and variables they have.
    @Test(arguments: [
        ("/$(lang)/sklepy", "/help/regulamin", false), ("/$(lang)/sklepy", "/pl/sklepy", true),
        ("/$(lang)/sklepy", "/a/b/sklepy", false), ("/*/sklepy", "/a/b/sklepy", true),
        ("/*/sklepy", "/a/b/*", true), ("/p?/*", "/pl/*", true), ("/p?/*", "/pol/*", false),
        ("/$(city)/info", "/krk/info", true), ("/$(city)/info", "/waw/info", false),
        ("/Ayuda", "/ayuda/*", true), ("/ayudante", "/ayuda/*", false), ("/ayuda*", "/ayuda/*", true),
        ("/*a*b", "/bbaab/aab", true), ("/*a*b", "/bbb/b", false), ("*", "/x", true), ("/x/*", "/x", false),
    ])
    func excludedPathOverlapsAnEarlierOne(claimed: String, excluded: String, overlaps: Bool) throws {
        let folder = try ImportedFolder([
            "apple-app-site-association": """
            {"applinks": {"substitutionVariables": {"city": ["krk", "gda"]}, "details": [{
              "appIDs": ["ABCDE12345.com.example.loja"],
              "components": [{"/": "\(claimed)"}, {"/": "\(excluded)", "exclude": true}]}]}}
            """
        ])
        let values = try folder.values("apple-app-site-association", "--extends", "us")
        let result = overlaps ? "lost -" : "guessed deepLinking.browser"
        #expect(values.last == "details[0].components[1]: \(excluded) \(result)")
    }

    /// Entries for another app are none of the market's links.
    @Test(
        arguments: [
            ([], "com.example.loja", "details[1]", "ABCDE12345.com.example.motorista"),
            (["Info.plist"], "com.example.motorista", "details[0]", "ABCDE12345.com.example.loja"),
        ] as [([String], String, String, String)])
    func entriesForAnotherAppAreLost(files: [String], app: String, source: String, other: String) throws {
        let folder = try ImportedFolder([
            "Info.plist": """
            <plist version="1.0"><dict>
            <key>CFBundleIdentifier</key><string>com.example.motorista</string></dict></plist>
            """,
            "apple-app-site-association": """
            {"applinks": {"details": [
              {"appIDs": ["ABCDE12345.com.example.loja"], "components": [{"/": "/ofertas"}]},
              {"appID": "ABCDE12345.com.example.motorista", "paths": ["NOT /rotas/teste/*", "/rotas/*"]}]}}
            """,
        ])
        let arguments = ["import", "br", "--extends", "us"] + files + ["apple-app-site-association"]
        let run = try HostRun(arguments, folder: folder.folder.url)
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.output.contains(
                "lost    apple-app-site-association: \(source): this entry is for the app \(other); import its links into its own market\n"
            ), "\(run.output)")
        let market = try folder.market()
        #expect(market.contains("bundleIdentifier = \"\(app)\""), "\(market)")
        #expect(market.contains("ofertas") == files.isEmpty && market.contains("rotas") != files.isEmpty, "\(market)")
    }

    @Test func pathOfALostEntryIsPrintedOnce() throws {
        let folder = try ImportedFolder([
            "apple-app-site-association": """
            {"applinks": {"details": [{"appID": "ABCDE12345.com.example.loja", "paths": [
              "NOT /rotas/teste/*", "/rotas/*"]}]}}
            """
        ])
        #expect(
            try folder.values("apple-app-site-association", "--extends", "us").suffix(2) == [
                "details[0].paths: NOT /rotas/teste/* guessed deepLinking.browser",
                "details[0].paths: /rotas/* guessed routables.rotas",
            ])
    }

    private static func manifest(_ activity: String, _ data: String) -> String {
        """
        <manifest xmlns:android="http://schemas.android.com/apk/res/android"><application>\(activity)<intent-filter>
        <action android:name="android.intent.action.VIEW" />
        <category android:name="android.intent.category.BROWSABLE" />
        \(data)
        </intent-filter></activity></application></manifest>
        """
    }

    /// Android gives their links to nobody.
    @Test(arguments: [
        ("enabled", "its links open nothing"), ("exported", "other apps cannot open its links"),
    ])
    func activityThatLinksCannotOpenIsLost(attribute: String, reason: String) throws {
        let folder = try ImportedFolder([
            "AndroidManifest.xml": Self.manifest(
                #"<activity android:name=".Old" android:\#(attribute)="false">"#,
                #"<data android:scheme="https" android:host="old.loja.example" android:path="/velho" />"#)
        ])
        let run = try folder.run("AndroidManifest.xml", "--extends", "us")
        #expect(
            run.output.contains(
                "lost    AndroidManifest.xml: activity .Old: it has android:\(attribute)=\"false\", so \(reason)\n"
            ),
            "\(run.output)")
        let market = try folder.market()
        #expect(!market.contains("velho") && !market.contains("old.loja.example"), "\(market)")
    }

    /// Real links go on after it in the same segment, which no route can say.
    @Test func prefixThatEndsInsideASegmentIsLost() throws {
        let folder = try ImportedFolder([
            "AndroidManifest.xml": Self.manifest(
                "<activity>", #"<data android:scheme="https" android:host="loja.example" android:pathPrefix="/p-" />"#)
        ])
        let run = try folder.run("AndroidManifest.xml", "--extends", "us")
        #expect(
            run.output.contains("pathPrefix /p-: a route has no wildcards inside a segment, as in \"p-*\"\n"),
            "\(run.output)")
        let market = try folder.market()
        #expect(!market.contains("p-"), "\(market)")
    }

    @Test func portOfAHostIsReported() throws {
        let folder = try ImportedFolder([
            "AndroidManifest.xml": Self.manifest(
                "<activity>",
                #"<data android:scheme="https" android:host="loja.example" android:port="8443" android:path="/a" />"#)
        ])
        let run = try folder.run("AndroidManifest.xml", "--extends", "us", "--dry-run")
        #expect(
            run.output.contains(
                "host.loja.example: deepLinking.universalLinks; links of a market have no port, so 8443 is left out\n"
            ),
            "\(run.output)")
        #expect(run.output.contains("guessed AndroidManifest.xml: intent-filter in line 1, host"), "\(run.output)")
    }

    @Test func prefixOfAnAndroidPathIsAlsoAPath() throws {
        let folder = try ImportedFolder([
            "AndroidManifest.xml": """
            <manifest xmlns:android="http://schemas.android.com/apk/res/android"><application><activity><intent-filter>
            <action android:name="android.intent.action.VIEW" />
            <category android:name="android.intent.category.BROWSABLE" />
            <data android:scheme="https" android:host="www.loja.example" android:pathPrefix="/pedidos" />
            </intent-filter></activity></application></manifest>
            """
        ])
        #expect(try folder.run("AndroidManifest.xml", "--extends", "us").status == 0)
        #expect(try folder.market().contains(#"paths = { "pedidos", "pedidos/*rest" }"#))
    }

    @Test func schemesOfOtherAppsAreAddedToThoseOfTheBase() throws {
        let folder = try ImportedFolder([
            "Info.plist": """
            <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.loja</string>
            <key>LSApplicationQueriesSchemes</key><array><string>tel</string><string>whatsapp</string></array>
            <key>CFBundleURLTypes</key><array><dict><key>CFBundleURLSchemes</key><array><string>loja</string>
            <string>fb1234567890</string><string>com.googleusercontent.apps.12-a</string></array></dict></array>
            </dict></plist>
            """
        ])
        #expect(
            try folder.values("Info.plist", "--extends", "us") == [
                "CFBundleIdentifier mapped platform.appInfo.bundleIdentifier",
                "CFBundleURLTypes.loja mapped deepLinking.schemes", "CFBundleURLTypes.fb1234567890 lost -",
                "CFBundleURLTypes.com.googleusercontent.apps.12-a lost -",
                "LSApplicationQueriesSchemes mapped deepLinking.outboundSchemes",
            ])
        #expect(try folder.run("Info.plist", "--extends", "us").status == 0)
        #expect(try folder.market().contains(#"outboundSchemes = append { "whatsapp" }"#))
    }
}
