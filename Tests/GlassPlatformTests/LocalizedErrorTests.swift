import Foundation
import GlassContainer
import GlassDeepLinking
import GlassMarkets
@testable import GlassPlatform
import GlassSchema
import Testing

struct LocalizedErrorTests {
    /// Errors of the platform and each module below it, one for each way in which an error provides its text; modules
    /// above have their own tests.
    static let errors: [any Error] = [
        PermissionError.noCamera,
        PreferencesError.unknownKey("stor", nearest: "store"),
        EnvironmentError.unknownEnvironment("x", environments: ["production"]),
        AnalyticsError.notKept(cause: StorageError.closed("set")),
        StorageError.suspended("set"),
        MarketError.invalid("ca", findings: []),
        SecretError.unset(name: "API_KEY"),
        ContainerError.misuse("a sentence"),
    ]

    @Test(arguments: errors.indices) func localizedDescriptionIsErrorText(index: Int) {
        let error = Self.errors[index]
        #expect(error.localizedDescription == "\(error)")
        #expect(!error.localizedDescription.contains("could not be completed"))
    }

    @Test func alertShowsUserTextOfCoordinatedError() {
        let error = CoordinatedError(kind: .unknown, feature: "cart", cause: StorageError.closed("set"))
        #expect(error.localizedDescription == error.text.title)
        #expect(error.recoverySuggestion == error.text.message)
        #expect("\(error)".contains("was shut down"))
    }

    @Test func refusedLinkIsExplained() throws {
        let error = try #require(throws: DeepLinkRefusal.self) { try DeepLink("no link") }
        #expect(error.localizedDescription == "\(error)")
    }
}
