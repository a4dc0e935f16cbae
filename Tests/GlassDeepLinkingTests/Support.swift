import GlassBase
import GlassContainer

@testable import GlassDeepLinking

/// Collects values from several threads.
final class Recorder<Element: Sendable>: Sendable {
    private let content = Lock<[Element]>([])

    func append(_ element: Element) { content.withLock { $0.append(element) } }

    var elements: [Element] { content.withLock { $0 } }
}

/// A clock that only advances when a test moves it.
final class ManualClock: Sendable {
    private let instant = Lock(ContinuousClock.now)

    func advance(by duration: Duration) { instant.withLock { $0 = $0.advanced(by: duration) } }

    var now: @Sendable () -> ContinuousClock.Instant { { self.instant.withLock { $0 } } }
}

struct TestError: Error, CustomStringConvertible {
    let description: String
}

/// A routable defined by its properties.
struct TestRoutable: Routable {
    let id: String
    let actionRoutes: [String]
    var requiredPreconditions: PreconditionRequirement = .none
    var handle: @Sendable (DeepLink, DeepLinkNavigationState) throws -> Bool = { _, _ in true }

    func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) throws -> Bool {
        try handle(deepLink, state)
    }
}

extension DeepLinkConfiguration {
    static let us = DeepLinkConfiguration(
        schemes: ["walmart"], universalLinks: ["www.walmart.com"],
        allowedDomains: [AllowedDomain(name: "walmart.com", allowSubdomains: true)])
}

extension RouteTable {
    /// A table of patterns; each routable's id is `r` followed by its index.
    init(patterns: [String]) throws(RouteTableError) {
        try self.init(patterns.enumerated().map { RouteDeclaration(pattern: $1, routableID: "r\($0)", index: 0) })
    }
}
