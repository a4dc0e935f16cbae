import GlassBase
import Foundation
import GlassMarketFiles
import GlassMarkets
import GlassPlatform

/// The folder where services store their state, if the user does not name one. Removed when the process exits.
final class TemporaryState: Sendable {
    private let folder = Lock<URL?>(nil)
    private static let attempts = 20

    /// The folder, created on first use.
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

    /// Removes the folder, if it was created.
    func remove() {
        folder.withLock { folder in
            guard let made = folder else { return }
            folder = nil
            // A running service may recreate a file while the folder is being emptied, so try again.
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
