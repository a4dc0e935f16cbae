package import Foundation
import GlassBase

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A small file that is replaced as a whole: readers see either the old or the new content, even if a process is
/// killed. Only its owner can access it and its folder.
package struct AtomicFile: Sendable {
    /// The URL of the file.
    package let url: URL
    private let timeout: Duration
    private let now: @Sendable () -> Date
    private let maximumBytes: Int

    /// Creates a value for a file. Opens nothing.
    ///
    /// By default, the maximum size in bytes is far more than any of these files has.
    package init(
        _ url: URL, timeout: Duration, maximumBytes: Int = 16 << 20, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.url = url
        self.timeout = timeout
        self.maximumBytes = maximumBytes
        self.now = now
    }

    /// The content, or `nil` if the file does not exist.
    package func read() throws -> Data? {
        do throws(FileFailure) {
            return Data(try Descriptor.regular(url.path).contents(limit: maximumBytes))
        } catch {
            guard error.kind == .missing else { throw error }
            // A file in place of a folder is no empty folder.
            if access(url.path, F_OK) != 0, errno == ENOTDIR { throw POSIXFailure("open", url.path, code: ENOTDIR) }
            return nil
        }
    }

    /// Replaces the content with what `body` returns. Only one process does so at a time.
    package func update<Result>(_ body: (Data?) throws -> (Data, Result)) throws -> Result {
        let folder = url.deletingLastPathComponent()
        try PrivateFolder.makeOrShare(folder)
        // Lock a separate file: the rename replaces this one, so a lock on it would not exclude later writers.
        return try FileLock.hold(url.path + ".lock", timeout: timeout) {
            let (content, result) = try body(try read())
            let draft = url.path + ".new"
            do {
                let file = try PrivateFile.open(draft, O_WRONLY | O_TRUNC)
                guard FileCalls.write(content, to: file.number) else { throw POSIXFailure("write", draft) }
                guard FileCalls.synchronize(file.number) else { throw POSIXFailure("sync", draft) }
                guard rename(draft, url.path) == 0 else { throw POSIXFailure("rename", draft) }
            } catch {
                // On a full disk, a partial draft would only take up more space.
                unlink(draft)
                throw error
            }
            // The rename has to survive a power failure, too.
            let opened = try PrivateFolder.open(folder.path)
            guard FileCalls.synchronize(opened.number) else { throw POSIXFailure("sync", folder.path) }
            return result
        }
    }

    /// Renames a damaged file. Never overwrites another file.
    package func setAside() throws -> URL {
        try FileLock.hold(url.path + ".lock", timeout: timeout) {
            let target = CorruptFileName.path(for: url.path, at: now())
            try FileManager.default.moveItem(atPath: url.path, toPath: target)
            return URL(filePath: target)
        }
    }
}

/// The name of a damaged file.
enum CorruptFileName {
    /// Returns an unused name. Because the clock may be set back, a name that is taken gets a number.
    static func path(for path: String, at time: Date, companions: [String] = []) -> String {
        let style = Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted)
        let base = path + ".corrupt-\(time.formatted(style))"
        var candidate = base
        var number = 2
        while ([""] + companions).contains(where: { FileManager.default.fileExists(atPath: candidate + $0) }) {
            candidate = "\(base)-\(number)"
            number += 1
        }
        return candidate
    }
}
