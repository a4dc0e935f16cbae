import Dispatch
import GlassBase
import GlassMarketFiles
import Foundation

/// What Ctrl-C, a hang-up and a request to end do: the process removes what it made for itself and ends with the status
/// by which a shell reports the signal, 130 for Ctrl-C.
enum SignalHandling {
    private static let handler = Lock<(@Sendable () -> Bool)?>(nil)

    /// Asks first what Ctrl-C is to end.
    static func handle(_ handler: @escaping @Sendable () -> Bool) {
        self.handler.withLock { $0 = handler }
    }

    /// Handles the signals for the rest of the process.
    static func endWithStatusOfSignal() {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                // The handler keeps its source alive for as long as the process runs.
                _ = source
                if number == SIGINT, handler.withLock({ $0 })?() == true { return }
                StatusLine.shared.eraseAtEnd()
                GitCommand.endAll()
                CommandContext.ofProcess.temporaryState.remove()
                exit(128 + number)
            }
            source.resume()
        }
    }
}
