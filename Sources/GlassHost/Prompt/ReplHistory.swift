import Foundation
import GlassBase
import GlassMarketFiles
import GlassPlatform

/// The location of the history of `repl`.
enum ReplHistory {
    /// The history file: the one that `GLASS_HISTORY` names, or else a file in the system's standard location (XDG Base
    /// Directory Specification 0.8, Apple's File System Programming Guide). Creates the folder of the latter, which
    /// only its owner can open.
    static func file(on console: Console) -> String? {
        let environment = CommandContext.current.environment
        if let named = environment["GLASS_HISTORY"] { return named.isEmpty ? nil : file(named, on: console) }
        // Without the variable, use the home directory from the user database.
        let home =
            environment["HOME"].map { URL(fileURLWithPath: $0) } ?? FileManager.default.homeDirectoryForCurrentUser
        let folder = folder(of: ProgramName.current, environment, home: home)
        do {
            try FileManager.default.createDirectory(
                at: folder.deletingLastPathComponent(), withIntermediateDirectories: true)
            try PrivateFolder.makeOrShare(folder)
            return file(folder.appending(path: "history").path, on: console)
        } catch {
            let reason = (error as? PrivateFolderError)?.description ?? (error as? POSIXFailure)?.reason
            console.error("cannot keep a history in \(folder.path): \(reason ?? error.systemReason)")
            return nil
        }
    }

    /// The path, if the file can be replaced. A pipe would block the prompt, and a device would get the permissions of
    /// a file.
    private static func file(_ path: String, on console: Console) -> String? {
        do throws(FileFailure) {
            let (folder, name) = try ConfinedDirectory.target(named: path)
            try folder.checkTarget(name)
            return path
        } catch {
            console.error("cannot keep a history in \(path): \(error.reason)")
            return nil
        }
    }

    /// The history folder of a program.
    static func folder(of program: String, _ environment: [String: String], home: URL) -> URL {
        #if os(macOS)
            return home.appending(path: "Library/Application Support").appending(path: program)
        #else
            // The specification requires that a relative path be ignored (Environment variables).
            let named = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
            return (named ?? home.appending(path: ".local/state")).appending(path: program)
        #endif
    }
}
