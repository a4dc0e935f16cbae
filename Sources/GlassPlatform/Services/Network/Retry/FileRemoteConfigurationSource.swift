package import Foundation
import GlassBase

/// Remote configuration from a JSON file, which is read for each fetch. For tests, demos, and hosts without a server.
package struct FileRemoteConfigurationSource: RemoteConfigurationSource {
    private let file: URL
    /// The maximum size, which is the same as for a server's response.
    private static let maximumBytes = 1024 * 1024

    /// Creates a source.
    package init(file: URL) {
        self.file = file
    }

    /// Reads the file.
    package func fetch() async throws(RemoteConfigurationError) -> RemoteConfiguration {
        let bytes: [UInt8]
        do throws(FileFailure) {
            bytes = try Descriptor.regular(file.path).contents(limit: Self.maximumBytes)
        } catch {
            if error.kind == .missing { return RemoteConfiguration() }
            throw .unreadable(file: file.path, cause: error)
        }
        return try RemoteConfiguration(json: Data(bytes), origin: file.lastPathComponent)
    }
}
