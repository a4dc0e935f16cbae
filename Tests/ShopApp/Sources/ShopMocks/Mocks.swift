import GlassContainer
public import GlassMarkets
import GlassPlatformMocks
import Loyalty
import Search

extension Service {
    /// Mocks of the app's own external services.
    public static let shopMocks: [Service] = [
        Service((any LoyaltyTransport).self, "A partner with 4200 points.") { _ in LoyaltyTransportMock() },
        Service((any SearchAPI).self, requires: [SearchConfiguration.self], "An index of one word.") { c in
            SearchMock(index: c.get(SearchConfiguration.self).index)
        },
    ]

    /// The mocks of the platform and of the app.
    public static let allMocks = platformMocks + shopMocks
}

struct LoyaltyTransportMock: LoyaltyTransport {
    func balance() async throws -> Int { 4200 }
}

final class SearchMock: SearchAPI {
    let index: String
    let isReady = true

    init(index: String) { self.index = index }

    func suggestions(for text: String) async throws -> [String] { ["\(text) (mock)"] }
}
