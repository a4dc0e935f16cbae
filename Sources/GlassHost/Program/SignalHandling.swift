import Dispatch
import GlassBase
import GlassMarketFiles
import Foundation
import GlassAuthoring

/// The handling of SIGINT, SIGTERM, and SIGHUP: the process removes its temporary files and exits with the status that
/// a shell reports for the signal, such as 130 for Ctrl-C.
enum SignalHandling {
    private static let handler = Lock<(@Sendable () -> Bool)?>(nil)

    /// Sets a handler that runs first on Ctrl-C, and returns whether it handled the signal.
    static func handle(_ handler: @escaping @Sendable () -> Bool) {
        self.handler.withLock { $0 = handler }
    }

    /// Handles the signals for the rest of the process.
    static func endWithStatusOfSignal() {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            // A dispatch source does not replace the default action, which would end the process.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                // The handler keeps its source alive until the process exits.
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
