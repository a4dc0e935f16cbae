import GlassMarkets
import GlassPlatform
import GlassSchema
import ShopMarkets
import Testing

/// How often the keys of a market may vary with the situation.
struct KeyPaceTests {
    /// The keys that vary at another pace than the key of their table.
    private static func changes(
        of section: SectionDeclaration, at path: String = "", in pace: ContextPace = .start
    ) -> [String] {
        (section.keys + (section.others.map { [$0] } ?? [])).flatMap { key -> [String] in
            let inner = path.isEmpty ? key.name : "\(path).\(key.name)"
            let own = key.pace ?? pace
            return (own == pace ? [] : ["\(inner) \(own)"])
                + key.type.innerSections.flatMap { changes(of: $0.section, at: inner + $0.suffix, in: own) }
        }
    }

    /// A key that is missing here can vary at start. A new key whose value is in a file of a built app or of its sites
    /// must vary by build.
    @Test func keysThatDoNotVaryAtStart() {
        #expect(
            Self.changes(of: MarketSchema(.platform).declaration) == [
                "id fixed", "extends fixed", "locales fixed",
                "deepLinking live", "deepLinking.schemes build", "deepLinking.universalLinks build",
                "deepLinking.browser build", "deepLinking.outboundSchemes build",
                "preconditions live", "flags fixed", "layers fixed",
                "platform.userDefaultsRegistration.suite build",
                "platform.environment.default build", "platform.environment.environments build",
                "platform.environment.environments.*.services start",
                "platform.urlSession.requestTimeoutSeconds live", "platform.urlSession.resourceTimeoutSeconds live",
                "platform.urlSession.maximumConnectionsPerHost live",
                "platform.networking.retry live", "platform.networking.tracking live",
                "platform.networking.trackingSampleRate live",
                "platform.networking.media.maximumConcurrentDownloads live",
                "platform.appInfo build",
                "platform.preferences.suite build", "platform.preferences.keys.*.default live",
                "platform.cookieStorage.sharedGroup build",
                "platform.quimby.refreshSeconds live",
                "platform.address live", "platform.errors live",
                "routables live", "routables.*.handle fixed",
            ])
    }

    @Test func sectionsOfAppsVaryAtAnyTime() {
        let declaration = MarketSchema(.ShopMarkets::shop).declaration
        #expect(declaration.pace(at: "loyalty.tiers[1].points") == .live)
        #expect(declaration.pace(at: "routables.suggest.shortestText") == .live)
        #expect(declaration.pace(at: "routables.suggest.handle") == .fixed)
    }
}
