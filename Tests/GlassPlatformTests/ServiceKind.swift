import GlassContainer
@testable import GlassPlatform
import GlassPlatformMocks
import Testing

/// The two families of implementations that every contract test covers.
enum ServiceKind: String, CaseIterable, CustomTestStringConvertible {
    case mock, live

    var testDescription: String { rawValue }

    /// A new container with the family's services.
    func container() -> Container {
        if self == .mock { return .mock }
        let container = Container()
        container.setupPlatformDependencies(with: sampleConfig(), host: .inMemory)
        return container
    }
}
