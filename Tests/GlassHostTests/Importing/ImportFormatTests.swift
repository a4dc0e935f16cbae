import CommandTesting
import Foundation
import Testing

/// The formats of systems, in the shapes that public repositories have.
@Suite(.timeLimit(.minutes(5)))
struct ImportFormatTests {
    @Test func infoPlistNamesTheApp() throws {
        let folder = try ImportedFolder([
            "Info.plist": """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
              <key>CFBundleDisplayName</key><string>Loja</string>
              <key>CFBundleIdentifier</key><string>com.example.loja</string>
              <key>CFBundleShortVersionString</key><string>3.2.0</string>
              <key>CFBundleVersion</key><string>3200</string>
              <key>UIRequiresFullScreen</key><true/>
              <key>CFBundleURLTypes</key>
              <array><dict><key>CFBundleURLSchemes</key><array><string>loja</string><string>loja-dev</string></array></dict></array>
              <key>LSApplicationQueriesSchemes</key><array><string>whatsapp</string></array>
            </dict>
            </plist>
            """,
            "App.entitlements": """
            <plist version="1.0"><dict>
              <key>com.apple.developer.associated-domains</key>
              <array><string>applinks:www.loja.example</string><string>applinks:*.loja.example</string><string>webcredentials:loja.example</string></array>
              <key>com.apple.security.application-groups</key><array><string>group.com.example.loja</string></array>
            </dict></plist>
            """,
        ])
        #expect(
            try folder.values("Info.plist", "App.entitlements") == [
                "CFBundleDisplayName mapped platform.appInfo.name",
                "CFBundleIdentifier mapped platform.appInfo.bundleIdentifier",
                "CFBundleShortVersionString mapped platform.appInfo.version",
                "CFBundleURLTypes.loja mapped deepLinking.schemes",
                "CFBundleURLTypes.loja-dev mapped deepLinking.schemes",
                "CFBundleVersion mapped platform.appInfo.build",
                "LSApplicationQueriesSchemes mapped deepLinking.outboundSchemes",
                "UIRequiresFullScreen lost -",
                "com.apple.developer.associated-domains.webcredentials:loja.example lost -",
                "com.apple.developer.associated-domains.www.loja.example mapped deepLinking.universalLinks",
                "com.apple.developer.associated-domains.*.loja.example mapped deepLinking.universalLinks",
                "com.apple.security.application-groups guessed platform.preferences.suite",
                "com.apple.security.application-groups guessed platform.userDefaultsRegistration.suite",
            ])
        _ = try folder.run("Info.plist", "App.entitlements")
        #expect(try folder.market().contains("schemes = { \"loja\", \"loja-dev\" }"))
    }

    /// Files of other systems: lines end with CR LF, and a byte order mark begins the file.
    @Test(arguments: ["", "\u{FEFF}"])
    func linesOfOtherSystemsAreRead(mark: String) throws {
        let folder = try ImportedFolder([
            "App.xcconfig": mark
                + "// the app\r\nMARKETING_VERSION = 3.2.0\r\n\r\nNETWORKING_RETRY_MAX_RETRIES = 4\r\n",
            "config.json": mark + "{\r\n  \"currency\": \"BRL\"\r\n}\r\n",
        ])
        #expect(
            try folder.values("App.xcconfig", "config.json") == [
                "MARKETING_VERSION mapped platform.appInfo.version",
                "NETWORKING_RETRY_MAX_RETRIES mapped platform.networking.retry.maxRetries",
                "currency mapped currency",
            ])
    }

    @Test func settingsOfXcodeNameTheApp() throws {
        let folder = try ImportedFolder([
            "App.xcconfig": """
            #include "Base.xcconfig"
            PRODUCT_BUNDLE_IDENTIFIER = com.example.loja // the app
            MARKETING_VERSION = 3.2.0
            MARKETING_VERSION[config=Debug] = 0.0.1
            API_HOST = $(BASE).example.com
            """
        ])
        #expect(
            try folder.values("App.xcconfig") == [
                "#include \"Base.xcconfig\" lost -", "API_HOST lost -",
                "MARKETING_VERSION mapped platform.appInfo.version",
                "MARKETING_VERSION[config=Debug] lost -",
                "PRODUCT_BUNDLE_IDENTIFIER mapped platform.appInfo.bundleIdentifier",
            ])
    }

    @Test func associationProposesRoutes() throws {
        let folder = try ImportedFolder([
            "apple-app-site-association": """
            {"applinks": {"details": [{"appIDs": ["ABCDE12345.com.example.loja"], "components": [
              {"/": "/cart"}, {"/": "/ofertas/*"}, {"/": "/ofertas/*/fotos"}, {"/": "/busca", "?": {"q": "?*"}},
              {"/": "/ajuda/*", "exclude": true}, {"/": "/p-*"}, {"/": "*"}, {"/": "/a", "#": "b"},
              {"/": "/a?*", "exclude": true}, {"/": "/c", "?": {"d": "1"}, "exclude": true}]}]},
             "webcredentials": {"apps": []}}
            """
        ])
        #expect(
            try folder.values("apple-app-site-association") == [
                "webcredentials lost -",
                "details[0].appIDs: ABCDE12345.com.example.loja mapped platform.appInfo.teamIdentifier",
                "details[0].appIDs: ABCDE12345.com.example.loja mapped platform.appInfo.bundleIdentifier",
                "details[0].components[0]: /cart mapped routables.cart",
                "details[0].components[1]: /ofertas/* guessed routables.ofertas",
                "details[0].components[2]: /ofertas/*/fotos guessed routables.ofertasFotos",
                "details[0].components[3]: /busca guessed routables.busca",
                "details[0].components[4]: /ajuda/* lost -",
                "details[0].components[5]: /p-* lost -", "details[0].components[6]: * lost -",
                "details[0].components[7]: /a lost -", "details[0].components[8]: /a?* lost -",
                "details[0].components[9]: /c lost -",
            ])
        _ = try folder.run("apple-app-site-association")
        let routes = try HostRun(["routes", "-m", "br"], folder: folder.folder.url).output
        for pattern in ["ofertas/*rest", "ofertas/:part/fotos", "busca?q", "cart"] {
            #expect(routes.contains(pattern), "\(pattern) in \(routes)")
        }
    }

    /// The paths of an exported association are those of the market's own routables.
    @Test func exportedAssociationMakesTheRoundTrip() throws {
        let folder = try ImportedFolder()
        let exported = try HostRun(
            ["export", "aasa", "-m", "us", "--host", "www.walmart.com"], folder: folder.folder.url)
        _ = try folder.folder.write(exported.output, to: "apple-app-site-association")
        let run = try folder.run("apple-app-site-association")
        #expect(run.status == 0, "\(run.errors)")
        for routable in ["account", "cart", "item", "search"] {
            #expect(run.output.contains("routables.\(routable)"), "\(routable) in \(run.output)")
        }
    }

    @Test func assetLinksNameTheApp() throws {
        let digest = Array(repeating: "AB", count: 32).joined(separator: ":")
        let folder = try ImportedFolder([
            "assetlinks.json": """
            [{"relation": ["delegate_permission/common.handle_all_urls"], "target": {"namespace": "android_app",
              "package_name": "com.example.loja", "sha256_cert_fingerprints": ["\(digest)"]}},
             {"relation": ["delegate_permission/common.get_login_creds"], "target": {"namespace": "web", "site": "https://a.example"}}]
            """
        ])
        #expect(
            try folder.values("assetlinks.json") == [
                "[0].target.package_name mapped platform.appInfo.android.package",
                "[0].target.sha256_cert_fingerprints mapped platform.appInfo.android.certificateDigests",
                "[1] lost -",
            ])
    }

    /// A text that has one meaning in another spelling is not lost.
    @Test func otherSpellingsOfCodesAreRead() throws {
        let folder = try ImportedFolder(["app.json": #"{"locales": ["pt_BR", "EN-br"], "currency": "brl"}"#])
        #expect(
            try folder.values("app.json", "--extends", "us") == [
                "currency mapped currency", "locales mapped locales",
            ])
        #expect(try folder.run("app.json", "--extends", "us").status == 0)
        let market = try folder.market()
        #expect(market.contains("locales = { \"pt-BR\", \"en-BR\" }"), "\(market)")
        #expect(market.contains("currency = \"BRL\""), "\(market)")
    }

    /// Another file's settings are not read without a word.
    @Test func includedSettingsAreReported() throws {
        let settings = "#include? \"Base.xcconfig\"\nPRODUCT_BUNDLE_IDENTIFIER = com.walmart.br\n"
        let folder = try ImportedFolder(["App.xcconfig": settings])
        let run = try folder.run("App.xcconfig", "--extends", "us", "--dry-run")
        #expect(run.status == 0, "\(run.errors)")
        #expect((run.output + run.errors).contains("#include? \"Base.xcconfig\""), "\(run.output) \(run.errors)")
    }
}
