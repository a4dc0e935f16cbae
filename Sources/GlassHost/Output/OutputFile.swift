import Foundation
import GlassBase

/// Files that the user requested, created with the permissions of the user's umask.
///
/// All other files that this process creates are private state. Foundation creates its own files for caches and user
/// defaults, and only the umask controls their permissions.
package enum OutputFile {
    /// The umask that the process started with. The first access replaces it with a stricter one.
    package static let usualMask = Int(umask(0o077))

    /// Makes every file private from here on, except those written by this type. Call it before the first thread
    /// starts, because the umask is process-wide.
    static func makeOthersPrivate() { _ = usualMask }

    /// Whether there is a file. A dangling symbolic link counts as one, too.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// A file that a command writes below a folder that the user named, or next to the markets. A symbolic link on the
    /// way must not lead out of that folder.
    struct Target {
        private let folder: ConfinedDirectory
        private let name: String
        /// The path, for messages and results.
        let path: String

        init(_ name: String, below folder: String) {
            self.folder = ConfinedDirectory(folder.isEmpty ? "." : folder)
            self.name = name
            path = folder.isEmpty || folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
        }

        /// Checks whether the file can be written. If there are several, check all of them before writing one.
        func check() throws(CommandFailure) {
            try reporting(path) { () throws(FileFailure) in try folder.checkTarget(name) }
        }

        /// Writes text.
        func write(_ text: DisplayText) throws(CommandFailure) { try write(Array(text.plain.utf8)) }

        /// Writes bytes, and creates the folders on the way.
        func write(_ bytes: [UInt8]) throws(CommandFailure) {
            let writing = ConfinedDirectory.Writing(mode: mode(0o666), folderMode: mode(0o777))
            try reporting(path) { () throws(FileFailure) in try folder.write(bytes, to: name, as: writing) }
        }

        /// Removes the file.
        func remove() throws(CommandFailure) {
            try reporting(path, "remove") { () throws(FileFailure) in try folder.remove(name) }
        }
    }

    /// Writes text to a file that the user named, in one step.
    static func write(_ text: DisplayText, to path: String) throws(CommandFailure) {
        try reporting(path) { () throws(FileFailure) in
            let (folder, name) = try ConfinedDirectory.target(named: path)
            try folder.write(Array(text.plain.utf8), to: name, as: ConfinedDirectory.Writing(mode: mode(0o666)))
        }
    }

    private static func reporting(
        _ path: String, _ verb: String = "write", _ body: () throws(FileFailure) -> Void
    ) throws(CommandFailure) {
        do throws(FileFailure) {
            try body()
        } catch {
            throw CommandFailure(status: .impossible, "cannot \(verb) \(path): \(error.reason)")
        }
    }

    private static func mode(_ all: mode_t) -> mode_t { all & ~mode_t(usualMask) }
}
