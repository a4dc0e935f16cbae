import Foundation
import GlassBase

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What sends requests. It keeps no cookies, follows no redirects, and knows no deadline for the whole.
protocol TransferSender: Sendable {
    /// Sends a request and takes the answer, whatever it is.
    func send(_ intake: TransferIntake, until stop: TransferStop) async -> TransferOutcome
    /// Changes how many connections to one host there are at a time; nil is what the configuration says.
    func limitConnections(to maximum: Int?)
    /// Closes the connections and takes no more.
    func close()
}

/// The library that sends.
package enum TransferLibrary: Sendable, CaseIterable {
    /// Foundation's. On Linux it is there for tests alone: what a phone runs is tested there.
    case urlSession
    #if canImport(CCurl)
        /// libcurl itself, without FoundationNetworking.
        ///
        /// While a connection always has more, FoundationNetworking does nothing but read it: it hears of no
        /// cancellation, the requests of other sessions wait, and the process holds all that comes. While a server says
        /// nothing, it spins. It stops the process at trailer fields. libcurl lets its caller stop after each block.
        case curl
    #endif

    /// The one that an app uses.
    package static var standard: TransferLibrary {
        #if canImport(CCurl)
            .curl
        #else
            .urlSession
        #endif
    }

    func makeSender(_ configuration: URLSessionConfiguration) -> any TransferSender {
        switch self {
        case .urlSession: URLSessionSender(configuration)
        #if canImport(CCurl)
            case .curl: CurlSender(configuration)
        #endif
        }
    }
}

/// Ends a transfer from outside, once: its caller, its deadline, or who closes all of them.
final class TransferStop: Sendable {
    private struct State {
        var error: TransferError?
        var handler: (@Sendable (TransferError) -> Void)?
    }

    private let state = Lock(State())

    /// Why the transfer is to end; nil if it is not.
    var error: TransferError? { state.withLock { $0.error } }

    /// Ends the transfer.
    func now(_ error: TransferError) {
        // Under the lock, so that what the handler uses is still there; see `handle`.
        state.withLock { state in
            guard state.error == nil else { return }
            state.error = error
            state.handler?(error)
        }
    }

    /// Lets a handler hear of the end, at once if it has come. The handler before it hears no more when this returns.
    func handle(_ handler: (@Sendable (TransferError) -> Void)?) {
        state.withLock { state in
            state.handler = handler
            if let error = state.error { handler?(error) }
        }
    }
}
