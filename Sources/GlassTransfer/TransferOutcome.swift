package import Foundation

/// A response.
package struct TransferResponse: Sendable {
    /// The final URL, after redirects.
    package var url: URL
    /// The status.
    package var status: Int
    /// The header fields, by lowercase name. Commas separate the values of a repeated field.
    package var fields: [String: String]
    /// The `Set-Cookie` fields.
    var cookies: [String] = []
    /// The content, after decompression.
    package var body = Data()

    /// The target of a redirect; nil if the response is not a redirect (RFC 9110, section 15.4).
    var redirectTarget: URL? {
        guard [301, 302, 303, 307, 308].contains(status), let location = fields["location"] else { return nil }
        return URL(string: location, relativeTo: url)?.absoluteURL
    }
}

/// The outcome of a transfer: a complete response, or an error with what arrived before it.
package struct TransferOutcome: Sendable {
    /// The response. If there is an error, the content is partial.
    package var response: TransferResponse?
    /// The reason why the response is incomplete.
    package var error: TransferError?

    /// The complete response.
    package func get() throws(TransferError) -> TransferResponse {
        if let error { throw error }
        guard let response else { throw .failed(URLError(.badServerResponse)) }
        return response
    }
}

/// The reason why a transfer ended early.
package enum TransferError: Error, Sendable, Equatable {
    /// The task was canceled.
    case cancelled
    /// The transfer was closed.
    case closed
    /// The transfer exceeded its time limit.
    case timedOut
    /// The server sent nothing for this long.
    case silent(Duration)
    /// The head of the response exceeds its limit.
    case headTooLarge(limit: Int)
    /// The content exceeds its limit.
    case bodyTooLarge(limit: Int)
    /// The policy or a limit refused a redirect.
    case redirect(RedirectRefusal, to: URL)
    /// The connection failed, broke, or carried something other than HTTP.
    case failed(URLError)

    /// The equivalent Foundation error.
    package var urlError: URLError {
        switch self {
        case .failed(let error): error
        case .cancelled, .closed: URLError(.cancelled)
        case .timedOut, .silent: URLError(.timedOut)
        case .headTooLarge, .bodyTooLarge: URLError(.dataLengthExceedsMaximum)
        case .redirect(.tooMany, _): URLError(.httpTooManyRedirects)
        case .redirect: URLError(.redirectToNonExistentLocation)
        }
    }
}

/// The reason why a redirect is refused.
package enum RedirectRefusal: Sendable, Equatable {
    /// There are too many redirects.
    case tooMany(limit: Int)
    /// The redirect leads from https to http.
    case insecure
    /// The request's policy refuses it.
    case refused(String)
}

/// Collects the response of one exchange within its limits. Each sender fills one, on its own thread or queue.
struct TransferIntake: Sendable {
    /// The next step after a part of the content.
    enum Verdict { case more, enough, over(TransferError) }

    let request: TransferRequest
    private(set) var outcome = TransferOutcome()
    /// The time for which the server may neither send nor receive bytes.
    let silence: Duration
    private var isUnwanted = false
    private var dropped = 0
    /// The announced length, the content limit, and the number of parts so far.
    private var announced = 0
    private var room = 0
    private var parts = 0
    /// The time by which the server must send something; nil while the deadline is suspended.
    private(set) var deadline: ContinuousClock.Instant?

    /// How much unwanted content is read, and for how long, so that the connection can be reused.
    private static let dropLimit = (bytes: 64 << 10, time: Duration.seconds(1))

    /// The limit of parts for any content. Each part costs time, so a server that sends single bytes could make a short
    /// content take seconds.
    private static let partLimit = 16_384

    init(_ request: TransferRequest, silence: Duration) {
        self.request = request
        self.silence = silence
        deadline = .now + silence
    }

    /// Records that bytes were sent or received. Unwanted content does not extend the deadline.
    mutating func noteProgress() {
        if !isUnwanted { deadline = .now + silence }
    }

    /// Suspends the deadline until bytes arrive, while the system waits for a network.
    mutating func suspendDeadline() { deadline = nil }

    /// Receives the head of the response.
    mutating func receive(status: Int, fields: [String: String], cookies: [String], from url: URL) {
        let response = TransferResponse(url: url, status: status, fields: fields, cookies: cookies)
        outcome.response = response
        // An announced length over the limit ends the transfer at once. With compression, the content has another
        // length.
        announced = fields["content-encoding"] == nil ? fields["content-length"].flatMap { Int($0) } ?? 0 : 0
        room = request.limits.bodyBytes - (status == 206 ? request.limits.resumedBytes : 0)
        isUnwanted =
            !request.wantsBody(status) || request.redirects.maximum != nil && response.redirectTarget != nil
        if isUnwanted { deadline = .now + Self.dropLimit.time }
    }

    /// Receives a part of the content.
    mutating func receive(_ bytes: UnsafeRawBufferPointer) -> Verdict {
        noteProgress()
        parts += 1
        // A copy of the response here would make `append` copy the whole content for each part.
        guard let count = outcome.response?.body.count else { return .over(.failed(URLError(.badServerResponse))) }
        if isUnwanted {
            dropped += bytes.count
            return dropped > Self.dropLimit.bytes || parts > Self.partLimit ? .enough : .more
        }
        guard announced <= room, count + bytes.count <= room, parts <= Self.partLimit + count / 16 else {
            return .over(.bodyTooLarge(limit: request.limits.bodyBytes))
        }
        outcome.response?.body.append(contentsOf: bytes)
        return .more
    }

    /// Ends the exchange. Errors in unwanted content change nothing.
    mutating func end(_ error: TransferError?) {
        if isUnwanted, error != .cancelled, error != .closed { return }
        outcome.error = error ?? (outcome.response == nil ? .failed(URLError(.badServerResponse)) : nil)
    }
}
