import Foundation
import GlassBase
import GlassMarketFiles
import GlassPlatform

/// Where the history of `repl` is kept.
enum ReplHistory {
    /// The file: what `GLASS_HISTORY` names, else one where the system wants such files (XDG Base Directory Specification
    /// 0.8, Apple's File System Programming Guide). Its folder is made, and nobody else can open it.
    static func file(on console: Console) -> String? {
        let environment = CommandContext.current.environment
        if let named = environment["GLASS_HISTORY"] { return named.isEmpty ? nil : file(named, on: console) }
        // Where there is no such variable, the user's entry in the system's list says it.
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
            console.error("keeps no history in \(folder.path): \(reason ?? error.systemReason)")
            return nil
        }
    }

    /// A file that can be replaced. A pipe would keep the prompt waiting, and a device would get the permissions of a file.
    private static func file(_ path: String, on console: Console) -> String? {
        do throws(FileFailure) {
            let (folder, name) = try ConfinedDirectory.target(named: path)
            try folder.checkTarget(name)
            return path
        } catch {
            console.error("keeps no history in \(path): \(error.reason)")
            return nil
        }
    }

    /// The folder of a program.
    static func folder(of program: String, _ environment: [String: String], home: URL) -> URL {
        #if os(macOS)
            return home.appending(path: "Library/Application Support").appending(path: program)
        #else
            // A relative one is to be ignored (the specification, Environment variables).
            let named = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
            return (named ?? home.appending(path: ".local/state")).appending(path: program)
        #endif
    }
}
