import GlassMarkets
import GlassSchema

/// What a script sees of a mock: what it can tell it, not what the service does.
final class MockControls: ScriptCallable {
    let scriptTypeName: String
    private let mock: any ScriptedMock

    /// Wraps a mock.
    init(of mock: any ScriptedMock, name: String) {
        self.mock = mock
        scriptTypeName = "mock of \(name)"
    }

    var scriptMethods: [ScriptMethod] { mock.mockMethods }
}
