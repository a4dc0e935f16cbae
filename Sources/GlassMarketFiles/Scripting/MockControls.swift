import GlassMarkets
import GlassSchema

/// The view of a mock for scripts: the controls of the mock, not the methods of the service.
final class MockControls: ScriptCallable {
    let scriptTypeName: String
    private let mock: any ScriptedMock

    init(of mock: any ScriptedMock, name: String) {
        self.mock = mock
        scriptTypeName = "mock of \(name)"
    }

    var scriptMethods: [ScriptMethod] { mock.mockMethods }
}
