import Foundation
import GlassContainer
import GlassMarkets
@testable import GlassPlatform
import GlassPlatformMocks
import GlassSchema
import Testing

/// A market's configuration written in Swift.
struct ConfigurationInSwiftTests {
    @Test func previewIsACompleteMarket() throws {
        #expect(PlatformConfig.preview.findings().isEmpty, "\(PlatformConfig.preview.findings())")
        let container = Container()
        #expect(container.setupPlatformDependencies(with: .preview, host: .inMemory).isEmpty)
        #expect(try container.get((any EnvironmentAPI).self).baseURL(for: "api").host == "api.example.com")
    }

    @Test func invalidValuesAreReportedWithPath() {
        var config = PlatformConfig.preview
        config.networking.retry.maxRetries = 11
        config.networking.defaultService = "apo"
        config.appInfo.version = "one"
        config.environment.environments["production"]?.services["api"] = "http://example.com"
        config.address.requiredFields = [.phone]
        config.analytics.sinks = [.collector]
        let container = Container()
        let findings = container.setupPlatformDependencies(with: config, host: .inMemory)
        #expect(
            findings.map { "\($0.path): \($0.message)" } == [
                "platform.address.requiredFields[1]: \"phone\" is required but not in fieldOrder",
                "platform.analytics.sinks[1]: \"collector\" requires a collector table",
                "platform.appInfo.version: expected a version of numbers and dots, such as \"24.3.0\", got \"one\"",
                "platform.environment.environments.production.services.api: expected an https URL without query, "
                    + "such as \"https://api.walmart.ca/v1\", got \"http://example.com\"",
                "platform.networking.retry.maxRetries: expected an integer from 0 to 10, got 11",
            ])
        #expect(container.setupPlatformDependencies(with: config, overriding: PlatformDependencies()) == findings)
    }

    @Test func contradictionBetweenValidSectionsIsReported() {
        var config = PlatformConfig.preview
        config.networking.defaultService = "apo"
        config.networking.tracking = true
        #expect(
            config.findings().map { "\($0.severity.rawValue) \($0.path)" } == [
                "warning platform.analytics.sinks", "error platform.networking.defaultService",
            ])
    }

    @Test func emptyConfigurationReportsRequiredKeys() {
        let findings = PlatformConfig().findings()
        let paths = Set(findings.map(\.path.description))
        for path in [
            "platform.appInfo.name", "platform.address.country", "platform.networking.defaultService",
            "platform.userDefaultsRegistration.suite", "platform.aniviaSuperAttributes.tenant",
        ] { #expect(paths.contains(path), "\(findings)") }
    }

    @Test func sectionIsChangedFromItsDefaults() {
        let retry = NetworkingConfiguration.Retry { $0.maxRetries = 5 }
        var expected = NetworkingConfiguration.Retry()
        expected.maxRetries = 5
        #expect(retry == expected)
        #expect(throws: CancellationError.self) {
            try NetworkingConfiguration.Retry { _ in throw CancellationError() }
        }
    }
}
