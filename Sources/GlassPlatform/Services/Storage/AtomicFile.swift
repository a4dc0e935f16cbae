package import Foundation
import GlassBase

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A small file that is replaced as a whole: a reader, or a kill, sees the old content or the new one. Only its owner can
/// open it and its folder.
package struct AtomicFile: Sendable {
    /// Where it is.
    package let url: URL
    private let timeout: Duration
    private let now: @Sendable () -> Date
    /// Far more than any of these files has.
    private static let maximumBytes = 16 << 20

    /// Names a file; nothing is opened.
    package init(_ url: URL, timeout: Duration, now: @escaping @Sendable () -> Date = { Date() }) {
        self.url = url
        self.timeout = timeout
        self.now = now
    }

    /// The content.
    package func read() throws -> Data? {
        do throws(FileFailure) {
            return Data(try Descriptor.regular(url.path).contents(limit: Self.maximumBytes))
        } catch {
            if error.kind == .missing { return nil }
            throw error
        }
    }

    /// Replaces the content by what `body` makes of it, one process at a time.
    package func update<Result>(_ body: (Data?) throws -> (Data, Result)) throws -> Result {
        let folder = url.deletingLastPathComponent()
        try PrivateFolder.makeOrShare(folder)
        return try FileLock.hold(url.path + ".lock", timeout: timeout) {
            let (content, result) = try body(try read())
            let draft = url.path + ".new"
            do {
                try write(content, to: draft)
                guard rename(draft, url.path) == 0 else { throw POSIXFailure("rename", draft) }
            } catch {
                // On a full disk half a draft would only take more of the space.
                unlink(draft)
                throw error
            }
            try synchronize(folder.path)
            return result
        }
    }

    /// Renames a damaged file; nothing is overwritten.
    package func setAside() throws -> URL {
        try FileLock.hold(url.path + ".lock", timeout: timeout) {
            let target = CorruptFileName.path(for: url.path, at: now())
            try FileManager.default.moveItem(atPath: url.path, toPath: target)
            return URL(filePath: target)
        }
    }

    private func write(_ content: Data, to path: String) throws {
        let descriptor = try PrivateFile.open(path, O_WRONLY | O_TRUNC)
        defer { close(descriptor) }
        try PrivateFile.write(content, to: descriptor, path)
        try flush(descriptor, path)
    }

    /// Makes a rename in a folder survive a power cut.
    private func synchronize(_ folder: String) throws {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw POSIXFailure("open", folder) }
        defer { close(descriptor) }
        try flush(descriptor, folder)
    }

    private func flush(_ descriptor: CInt, _ path: String) throws {
        #if canImport(Darwin)
            // `fsync` stops at the drive's own memory there; some file systems offer nothing more.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        guard fsync(descriptor) == 0 else { throw POSIXFailure("sync", path) }
    }
}

/// How a damaged file is named.
enum CorruptFileName {
    /// A name that no file has. The clock may jump back: a name that is taken gets a number.
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
