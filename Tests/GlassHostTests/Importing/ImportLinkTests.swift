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
            "[0]: devices exclude the links, but the route producto/*rest matches them; write the routes that open the app instead of producto/*rest",
            "[1]: a market lists what opens the app, and no route matches these links",
            "[2]: devices exclude links with #no_universal_links, but routes match them, because it is not part of a path",
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
                "details[0].components[1] lost -", "details[0].components[2].tienda/* guessed deepLinking.browser",
                "details[0].components[4] lost -",
            ])
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
