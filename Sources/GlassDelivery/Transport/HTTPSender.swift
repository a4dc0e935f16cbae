import Foundation

/// What sends requests.
protocol HTTPSender: Sendable {
    /// Sends a request, and follows the redirects that the server is allowed.
    func send(_ request: HTTPRequest, to server: UpdateServer) async -> HTTPAnswer
}

/// A request for a file.
struct HTTPRequest: Sendable {
    var url: URL
    /// The header fields, by their names.
    var fields: [String: String] = [:]
    /// The longest content, with what came before of it.
    var limit: Int
    /// How many bytes of content came before.
    var already = 0
    /// How long the answer may take.
    var timeLimit: Duration
    /// How long the server may send nothing.
    var silence: Duration
}

/// The library that an ``HTTPUpdateTransport`` sends with.
package enum HTTPLibrary: Sendable, CaseIterable {
    /// Foundation's.
    case urlSession
    #if canImport(CCurl)
        /// libcurl, which FoundationNetworking is built on, without FoundationNetworking.
        ///
        /// While a connection always has more, FoundationNetworking does nothing but read it: it hears of no cancellation,
        /// the requests of other sessions wait, and the process holds all that comes. libcurl itself lets its caller stop
        /// after each block.
        case curl
    #endif

    /// The one that an app uses.
    package static var standard: HTTPLibrary {
        #if canImport(CCurl)
            .curl
        #else
            .urlSession
        #endif
    }

    func makeSender() -> any HTTPSender {
        switch self {
        case .urlSession: URLSessionSender()
        #if canImport(CCurl)
            case .curl: CurlSender()
        #endif
        }
    }
}
