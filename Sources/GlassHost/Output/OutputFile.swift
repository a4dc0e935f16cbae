import Foundation
import GlassBase

/// Files that the user asked for, with the modes that the user's umask gives.
///
/// Everything else that this process makes is state, and its owner's alone: Foundation keeps caches and user defaults in
/// files of its own, and asks only the umask for their modes.
package enum OutputFile {
    /// The umask that the process was started with; it is a stricter one after the first use.
    package static let usualMask = Int(umask(0o077))

    /// Makes every file private from here on, but those that are written here. Before the first thread, because the umask is
    /// the process's.
    static func makeOthersPrivate() { _ = usualMask }

    /// A file that a command writes below a folder that the user named, or beside the markets. A link on the way must not
    /// lead out of that folder.
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

        /// Looks whether the file can be written. Where there are several, all are looked at before one is written.
        func check() throws(CommandFailure) {
            try reporting(path) { () throws(FileFailure) in try folder.checkTarget(name) }
        }

        /// Writes a text.
        func write(_ text: DisplayText) throws(CommandFailure) { try write(Array(text.plain.utf8)) }

        /// Writes bytes, and makes the folders on the way.
        func write(_ bytes: [UInt8]) throws(CommandFailure) {
            let writing = ConfinedDirectory.Writing(mode: mode(0o666), folderMode: mode(0o777))
            try reporting(path) { () throws(FileFailure) in try folder.write(bytes, to: name, as: writing) }
        }
    }

    /// Writes a text to a file that the user named, in one step.
    static func write(_ text: DisplayText, to path: String) throws(CommandFailure) {
        try reporting(path) { () throws(FileFailure) in
            let (folder, name) = try ConfinedDirectory.target(named: path)
            try folder.write(Array(text.plain.utf8), to: name, as: ConfinedDirectory.Writing(mode: mode(0o666)))
        }
    }

    private static func reporting(_ path: String, _ body: () throws(FileFailure) -> Void) throws(CommandFailure) {
        do throws(FileFailure) {
            try body()
        } catch {
            throw CommandFailure(status: .impossible, "cannot write \(path): \(error.reason)")
        }
    }

    private static func mode(_ all: mode_t) -> mode_t { all & ~mode_t(usualMask) }
}
