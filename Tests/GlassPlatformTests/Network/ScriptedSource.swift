import GlassBase
import GlassPlatform

/// A source of remote configuration whose answers a test decides.
final class ScriptedSource: RemoteConfigurationSource {
    private let answer: @Sendable (Int) async throws(RemoteConfigurationError) -> RemoteConfiguration
    private let count = Lock(0)

    /// How often it was asked.
    var fetches: Int { count.withLock { $0 } }

    /// - Parameter answer: Answers the fetch of a number, from 1.
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
