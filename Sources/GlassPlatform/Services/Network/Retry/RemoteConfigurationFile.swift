package import Foundation
import GlassSchema

/// What a device keeps of a market's remote configuration from one start to the next.
package struct RemoteConfigurationFile: Sendable {
    /// What is kept.
    package struct Content: Sendable, Equatable {
        /// What was last received.
        package var configuration = RemoteConfiguration()
        /// When that was.
        package var receivedAt: Date?
        /// The digest of the newest compiled market that was in use.
        package var market: String?
        /// The digests of those before it, oldest first.
        package var earlier: [String] = []

        /// Whether a market was replaced by a newer one and is in use again.
        package func isRollback(_ digest: String?) -> Bool {
            guard let digest, digest != market else { return false }
            return earlier.contains(digest)
        }

        /// Takes note of a market that comes into use; of those before it, twenty are remembered.
        mutating func begin(_ digest: String?) {
            guard let digest, digest != market else { return }
            if let market { earlier = (earlier.filter { $0 != market } + [market]).suffix(20) }
            market = digest
        }
    }

    private let file: AtomicFile

    /// The file's path, for messages.
    package var path: String { file.url.path }

    /// Names the file `remote-configuration.json` in a state folder; nothing is opened.
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
            throw .malformed(origin: path, problems: ["it is not what this version writes"])
        }
    }

    /// Changes the file, one process at a time. One that cannot be read is written anew.
    func update(_ change: (inout Content) -> Void) throws(RemoteConfigurationError) {
        do {
            try file.update { data in
                // What is damaged says nothing that would be worth keeping: the next answer of the server has it all.
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

/// The file's JSON.
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
