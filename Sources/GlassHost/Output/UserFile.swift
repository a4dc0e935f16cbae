import Foundation
import GlassBase
import GlassMarketFiles
import GlassMarkets

/// Files that the user asked for, with the modes that the user's umask gives.
///
/// Everything else that this process makes is state, and its owner's alone: Foundation keeps caches and user defaults in
/// files of its own, and asks only the umask for their modes.
package enum UserFile {
    /// The umask that the process was started with; it is a stricter one after the first use.
    package static let usualMask = Int(umask(0o077))

    /// Makes every file private from here on, but those of ``write(_:to:)``. Before the first thread, because the umask is
    /// the process's.
    static func makeOthersPrivate() { _ = usualMask }

    /// Writes a text, to a file in one step.
    static func write(_ text: SafeText, to path: String, makingFolders: Bool = false) throws {
        try write(Array(text.plain.utf8), to: path, makingFolders: makingFolders)
    }

    /// Writes bytes as ``write(_:to:makingFolders:)`` writes a text.
    static func write(_ bytes: [UInt8], to path: String, makingFolders: Bool = false) throws {
        let file = URL(fileURLWithPath: path)
        let manager = FileManager.default
        do {
            if makingFolders { try makeFolder(file.deletingLastPathComponent()) }
            let isNew = !manager.fileExists(atPath: file.path)
            // Replacing it would put a file in the place of a device, such as /dev/null, for the whole system.
            guard isNew || isRegular(file.path) else {
                let handle = try FileHandle(forWritingTo: file)
                try handle.write(contentsOf: Data(bytes))
                return try handle.close()
            }
            try Data(bytes).write(to: file, options: .atomic)
            if isNew { try manager.setAttributes([.posixPermissions: mode(0o666)], ofItemAtPath: file.path) }
        } catch {
            throw CommandFailure(status: .impossible, "cannot write \(path): \(error.systemReason)")
        }
    }

    /// Whether a path leads to a regular file, over symbolic links too.
    private static func isRegular(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    private static func makeFolder(_ folder: URL) throws {
        if FileManager.default.fileExists(atPath: folder.path) { return }
        try makeFolder(folder.deletingLastPathComponent())
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: mode(0o777)], ofItemAtPath: folder.path)
    }

    private static func mode(_ all: Int) -> Int { all & ~usualMask }
}
