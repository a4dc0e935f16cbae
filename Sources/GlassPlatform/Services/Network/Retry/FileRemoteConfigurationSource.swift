package import Foundation

/// Remote configuration from a JSON file, which is read each time; for tests, demos and hosts without a server.
package struct FileRemoteConfigurationSource: RemoteConfigurationSource {
    private let file: URL

    /// Creates a source.
    package init(file: URL) {
        self.file = file
    }

    /// Reads the file.
    package func fetch() async throws(RemoteConfigurationError) -> RemoteConfiguration {
        let data: Data
        do {
            data = try Data(contentsOf: file)
        } catch CocoaError.fileReadNoSuchFile {
            return RemoteConfiguration()
        } catch {
            throw .unreadable(file: file.path, cause: error)
        }
        return try RemoteConfiguration(json: data, origin: file.lastPathComponent)
    }
}
