public import Foundation
package import GlassSchema

/// Downloads images and videos, with limited concurrency and each only once, and caches them as HTTP allows.
public protocol MediaNetworking: AnyObject, Sendable {
    /// The content of a URL, from the cache if HTTP allows it.
    ///
    /// Concurrent callers for the same URL share one download, which is canceled when all of them are.
    ///
    /// - Parameter url: The URL.
    /// - Returns: The content.
    /// - Throws: ``NetworkingError``, and ``NetworkingError/cancelled(_:)`` for a canceled task.
    func load(_ url: URL) async throws(NetworkingError) -> MediaResource

    /// Removes everything from the caches, in memory and on disk.
    func removeAll()
}

/// The content of a URL.
public struct MediaResource: Sendable, Equatable {
    /// The origin of content.
    public enum Source: String, Sendable {
        /// A download.
        case network
        /// The cache in memory.
        case memory
        /// The cache on disk.
        case disk
        /// The cache, after the server confirmed that the content is current.
        case revalidated
        /// The cache, although the content is stale: the server cannot be reached, and it allowed this use.
        case stale
    }

    /// The content.
    public var data: Data
    /// Its media type without parameters, such as `image/webp`; `nil` if the server did not send one.
    public var mimeType: String?
    /// Its origin.
    public var source: Source

    /// Creates a resource.
    ///
    /// - Parameters:
    ///   - data: The content.
    ///   - mimeType: Its media type.
    ///   - source: Its origin.
    public init(data: Data, mimeType: String? = nil, source: Source = .network) {
        self.data = data
        self.mimeType = mimeType
        self.source = source
    }
}

extension MediaNetworking {
    /// The script methods `load` and `removeAll`.
    package var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod(
                "load", ["url"], "Loads a URL from the network or the cache; the result has bytes, type and source."
            ) { arguments in
                let resource = try await self.load(try arguments.url(0, "url", method: "load"))
                var answer: [String: ScriptValue] = [
                    "bytes": .integer(resource.data.count), "source": .string(resource.source.rawValue),
                ]
                if let type = resource.mimeType { answer["type"] = .string(type) }
                return .map(answer)
            },
            ScriptMethod("removeAll", [], "Removes everything from the caches.") { _ in
                self.removeAll()
                return .nil
            },
        ]
    }
}
