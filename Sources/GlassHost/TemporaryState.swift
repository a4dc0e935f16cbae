import GlassBase
import Foundation
import GlassMarketFiles
import GlassMarkets
import GlassPlatform

/// The folder for what services persist in a run that names none; it is removed when the process ends.
final class TemporaryState: Sendable {
    private let folder = Lock<URL?>(nil)
    private static let attempts = 20

    /// The folder, made on first use.
    func make() throws -> URL {
        try folder.withLock { folder in
            if let folder { return folder }
            let name = "\(ProgramName.current)-\(UUID().uuidString)"
            let made = FileManager.default.temporaryDirectory.appending(path: name)
            try PrivateFolder.make(made)
            folder = made
            if CommandContext.current.ownsProcess { atexit { CommandContext.ofProcess.temporaryState.remove() } }
            return made
        }
    }

    /// Removes the folder, if it was made.
    func remove() {
        folder.withLock { folder in
            guard let made = folder else { return }
            folder = nil
            // A service at work may put a file back while the folder is emptied, so one failure is not the last word.
            for attempt in 1...Self.attempts {
                do {
                    return try FileManager.default.removeItem(at: made)
                } catch {
                    guard attempt == Self.attempts else {
                        usleep(10_000)
                        continue
                    }
                    Console.message("\(ProgramName.current): cannot remove \(made.path): \(error.systemReason)")
                }
            }
        }
    }
}
