import Foundation
import GlassBase

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests. A sender keeps no cookies, follows no redirects, and has no overall deadline.
protocol TransferSender: Sendable {
    /// Sends a request and receives the response, with any status.
    func send(_ intake: TransferIntake, until stop: TransferStop) async -> TransferOutcome
    /// Changes the number of simultaneous connections to one host. With nil, the configuration decides.
    func limitConnections(to maximum: Int?)
    /// Closes the connections and accepts no more requests.
    func close()
}

/// The library that sends requests.
package enum TransferLibrary: Sendable, CaseIterable {
    /// Foundation's URL session. On Linux, only tests use it, to test what runs on a phone.
    case urlSession
    #if canImport(CCurl)
        /// libcurl, without FoundationNetworking.
        ///
        /// While a connection keeps delivering data, FoundationNetworking only reads: it ignores cancellation, delays
        /// other sessions, and keeps all data in memory. While a server is silent, it spins. Trailer fields crash the
        /// process. libcurl lets its caller stop after each block.
        case curl
    #endif

    /// The library that an app uses.
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

/// Ends a transfer from outside, once: on cancellation, at its deadline, or when the whole transfer closes.
final class TransferStop: Sendable {
    private struct State {
        var error: TransferError?
        var handler: (@Sendable (TransferError) -> Void)?
    }

    private let state = Lock(State())

    /// The reason why the transfer has to end; nil while it may continue.
    var error: TransferError? { state.withLock { $0.error } }

    /// Ends the transfer.
    func now(_ error: TransferError) {
        // Under the lock, so that the handler's resources still exist; see `handle`.
        state.withLock { state in
            guard state.error == nil else { return }
            state.error = error
            state.handler?(error)
        }
    }

    /// Sets the handler to call at the end. If the end has come, calls it at once. After this returns, the previous
    /// handler is not called.
    func handle(_ handler: (@Sendable (TransferError) -> Void)?) {
        state.withLock { state in
            state.handler = handler
            if let error = state.error { handler?(error) }
        }
    }
}
