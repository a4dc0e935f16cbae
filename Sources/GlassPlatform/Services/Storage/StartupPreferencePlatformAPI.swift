import GlassBase
public import Foundation
import GlassDeepLinking

/// The values that are stored between launches, in a small separate JSON file.
///
/// They are not in the database: the file is read before anything else is created, when opening SQLite would cost
/// milliseconds, and a damaged database must not hide the market. A write replaces the whole file under a lock that the
/// app and its extensions share: the new file is written under a temporary name, synced, and renamed, and then the
/// folder is synced. A kill leaves either the old or the new file.
public final class StartupPreferencePlatformAPI: StartupPreferenceAPI {
    private let file: AtomicFile?
    private let known: Lock<StartupPreferences>
    private let atStart: StartupPreferences
    private let host: StorageHost
    private let isFailing = Lock(false)
    private let logger = SafeLogger(label: "glass.storage")

    /// Reads the stored values.
    ///
    /// A damaged file is renamed to `startup.json.corrupt-<time>`, reported to the host and the log, and replaced by
    /// the next write. A file that cannot be read or comes from a newer version is reported and treated as empty, and
    /// writes throw.
    ///
    /// - Parameters:
    ///   - folder: The state folder, which the first write creates if necessary; `nil` stores nothing beyond the
    ///     process.
    ///   - host: The program's settings.
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
        isFailing.withLock { $0 = issue.kind == .unreadable }
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

    /// Reads the values in a state folder, without a container and without changing anything.
    ///
    /// - Parameter folder: The state folder.
    /// - Returns: The values. They are empty if the folder or the file does not exist.
    /// - Throws: ``StorageError`` if the file is damaged, unreadable, or from a newer version.
    public static func read(in folder: URL) throws(StorageError) -> StartupPreferences {
        do {
            return try load(AtomicFile(file(in: folder), timeout: .zero))
        } catch let error as StorageError {
            throw error
        } catch {
            throw .unavailable("read the startup preferences", file(in: folder), cause: error)
        }
    }

    /// The file in a state folder.
    package static func file(in folder: URL) -> URL { folder.appending(path: "startup.json") }

    /// The market that this process or another has selected.
    public var market: String? { current.market }
    /// The environment that this process or another has selected.
    public var environment: String? { current.environment }
    /// Whether no launch was recorded before this object was created.
    public var isFirstLaunch: Bool { atStart.launches == 0 }
    /// The version of the last launch recorded before this object was created.
    public var lastVersion: String? { atStart.lastVersion }

    /// Stores the market for the next launch.
    ///
    /// - Parameter market: The market's id; `nil` lets the app decide.
    /// - Throws: ``StorageError``, in which case nothing changes.
    public func setMarket(_ market: String?) throws(StorageError) {
        try change("store the market") { $0.market = market }
    }

    /// Stores the environment for the next launch.
    ///
    /// - Parameter environment: The environment's name; `nil` restores the market's default.
    /// - Throws: ``StorageError``, in which case nothing changes.
    public func setEnvironment(_ environment: String?) throws(StorageError) {
        try change("store the environment") { $0.environment = environment }
    }

    /// Records a successful launch.
    ///
    /// - Parameter version: The app's version.
    /// - Throws: ``StorageError``, in which case nothing changes.
    public func recordLaunch(version: String) throws(StorageError) {
        try change("record the launch") { preferences in
            preferences.lastVersion = version
            preferences.launches += 1
        }
    }

    /// The current content of the file, or its content when it was last readable.
    private var current: StartupPreferences {
        guard let file else { return known.withLock { $0 } }
        do {
            let read = try Self.load(file)
            known.withLock { $0 = read }
            isFailing.withLock { $0 = false }
            return read
        } catch {
            let isFirst = isFailing.withLock { isFailing in
                defer { isFailing = true }
                return !isFailing
            }
            if isFirst { logger.warning("\(file.url.path) cannot be read, so its last content is used: \(error)") }
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
            throw .unavailable(operation, file.url, cause: error)
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
            throw StorageError.newerSchema(file: file.url.path, unknown: ["schema \(content.schema)"])
        }
        return content.preferences
    }
}

/// The content of the file: the preferences and the version of their format.
private struct StartupFile: Codable {
    static let schema = 1

    let schema: Int
    let preferences: StartupPreferences

    init(schema: Int, _ preferences: StartupPreferences) {
        self.schema = schema
        self.preferences = preferences
    }
}

/// The error for a file in an unknown format.
private struct StartupDamage: Error, CustomStringConvertible {
    let description = "it is not JSON in the app's format"
}
