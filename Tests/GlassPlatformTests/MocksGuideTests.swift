import Foundation
import GlassContainer
@testable import GlassPlatform
import GlassPlatformMocks
import Testing

/// The example on the mocks' page, line by line.
struct MocksGuideTests {
    @Test func exampleOnPageRuns() async throws {
        let container = Container.mock
        let tracking: any AnalyticsTracking = container.get()
        try tracking.track(AnalyticsEvent("addToCart"))
        let analytics = container.get((any Analytics).self) as? AnalyticsMock
        #expect(analytics?.events.map(\.name) ?? [] == ["addToCart"])

        let url = try #require(URL(string: "https://example.com/cart"))
        container.register((any Networking).self) { _ in
            NetworkingMock { request throws(NetworkingError) in
                NetworkResponse(status: 200, body: Data(#"{ "items": 3 }"#.utf8), url: url)
            }
        }
        let networking: any Networking = container.get()
        let cart = try await networking.decode([String: Int].self, from: NetworkRequest(url: url))
        #expect(cart == ["items": 3])
    }

    @Test func examplesAreCoveredLineByLine() throws {
        let file = URL(filePath: #filePath)
        let page = file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Sources/GlassPlatformMocks/GlassPlatformMocks.docc/GlassPlatformMocks.md")
        let lines = Set(
            try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
                .map { $0.trimmingCharacters(in: .whitespaces) })
        var isCode = false
        var count = 0
        for line in try String(contentsOf: page, encoding: .utf8).split(separator: "\n") {
            let code = line.trimmingCharacters(in: .whitespaces)
            if code.hasPrefix("```") {
                isCode = code == "```swift"
            } else if isCode, !code.hasPrefix("print("), !code.hasPrefix("import ") {
                count += 1
                #expect(lines.contains(code), "\(code)")
            }
        }
        #expect(count == 11)
    }
}
