import CommandTesting
import Foundation
import Testing

/// Links and schemes of imported files.
@Suite(.timeLimit(.minutes(5)))
struct ImportLinkTests {
    /// A market's browser paths precede all routes, and in a file the first entry decides.
    @Test func excludedPathIsLost() throws {
        let folder = try ImportedFolder([
            "apple-app-site-association": """
            {"applinks": {"details": [{"appIDs": ["ABCDE12345.com.example.loja"], "components": [
              {"/": "/ayuda/*", "exclude": true}, {"#": "no_universal_links", "exclude": true},
              {"/": "/c", "?": {"d": "1"}, "exclude": true}, {"/": "/producto/*"}]}]}}
            """,
            "assetlinks.json": """
            [{"relation": ["delegate_permission/common.handle_all_urls"],
              "target": {"namespace": "android_app", "package_name": "com.example.loja"},
              "relation_extensions": {"delegate_permission/common.handle_all_urls": {
                "dynamic_app_link_components": [{"/": "/interno/*", "exclude": true}]}}}]
            """,
        ])
        let run = try folder.run("apple-app-site-association", "assetlinks.json", "--extends", "us")
        for place in [
            "apple-app-site-association: details[0].components[0]: /ayuda/*",
            "apple-app-site-association: details[0].components[1]: *",
            "apple-app-site-association: details[0].components[2]: /c",
            "assetlinks.json: [0].dynamic_app_link_components[0]: /interno/*",
        ] {
            let line =
                "lost    \(place): the file excludes these links from the app; list the paths that stay in the browser in deepLinking.browser\n"
            #expect(run.output.contains(line), "\(run.output)")
        }
        let market = try folder.market()
        #expect(market.contains("producto/*rest"), "\(market)")
        for path in ["browser", "ayuda", "interno"] { #expect(!market.contains(path), "\(market)") }
    }

    /// A component with several query items becomes one pattern.
    @Test func queryItemsAreRequiredTogether() throws {
        let folder = try ImportedFolder([
            "apple-app-site-association": """
            {"applinks": {"details": [{"appIDs": ["ABCDE12345.com.example.loja"], "components": [
              {"/": "/track", "?": {"email": "?*", "order": "?*"}}]}]}}
            """
        ])
        let run = try folder.run("apple-app-site-association", "--extends", "us")
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        #expect(try folder.market().contains("\"track?email&order\""), "\(run.output)")
    }

    @Test func substitutionVariablesAreParameters() throws {
        let folder = try ImportedFolder([
            "apple-app-site-association": """
            {"applinks": {"substitutionVariables": {"city": ["krk", "gda"]}, "details": [{
              "appIDs": ["ABCDE12345.com.example.loja"],
              "components": [{"/": "/salons/$(city)"}, {"/": "/oferta/$(lang)/$(lang)"}, {"/": "/p-$(city)"}]}]}}
            """
        ])
        let values = try folder.values("apple-app-site-association", "--extends", "us")
        #expect(
            values.suffix(3) == [
                "details[0].components[0]: /salons/$(city) guessed routables.salons",
                "details[0].components[1]: /oferta/$(lang)/$(lang) guessed routables.oferta",
                "details[0].components[2]: /p-$(city) lost -",
            ])
        #expect(try folder.run("apple-app-site-association", "--extends", "us").status == 0)
        let market = try folder.market()
        #expect(market.contains("\"salons/:city(krk|gda)\"") && market.contains("\"oferta/:lang/:lang2\""), "\(market)")
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
                "details[0].paths: NOT /rotas/teste/* lost -",
                "details[0].paths: /rotas/* guessed routables.rotas",
            ])
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
