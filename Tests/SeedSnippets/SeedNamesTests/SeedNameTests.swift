import Foundation
import GlassContainer
import GlassDeepLinking
import GlassPlatform
import GlassPlatformMocks
import Testing

/// Compares the table of the seeds' names in `Migration.md` with the code that compiles here.
@Suite(.timeLimit(.minutes(1)))
struct SeedNameTests {
    /// The names and the verdict of each row.
    private static func rows() throws -> [(names: [String], verdict: String)] {
        let guide = URL(filePath: #filePath).appending(
            path: "../../../../Sources/GlassContainer/GlassContainer.docc/Migration.md")
        let lines = try String(contentsOf: guide.standardizedFileURL, encoding: .utf8).split(separator: "\n")
        let table = try #require(lines.firstIndex(of: "| Glass | Here |"))
        return lines[(table + 2)...].prefix { $0.hasPrefix("|") }.map { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let names = cells[0].split(separator: "`").enumerated().filter { $0.offset.isMultiple(of: 2) }
            return (names.map { String($0.element) }, cells[1])
        }
    }

    @available(*, deprecated)
    @Test func everyNameOfTheTableCompiles() throws {
        let rows = try Self.rows()
        let available = rows.filter { !$0.verdict.hasPrefix("Not available: ") }.flatMap(\.names)
            .filter { $0 != "UIApplication.shared" }  // compiles on iOS, and Tests/AppleStubs type-checks it
        let uses = SeedNameUses()
        try uses.run()
        #expect(uses.names.sorted() == available.sorted())
        #expect(rows.flatMap(\.names).count > 130)
    }

    @Test func everyRowSaysWhatToUse() throws {
        for (names, verdict) in try Self.rows() {
            #expect(!names.isEmpty)
            #expect(
                verdict.hasPrefix("The same") || verdict.hasPrefix("`") || verdict.hasPrefix("Not available: "),
                "\(names)")
        }
    }

    @available(*, deprecated)
    @Test func formerNamesDoWhatTheirSuccessorsDo() throws {
        let container = Container()
        let findings = container.setupPlatformdependencies(with: PlatformConfig())
        #expect(findings == PlatformConfig().findings())
        #expect(container.validate(requiring: [StorageAPI.self, Networking.self]).isValid)

        var canada = AppInfoPlatformAPI.Configuration()
        canada.name = "Canada"
        let config = PlatformConfig(
            userDefaultsRegistrationAPIConfig: .init(), aniviaSuperAttributesConfiguration: .init(),
            environmentPlatformAPIAPIConfig: .init(), urlSessionConfigurationPlatformAPIConfig: .init(),
            networkingConfig: .init(), appInfoPlatformAPIConfig: canada, preferencesConfig: .init(),
            cookieStoragePlatformAPIConfig: .init())
        #expect(config.appInfo.name == "Canada" && config.appInfoPlatformAPIConfig.name == "Canada")

        let mock = Container()
        mock.setupPlatformMocks()
        let own = Container()
        own.setupPlatformDependancies(dependancies: SeedNameUses.dependencies(of: mock))
        #expect(own.get(StorageAPI.self) === mock.get(StorageAPI.self))
        #expect(own.get(AnalyticsTracking.self) === mock.get(Analytics.self))
        let report = own.validate(requiring: [
            UserDefaultsRegistrationAPI.self, DeepLinker.self, ReflectorManager.self, MediaNetworking.self,
        ])
        #expect(report.isValid)
        // Networking that is created from the container whose factory asks for it.
        own.register(Networking.self) { $0.networkingProvider() }
        #expect("\(type(of: own.get(Networking.self)))" == "URLSessionNetworking")
    }
}
