import CommandTesting
import Foundation
import Testing

/// The formats of systems and services, in the shapes that public repositories have.
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
                "details[0].components[4]: /ajuda/* guessed deepLinking.browser",
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

    @Test func androidFilesNameTheApp() throws {
        let digest = Array(repeating: "AB", count: 32).joined(separator: ":")
        let folder = try ImportedFolder([
            "assetlinks.json": """
            [{"relation": ["delegate_permission/common.handle_all_urls"], "target": {"namespace": "android_app",
              "package_name": "com.example.loja", "sha256_cert_fingerprints": ["\(digest)"]}},
             {"relation": ["delegate_permission/common.get_login_creds"], "target": {"namespace": "web", "site": "https://a.example"}}]
            """,
            "AndroidManifest.xml": """
            <?xml version="1.0" encoding="utf-8"?>
            <manifest xmlns:android="http://schemas.android.com/apk/res/android" package="com.example.loja">
              <application><activity android:name=".Main">
                <intent-filter>
                  <action android:name="android.intent.action.MAIN" />
                </intent-filter>
                <intent-filter android:autoVerify="true">
                  <action android:name="android.intent.action.VIEW" />
                  <category android:name="android.intent.category.BROWSABLE" />
                  <data android:scheme="https" android:host="www.loja.example" />
                  <data android:host="@string/other" android:pathPrefix="/ofertas/" />
                  <data android:host="*.loja.example" />
                  <data android:host="*loja.example" />
                  <data android:path="/cart" />
                  <data android:pathPattern="/p-.*" />
                </intent-filter>
                <intent-filter>
                  <action android:name="android.intent.action.VIEW" />
                  <category android:name="android.intent.category.BROWSABLE" />
                  <data android:scheme="loja" android:host="pedido" />
                </intent-filter>
              </activity></application>
            </manifest>
            """,
        ])
        #expect(
            try folder.values("assetlinks.json", "AndroidManifest.xml") == [
                "[0].target.package_name mapped platform.appInfo.android.package",
                "[0].target.sha256_cert_fingerprints mapped platform.appInfo.android.certificateDigests",
                "[1] lost -",
                "manifest.package mapped platform.appInfo.android.package",
                "intent-filter in line 7.host lost -",
                "intent-filter in line 7, host *loja.example lost -",
                "intent-filter in line 7, host.www.loja.example mapped deepLinking.universalLinks",
                "intent-filter in line 7, host.*.loja.example mapped deepLinking.universalLinks",
                "intent-filter in line 7, path /cart mapped routables.cart",
                "intent-filter in line 7, pathPrefix /ofertas/ guessed routables.ofertas",
                "intent-filter in line 7, pathPattern /p-.* lost -",
                "intent-filter in line 17, scheme.loja mapped deepLinking.schemes",
                "intent-filter in line 17, host pedido guessed routables.pedido",
            ])
    }

    @Test func firebaseTemplateBecomesConditionsKeysAndFlags() throws {
        let folder = try ImportedFolder([
            "RemoteConfig.json": """
            {"conditions": [
               {"name": "iOS 24", "expression": "device.os == 'ios' && app.version.>=(['24.0.0'])", "tagColor": "BLUE"},
               {"name": "Ten percent", "expression": "percent <= 10"},
               {"name": "Gold", "expression": "device.country in ['br'] && app.userProperty['tier'].exactlyMatches(['gold'])"},
               {"name": "Natal", "expression": "device.dateTime >= dateTime('2029-12-20T00:00:00', 'America/Sao_Paulo') && device.dateTime < dateTime('2029-12-26T00:00:00', 'America/Sao_Paulo')"}],
             "parameters": {
               "new_checkout": {"defaultValue": {"value": "false"}, "valueType": "BOOLEAN", "description": "One-page checkout.",
                 "conditionalValues": {"iOS 24": {"value": "true"}, "Ten percent": {"value": "true"}}},
               "networking_retry_max_retries": {"defaultValue": {"value": "3"}, "valueType": "NUMBER",
                 "conditionalValues": {"Natal": {"value": "1"}}},
               "banner": {"defaultValue": {"value": "none"}, "conditionalValues": {"Gold": {"value": "Frete"}}},
               "in_app": {"defaultValue": {"useInAppDefault": true}}}}
            """
        ])
        #expect(
            try folder.values("RemoteConfig.json", "--extends", "us") == [
                "conditions.iOS 24 mapped conditions.iOS24", "conditions.Ten percent lost -",
                "conditions.Gold guessed conditions.gold", "conditions.Gold.tier guessed attributes.tier",
                "conditions.Natal mapped conditions.natal",
                "parameters.banner guessed flags.banner", "parameters.in_app lost -",
                "parameters.networking_retry_max_retries mapped platform.networking.retry.maxRetries",
                "parameters.new_checkout.conditionalValues.Ten percent lost -",
                "parameters.new_checkout guessed flags.new_checkout",
            ])
        let run = try folder.run("RemoteConfig.json", "--extends", "us")
        #expect(
            run.output.contains(
                "write rollout = { percent = 10, by = \"installID\" }: the share stays the same, the people do not"))
        func value(_ key: String, _ context: String) throws -> String {
            try HostRun(["show", key, "-m", "br", "--context", context, "-q"], folder: folder.folder.url).output
        }
        let retries = "platform.networking.retry.maxRetries"
        #expect(try value(retries, "locale=pt-BR") == "\(retries) = 3\n")
        let now = try HostRun(
            ["show", retries, "-m", "br", "--now", "2029-12-24T00:00Z", "-q"], folder: folder.folder.url)
        #expect(now.output == "\(retries) = 1\n")
        let market = try folder.market()
        #expect(market.contains("iOS24 = { appVersion = \">= 24.0.0\", platform = \"iOS\" },"), "\(market)")
        #expect(market.contains("{ name = \"iOS24\", when = \"iOS24\", value = true }"), "\(market)")
    }

    @Test func launchDarklyFlagsKeepTheirShares() throws {
        let folder = try ImportedFolder([
            "flags.json": """
            {"flags": {
              "new-checkout": {"key": "new-checkout", "on": true, "salt": "8f2b5c1e", "offVariation": 1, "variations": [true, false],
                "targets": [{"values": ["u-1"], "variation": 0}],
                "rules": [
                  {"variation": 0, "clauses": [{"attribute": "country", "op": "in", "values": ["CA"], "negate": false},
                    {"attribute": "version", "op": "semVerGreaterThan", "values": ["24.3.0"], "negate": false}]},
                  {"variation": 0, "clauses": [{"attribute": "plan", "op": "matches", "values": ["^g"], "negate": false}]}],
                "fallthrough": {"rollout": {"variations": [{"variation": 0, "weight": 10000}, {"variation": 1, "weight": 90000}]}}},
              "ranker": {"key": "ranker", "on": false, "salt": "s1", "offVariation": 0, "variations": ["bm25", "neural"],
                "fallthrough": {"rollout": {"variations": [{"variation": 0, "weight": 50000}, {"variation": 1, "weight": 50000}]}}}}}
            """
        ])
        #expect(
            try folder.values("flags.json", "--extends", "us") == [
                "flags.new-checkout.targets lost -", "flags.new-checkout.rules[1] lost -",
                "flags.new-checkout guessed flags[\"new-checkout\"]", "flags.ranker guessed flags.ranker",
            ])
        let run = try folder.run("flags.json", "--extends", "us")
        #expect(run.status == 0, "\(run.errors)")
        let market = try folder.market()
        for text in [
            "like = \"launchDarkly\"", "salt = \"new-checkout.8f2b5c1e\"",
            "{ name = \"rule1\", when = { appVersion = \"> 24.3.0\", region = \"CA\" }, value = true }",
            "{ name = \"everyone\", value = true, rollout = { percent = 10, by = \"customerID\" } }",
            "split = { by = \"customerID\", weights = { { \"bm25\", 50 }, { \"neural\", 50 } } }", "enabled = false",
        ] { #expect(market.contains(text), "\(text) in \(market)") }
    }

    @Test func unleashFlagsKeepTheirShares() throws {
        let folder = try ImportedFolder([
            "features.json": """
            {"version": 2, "features": [
              {"name": "search.newRanker", "type": "release", "description": "Ranks results.", "enabled": true, "strategies": [
                 {"name": "flexibleRollout", "parameters": {"rollout": "25", "stickiness": "userId", "groupId": "ranker"},
                  "constraints": [{"contextName": "country", "operator": "IN", "values": ["BR"]},
                    {"contextName": "plan", "operator": "STR_STARTS_WITH", "values": ["gold"], "inverted": true}]},
                 {"name": "userWithId", "parameters": {"userIds": "1,2"}}]},
              {"name": "kill", "type": "kill-switch", "enabled": false, "strategies": [{"name": "default", "parameters": {}}]}]}
            """
        ])
        #expect(
            try folder.values("features.json", "--extends", "us") == [
                "features.search.newRanker.strategies[1] lost -",
                "features.search.newRanker.plan guessed attributes.plan",
                "features.search.newRanker guessed flags[\"search.newRanker\"]", "features.kill mapped flags.kill",
            ])
        let run = try folder.run("features.json", "--extends", "us")
        #expect(run.status == 0, "\(run.errors)")
        let market = try folder.market()
        for text in [
            "like = \"unleash\"", "rollout = { percent = 25, by = \"customerID\", salt = \"ranker\" }",
            "when = all { { region = \"BR\" }, no { plan = { prefix = \"gold\" } } }", "plan = { type = \"text\" },",
            "enabled = false",
        ] { #expect(market.contains(text), "\(text) in \(market)") }
    }

    /// What the service's API returns: each variation in a wrapper, and each environment by itself.
    @Test func flagsOfTheLaunchDarklyAPIAreThoseOfProduction() throws {
        let folder = try ImportedFolder([
            "flags.json": """
            {"_links": {}, "totalCount": 2, "items": [
              {"key": "one-page", "kind": "boolean", "archived": false, "description": "Checkout on one page.",
                "variations": [{"_id": "a1", "value": true}, {"_id": "a2", "value": false}],
                "environments": {
                  "test": {"on": true, "salt": "t", "offVariation": 1, "fallthrough": {"variation": 0}},
                  "production": {"on": true, "salt": "77aa", "offVariation": 1, "targets": [], "prerequisites": [],
                    "rules": [{"_id": "r1", "variation": 0, "clauses": [
                      {"attribute": "country", "op": "in", "values": ["MX"], "negate": false}]}],
                    "fallthrough": {"variation": 1}}}},
              {"key": "old", "archived": true, "variations": [], "environments": {"production": {"on": false}}},
              {"key": "two-homes", "variations": [{"value": true}, {"value": false}],
                "environments": {"east": {"on": true}, "west": {"on": false}}}]}
            """
        ])
        #expect(
            try folder.values("flags.json", "--extends", "us") == [
                "flags.one-page guessed flags[\"one-page\"]", "flags.old lost -", "flags.two-homes lost -",
            ])
        #expect(try folder.run("flags.json", "--extends", "us").status == 0)
        let market = try folder.market()
        for text in [
            "doc = \"Checkout on one page.\"", "salt = \"one-page.77aa\"", "default = false",
            "{ name = \"rule1\", when = { region = \"MX\" }, value = true }",
        ] { #expect(market.contains(text), "\(text) in \(market)") }
    }

    /// What Unleash exports: strategies and environments beside the features, and segments by number.
    @Test func flagsOfAnUnleashExportAreThoseOfProduction() throws {
        let folder = try ImportedFolder([
            "export.json": """
            {"features": [{"name": "checkout.onePage", "type": "operational"}, {"name": "variants", "type": "release"}],
             "featureStrategies": [
               {"featureName": "checkout.onePage", "strategyName": "default", "environment": "development",
                "parameters": {}, "constraints": [], "segments": []},
               {"featureName": "checkout.onePage", "strategyName": "flexibleRollout", "environment": "production",
                "parameters": {"rollout": "10", "stickiness": "userId", "groupId": "checkout.onePage"},
                "constraints": [], "segments": [3]}],
             "featureEnvironments": [
               {"featureName": "checkout.onePage", "environment": "development", "enabled": false},
               {"featureName": "checkout.onePage", "environment": "production", "enabled": true},
               {"featureName": "variants", "environment": "production", "enabled": true,
                "variants": [{"name": "blue", "weight": 500}]}],
             "segments": [{"id": 3, "name": "canada", "constraints": [
               {"contextName": "country", "operator": "IN", "values": ["CA"]}]}]}
            """
        ])
        #expect(
            try folder.values("export.json", "--extends", "us") == [
                "features.checkout.onePage guessed flags[\"checkout.onePage\"]", "features.variants.variants lost -",
                "features.variants guessed flags.variants",
            ])
        #expect(try folder.run("export.json", "--extends", "us").status == 0)
        let market = try folder.market()
        #expect(market.contains("rollout = { percent = 10, by = \"customerID\" }"), "\(market)")
        #expect(market.contains("when = { region = \"CA\" }") && !market.contains("enabled = false"), "\(market)")
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
