package import Foundation
import GlassSchema

/// The part of a market's remote configuration that a device stores between launches.
package struct RemoteConfigurationFile: Sendable {
    /// The content of the file.
    package struct Content: Sendable, Equatable {
        /// The last received configuration.
        package var configuration = RemoteConfiguration()
        /// The time at which it was received.
        package var receivedAt: Date?
        /// The digest of the newest compiled market that was in use.
        package var market: String?
        /// The digests of earlier markets, oldest first.
        package var earlier: [String] = []

        /// Whether the market was rolled back to an earlier version.
        package func isRollback(_ digest: String?) -> Bool {
            guard let digest, digest != market else { return false }
            return earlier.contains(digest)
        }

        /// Records the market that is now in use, and remembers up to twenty earlier ones.
        mutating func begin(_ digest: String?) {
            guard let digest, digest != market else { return }
            if let market { earlier = (earlier.filter { $0 != market } + [market]).suffix(20) }
            market = digest
        }
    }

    private let file: AtomicFile

    /// The file's path, for messages.
    package var path: String { file.url.path }

    /// Creates a value for the file `remote-configuration.json` in a state folder. Opens nothing.
    package init(folder: URL, timeout: Duration) {
        file = AtomicFile(folder.appending(path: "remote-configuration.json"), timeout: timeout)
    }

    /// Reads the file.
    package func read() throws(RemoteConfigurationError) -> Content? {
        let data: Data?
        do {
            data = try file.read()
        } catch {
            throw .unreadable(file: path, cause: error)
        }
        guard let data else { return nil }
        do {
            return try JSONDecoder().decode(Stored.self, from: data).content
        } catch {
            throw .malformed(origin: path, problems: ["it is not in the format of this version"])
        }
    }

    /// Changes the file. Only one process does so at a time. An unreadable file is replaced.
    func update(_ change: (inout Content) -> Void) throws(RemoteConfigurationError) {
        do {
            try file.update { data in
                // A damaged file contains nothing worth keeping, because the next response of the server is complete.
                let stored = data.flatMap { try? JSONDecoder().decode(Stored.self, from: $0) }  // see above
                var content = stored?.content ?? Content()
                change(&content)
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
                return (try encoder.encode(Stored(content)), ())
            }
        } catch {
            throw .notKept(file: path, cause: error)
        }
    }
}

/// The JSON format of the file.
private struct Stored: Codable {
    var schema = 1
    var configuration: JSONValue
    var receivedAt: Double?
    var market: String?
    var earlier: [String]

    init(_ content: RemoteConfigurationFile.Content) {
        configuration = JSONValue(content.configuration.configurationValue)
        receivedAt = content.receivedAt?.timeIntervalSince1970
        market = content.market
        earlier = content.earlier
    }

    var content: RemoteConfigurationFile.Content {
        var content = RemoteConfigurationFile.Content()
        if case .map(let entries) = configuration.value { content.configuration = RemoteConfiguration(entries) }
        content.receivedAt = receivedAt.map { Date(timeIntervalSince1970: $0) }
        content.market = market
        content.earlier = earlier
        return content
    }
}
