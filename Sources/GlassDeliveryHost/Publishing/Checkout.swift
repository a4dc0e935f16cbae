import Dispatch
import Foundation
import GlassMarketFiles

/// The git checkout that the markets lie in: what is published should be found in it later.
package enum Checkout {
    /// The files of a folder that differ from what is committed.
    package static func uncommittedFiles(in folder: String) throws(PublishingError) -> [String] {
        guard try git("rev-parse", "--is-inside-work-tree", in: folder).status == 0 else { return [] }
        // The form for programs: it does not depend on the user's settings.
        let (status, output) = try git(
            "status", "--porcelain=v1", "--untracked-files=all", "--no-renames", "-z", "--", ".", in: folder)
        guard status == 0 else {
            throw .impossible("git status in \(folder) ended with status \(status); run it to see why")
        }
        // Two letters, a space, and the name.
        return output.split(separator: 0).map { String(decoding: $0.dropFirst(3), as: UTF8.self) }
    }

    private static func git(
        _ arguments: String..., in folder: String
    ) throws(PublishingError) -> (status: Int32, output: Data) {
        let process = Process()
        // `env` ends with 127 where there is no git.
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["git", "-C", folder] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        let ended: DispatchSemaphore
        do {
            ended = try process.start()
        } catch {
            throw .impossible("cannot run git in \(folder): \(error.localizedDescription)")
        }
        let answer = output.fileHandleForReading.readDataToEndOfFile()
        ended.wait()
        return (process.terminationStatus, answer)
    }
}
