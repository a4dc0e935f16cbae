import Foundation
import GRDB
import GlassBase
import GlassContainer

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension PlatformHost: SelfChecking {
    /// The finding of `Container.validate(requiring:)` for a state folder that services cannot use.
    package func problem() -> (message: String, hint: String?)? {
        // Each folder once: the startup preferences of the system's place have their own.
        for folder in [stateFolder, programFolder == stateFolder ? nil : programFolder].compactMap(\.self) {
            guard let failure = StateFolderCheck.failure(in: folder) else { continue }
            return (
                "services cannot store data in \(folder.path): \(failure)",
                "make the folder usable for this user, or give PlatformHost another stateFolder"
            )
        }
        return nil
    }
}

/// Looks for the reasons why services cannot use a state folder, without creating or changing anything in it.
enum StateFolderCheck {
    /// The error that a service would throw, as far as it can be predicted without writing.
    static func failure(in folder: URL) -> (any Error)? {
        let wanted = folder.standardizedFileURL.path
        var (path, status) = (wanted, stat())
        // Services create missing folders, so the nearest existing one decides.
        while stat(path, &status) != 0 {
            let code = errno
            guard code == ENOENT, path != "/" else { return POSIXFailure("open", path, code: code) }
            path = URL(filePath: path).deletingLastPathComponent().path
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { return POSIXFailure("open", path, code: ENOTDIR) }
        if path == wanted, status.st_uid != geteuid() {
            return PrivateFolderError.foreign(path, owner: status.st_uid)
        }
        guard access(path, W_OK | X_OK) == 0 else { return POSIXFailure("write to", path) }
        var system = statvfs()
        if statvfs(path, &system) == 0, system.f_bavail == 0, system.f_blocks > 0 {
            return POSIXFailure("write to", path, code: ENOSPC)
        }
        return newerVersion(in: folder)
    }

    /// The error for a file of a newer version of the app.
    private static func newerVersion(in folder: URL) -> StorageError? {
        do throws(StorageError) {
            _ = try StartupPreferencePlatformAPI.read(in: folder)
        } catch .newerSchema(let file, let unknown) {
            return .newerSchema(file: file, unknown: unknown)
        } catch {
            // A damaged file is set aside when it is used.
        }
        if let error = newerVersion(of: StoragePlatformAPI.file(in: folder), StorageSchema.migrator) { return error }
        for file in AnalyticsSetup.outboxFiles(in: folder) {
            if let error = newerVersion(of: file, OutboxSchema.migrator) { return error }
        }
        do {
            try CookieFile.checkVersion(in: folder)
        } catch let error as StorageError {
            return error
        } catch {
            // As above.
        }
        return nil
    }

    /// The error for a database of a newer version of the app.
    private static func newerVersion(of file: URL, _ migrator: DatabaseMigrator) -> StorageError? {
        guard FileIdentity.size(ofFileAt: file.path) > 0 else { return nil }
        var configuration = Configuration()
        configuration.readonly = true
        // An unreadable database is repaired or set aside when it is used.
        let applied = try? DatabaseQueue(path: file.path, configuration: configuration).read {
            try migrator.appliedIdentifiers($0)
        }
        let unknown = applied?.subtracting(migrator.migrations) ?? []
        return unknown.isEmpty ? nil : .newerSchema(file: file.path, unknown: unknown.sorted())
    }
}
