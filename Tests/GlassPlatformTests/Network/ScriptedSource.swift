import GlassBase
@testable import GlassPlatform

/// A source of remote configuration with responses that a test provides.
final class ScriptedSource: RemoteConfigurationSource {
    private let answer: @Sendable (Int) async throws(RemoteConfigurationError) -> RemoteConfiguration
    private let count = Lock(0)

    /// The number of fetches.
    var fetches: Int { count.withLock { $0 } }

    /// - Parameter answer: Returns the response to the n-th fetch, starting with 1.
    init(_ answer: @escaping @Sendable (Int) async throws(RemoteConfigurationError) -> RemoteConfiguration) {
        self.answer = answer
    }

    func fetch() async throws(RemoteConfigurationError) -> RemoteConfiguration {
        let number = count.withLock { count in
            count += 1
            return count
        }
        return try await answer(number)
    }
}
