import Dispatch
import Foundation

/// What Ctrl-C does: the process removes what it made for itself and ends with 130, as a shell reports SIGINT.
enum Interruption {
    /// Takes over SIGINT for the rest of the process.
    static func endWith130() {
        signal(SIGINT, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler {
            // The handler keeps its source alive for as long as the process runs.
            _ = source
            TemporaryState.shared.remove()
            exit(130)
        }
        source.resume()
    }
}
