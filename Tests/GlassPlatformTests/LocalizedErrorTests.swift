import Foundation
import GlassContainer
import GlassDeepLinking
import GlassMarkets
import GlassPlatform
import GlassSchema
import Testing

struct LocalizedErrorTests {
    /// One of each module, and of each way in which an error gives its text.
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

    @Test(arguments: errors.indices) func whatFoundationShowsOfAnErrorIsItsText(index: Int) {
        let error = Self.errors[index]
        #expect(error.localizedDescription == "\(error)")
        #expect(!error.localizedDescription.contains("could not be completed"))
    }

    @Test func aRefusedLinkSaysWhy() throws {
        let error = try #require(throws: DeepLinkRefusal.self) { try DeepLink("no link") }
        #expect(error.localizedDescription == "\(error)")
    }
}
