import GlassBase
public import Foundation
import GlassDeepLinking

/// What is remembered from one start to the next, in a small JSON file of its own.
///
/// Not in the database: the file is read before anything else is made, where opening SQLite would cost milliseconds, and
/// a damaged database must not hide the market. A write replaces the whole file: it is written beside, synced, renamed,
/// and the folder synced, under a lock that app and extensions share. A kill leaves the old file or the new one.
public final class StartupPreferencePlatformAPI: StartupPreferenceAPI {
    private let file: AtomicFile?
    private let known: Lock<StartupPreferences>
    private let atStart: StartupPreferences
    private let host: StorageHost
    private let logger = SafeLogger(label: "glass.storage")

    /// Reads what is remembered.
    ///
    /// A damaged file is set aside as `startup.json.corrupt-<time>`, reported to the host and the log, and a new one
    /// started by the next write. A file that cannot be read, or is from a newer version, counts as empty and is
    /// reported; writes throw then.
    ///
    /// - Parameters:
    ///   - folder: The state folder, made by the first write when needed; nil remembers nothing past the process.
    ///   - host: What the program decides.
    public init(folder: URL? = nil, host: StorageHost = StorageHost()) {
        file = folder.map { AtomicFile(Self.file(in: $0), timeout: host.busyTimeout) }
        self.host = host
        var start = StartupPreferences()
        var issue: StorageIssue?
        do {
            start = try file.map { try Self.load($0) } ?? start
        } catch let error as StartupDamage {
            issue = StorageIssue(.corrupt, file: file?.url, reason: "\(error)")
        } catch {
            issue = StorageIssue(.unreadable, file: file?.url, reason: "\(error)")
        }
        atStart = start
        known = Lock(start)
        guard var issue else { return }
        if issue.kind == .corrupt, let file {
            do {
                issue = StorageIssue(.corrupt, file: file.url, setAside: try file.setAside(), reason: issue.reason)
            } catch {
                issue = StorageIssue(.unreadable, file: file.url, reason: "\(issue.reason), and \(error)")
            }
        }
        logger.error("\(issue)")
        host.onIssue?(issue)
    }

    /// What is remembered in a state folder, without a container and without changing anything.
    ///
    /// - Parameter folder: The state folder.
    /// - Returns: What is remembered; a folder or file that does not exist remembers nothing.
    /// - Throws: ``StorageError`` for a file that is damaged, unreadable, or from a newer version.
    public static func read(in folder: URL) throws(StorageError) -> StartupPreferences {
        do {
            return try load(AtomicFile(file(in: folder), timeout: .zero))
        } catch let error as StorageError {
            throw error
        } catch {
            throw .unavailable("read the startup preferences", cause: error)
        }
    }

    /// The file in a state folder.
    package static func file(in folder: URL) -> URL { folder.appending(path: "startup.json") }

    /// The market that was chosen, by this process or another.
    public var market: String? { current.market }
    /// The environment that was chosen, by this process or another.
    public var environment: String? { current.environment }
    /// Whether no launch was recorded before this object was made.
    public var isFirstLaunch: Bool { atStart.launches == 0 }
    /// The version whose launch was recorded last before this object was made.
    public var lastVersion: String? { atStart.lastVersion }

    /// Remembers the market for the next start.
    ///
    /// - Parameter market: The market's id; nil leaves the choice to the app.
    /// - Throws: ``StorageError``; nothing has changed then.
    public func setMarket(_ market: String?) throws(StorageError) {
        try change("remember the market") { $0.market = market }
    }

    /// Remembers the environment for the next start.
    ///
    /// - Parameter environment: The environment's name; nil goes back to the market's default.
    /// - Throws: ``StorageError``; nothing has changed then.
    public func setEnvironment(_ environment: String?) throws(StorageError) {
        try change("remember the environment") { $0.environment = environment }
    }

    /// Remembers that the app started well.
    ///
    /// - Parameter version: The app's version.
    /// - Throws: ``StorageError``; nothing has changed then.
    public func recordLaunch(version: String) throws(StorageError) {
        try change("record the launch") { preferences in
            preferences.lastVersion = version
            preferences.launches += 1
        }
    }

    /// What the file says now, or what it said when it could last be read.
    private var current: StartupPreferences {
        guard let file else { return known.withLock { $0 } }
        do {
            let read = try Self.load(file)
            known.withLock { $0 = read }
            return read
        } catch {
            logger.warning("\(file.url.lastPathComponent) cannot be read, its last content is used: \(error)")
            return known.withLock { $0 }
        }
    }

    private func change(_ operation: String, _ body: (inout StartupPreferences) -> Void) throws(StorageError) {
        guard let file else { return known.withLock { body(&$0) } }
        do {
            let changed = try file.update { data in
                var preferences = try data.map { try Self.decode($0, of: file) } ?? StartupPreferences()
                body(&preferences)
                let encoder = JSONEncoder()
                encoder.outputFormatting = .sortedKeys
                return (try encoder.encode(StartupFile(schema: StartupFile.schema, preferences)), preferences)
            }
            known.withLock { $0 = changed }
        } catch let error as StorageError {
            throw error
        } catch {
            throw .unavailable(operation, cause: error)
        }
    }

    private static func load(_ file: AtomicFile) throws -> StartupPreferences {
        try file.read().map { try decode($0, of: file) } ?? StartupPreferences()
    }

    private static func decode(_ data: Data, of file: AtomicFile) throws -> StartupPreferences {
        let content: StartupFile
        do {
            content = try JSONDecoder().decode(StartupFile.self, from: data)
        } catch {
            throw StartupDamage()
        }
        if content.schema > StartupFile.schema {
            throw StorageError.newerSchema(file: file.url.lastPathComponent, unknown: ["schema \(content.schema)"])
        }
        return content.preferences
    }
}

/// The file's content: the preferences and the version of their form.
private struct StartupFile: Codable {
    static let schema = 1

    let schema: Int
    let preferences: StartupPreferences

    init(schema: Int, _ preferences: StartupPreferences) {
        self.schema = schema
        self.preferences = preferences
    }
}

/// A file that is not what this class writes.
private struct StartupDamage: Error, CustomStringConvertible {
    let description = "it is not the JSON that the app writes"
}
