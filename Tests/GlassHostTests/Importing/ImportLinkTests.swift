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

    /// A site's file escapes its paths, unless it says otherwise; a market does not.
    @Test(arguments: [
        (#"{"/": "/caf%C3%A9/*"}"#, "\"café/*rest\"", "cafe"),
        (#"{"/": "/promo%C3%A7%C3%B5es"}"#, "\"promoções\"", "promocoes"),
        (#"{"/": "/caf%C3%A9", "percentEncoded": true}"#, "\"café\"", "cafe"),
    ])
    func escapedPathIsRead(component: String, pattern: String, id: String) throws {
        let market = try imported(component)
        #expect(market.contains("    \(id) = {") && market.contains("paths = { \(pattern) }"), "\(market)")
    }

    @Test(arguments: [
        (#"{"/": "/a%2Fb"}"#, "a segment of a route cannot contain a slash, but \"a%2Fb\" decodes"),
        (#"{"/": "/a%FF"}"#, "\"a%FF\" is not percent-encoded UTF-8"),
        (#"{"/": "/%3Aid/x"}"#, "a segment of a route cannot be \":id\""),
        (#"{"/": "/x/%2Arest"}"#, "a segment of a route cannot be \"*rest\""),
        (#"{"/": "/caf%C3%A9", "percentEncoded": false}"#, "literals are unescaped"),
    ])
    func wronglyEscapedPathIsLost(component: String, message: String) throws {
        let folder = try ImportedFolder(["apple-app-site-association": Self.association(component)])
        let run = try folder.run("apple-app-site-association", "--extends", "us")
        #expect(run.output.contains("lost    ") && run.output.contains(message), "\(run.output)")
    }

    private static func association(_ component: String) -> String {
        #"{"applinks": {"details": [{"appIDs": ["ABCDE12345.com.example.loja"], "components": [\#(component)]}]}}"#
    }

    private func imported(_ component: String) throws -> String {
        let folder = try ImportedFolder(["apple-app-site-association": Self.association(component)])
        let run = try folder.run("apple-app-site-association", "--extends", "us")
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        return try folder.market()
    }

    /// What no key of a market stands for is reported, wherever it is.
    @Test func unreadPartsAreLost() throws {
        let folder = try ImportedFolder([
            "apple-app-site-association": """
            {"applinks": {"apps": [], "defaults": {"caseSensitive": false}, "extra": 1, "details": [{
              "appIDs": ["ABCDE12345.com.example.loja"], "paths": ["/old"], "note": "x",
              "components": [{"/": "/cart", "comment": "the cart", "caseSensitive": false}]}]}}
            """,
            "assetlinks.json": """
            [{"relation": ["delegate_permission/common.handle_all_urls", "delegate_permission/common.get_login_creds"],
              "include": "x",
              "target": {"namespace": "android_app", "package_name": "com.example.loja", "site": "y"}}]
            """,
            "Info.plist": """
            <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.loja</string>
            <key>CFBundleURLTypes</key><array><dict><key>CFBundleURLName</key><string>a</string>
            <key>CFBundleURLIconFile</key><string>icon</string>
            <key>CFBundleURLSchemes</key><array><string>loja</string></array></dict></array></dict></plist>
            """,
        ])
        let run = try folder.run("apple-app-site-association", "assetlinks.json", "Info.plist", "--extends", "us")
        #expect(
            run.output.contains(
                "lost    apple-app-site-association: details[0].paths: Apple's systems ignore paths when the entry also has components\n"
            ))
        #expect(
            run.output.split(separator: "\n").filter {
                $0.contains("a market has no key for this") || $0.contains("not about links")
            }
            .map { $0.split(separator: ": ").dropLast().joined(separator: ": ") } == [
                "lost    apple-app-site-association: applinks.extra",
                "lost    apple-app-site-association: applinks.defaults.caseSensitive",
                "lost    apple-app-site-association: details[0].note",
                "lost    apple-app-site-association: details[0].components[0]: /cart.caseSensitive",
                "lost    assetlinks.json: [0].include",
                "lost    assetlinks.json: [0].target.site",
                "lost    assetlinks.json: [0].relation: delegate_permission/common.get_login_creds",
                "lost    Info.plist: CFBundleURLTypes[0].CFBundleURLIconFile",
            ], "\(run.output)")
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
