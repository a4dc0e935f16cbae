public import Foundation
package import GlassSchema

/// Downloads images and videos, few at a time, each once, and keeps them as HTTP allows.
public protocol MediaNetworking: AnyObject, Sendable {
    /// The content of a URL, from the cache where HTTP allows that.
    ///
    /// Callers that ask for the same URL at the same time share one download; it is cancelled when all of them are.
    ///
    /// - Parameter url: The URL.
    /// - Returns: The content.
    /// - Throws: ``NetworkingError``; for a cancelled task ``NetworkingError/cancelled(_:)``.
    func load(_ url: URL) async throws(NetworkingError) -> MediaResource

    /// Forgets everything that was kept, in memory and on disk.
    func removeAll()
}

/// The content of a URL.
public struct MediaResource: Sendable, Equatable {
    /// Where content came from.
    public enum Source: String, Sendable {
        /// A download.
        case network
        /// Kept in memory.
        case memory
        /// Kept on disk.
        case disk
        /// Kept, and the server said that it is still right.
        case revalidated
        /// Kept and no longer fresh, but the server cannot be reached and allowed it for that case.
        case stale
    }

    /// The content.
    public var data: Data
    /// Its media type, such as `image/webp`, without parameters; nil when the server did not say.
    public var mimeType: String?
    /// Where it came from.
    public var source: Source

    /// Creates a resource.
    ///
    /// - Parameters:
    ///   - data: The content.
    ///   - mimeType: Its media type.
    ///   - source: Where it came from.
    public init(data: Data, mimeType: String? = nil, source: Source = .network) {
        self.data = data
        self.mimeType = mimeType
        self.source = source
    }
}

extension MediaNetworking {
    /// `load` and `removeAll`.
    package var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("load", ["url"], "Downloads, or takes from the cache; the answer has bytes, type and source.")
            {
                arguments in
                let resource = try await self.load(try arguments.url(0, "url", method: "load"))
                var answer: [String: ScriptValue] = [
                    "bytes": .integer(resource.data.count), "source": .string(resource.source.rawValue),
                ]
                if let type = resource.mimeType { answer["type"] = .string(type) }
                return .map(answer)
            },
            ScriptMethod("removeAll", [], "Forgets everything that was kept.") { _ in
                self.removeAll()
                return .nil
            },
        ]
    }
}
