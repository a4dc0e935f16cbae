package import Foundation

/// An answer.
package struct TransferResponse: Sendable {
    /// Where it came from, after redirects.
    package var url: URL
    /// Its status.
    package var status: Int
    /// Its header fields by lower-case names; the values of a repeated one are separated by commas.
    package var fields: [String: String]
    /// Its `Set-Cookie` fields.
    var cookies: [String] = []
    /// Its content, after decompression.
    package var body = Data()

    /// Where it redirects to; nil if it does not (RFC 9110, section 15.4).
    var redirectTarget: URL? {
        guard [301, 302, 303, 307, 308].contains(status), let location = fields["location"] else { return nil }
        return URL(string: location, relativeTo: url)?.absoluteURL
    }
}

/// What came of a transfer: a whole answer, or an error with what came before it.
package struct TransferOutcome: Sendable {
    /// The answer. Beside an error, the content is a part.
    package var response: TransferResponse?
    /// Why there is not more.
    package var error: TransferError?

    /// The whole answer.
    package func get() throws(TransferError) -> TransferResponse {
        if let error { throw error }
        guard let response else { throw .failed(URLError(.badServerResponse)) }
        return response
    }
}

/// Why a transfer ended before its end.
package enum TransferError: Error, Sendable, Equatable {
    /// The task was cancelled.
    case cancelled
    /// The transfer was closed.
    case closed
    /// It took longer than it may.
    case timedOut
    /// The server sent nothing for this long.
    case silent(Duration)
    /// The head of the answer is longer than it may be.
    case headTooLarge(limit: Int)
    /// The content is longer than it may be.
    case bodyTooLarge(limit: Int)
    /// A redirect that is not followed.
    case redirect(RedirectRefusal, to: URL)
    /// The connection failed, broke, or carried something else than HTTP.
    case failed(URLError)

    /// The same as Foundation tells it.
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

/// Why a redirect is not followed.
package enum RedirectRefusal: Sendable, Equatable {
    /// There are more than are followed.
    case tooMany(limit: Int)
    /// It leads from https to http.
    case insecure
    /// The policy of the request says so.
    case refused(String)
}

/// Takes what comes of one exchange, within its limits. Both senders fill one, on a thread or a queue of their own.
struct TransferIntake: Sendable {
    /// What a part of the content is for its transfer.
    enum Verdict { case more, enough, over(TransferError) }

    let request: TransferRequest
    private(set) var outcome = TransferOutcome()
    /// How long the server may send and take nothing.
    let silence: Duration
    private var isUnwanted = false
    private var dropped = 0
    /// The length that the head announces, how much content may come, and in how many parts it came.
    private var announced = 0
    private var room = 0
    private var parts = 0
    /// When the server must have sent something; nil while nobody waits for it.
    private(set) var deadline: ContinuousClock.Instant?

    /// What of an unwanted content is read, and for how long, so that its connection can be used again.
    private static let dropLimit = (bytes: 64 << 10, time: Duration.seconds(1))

    /// The parts that any content may come in. Each costs time, so that a server with one byte a part could make a short
    /// content the work of seconds.
    private static let partLimit = 16_384

    init(_ request: TransferRequest, silence: Duration) {
        self.request = request
        self.silence = silence
        deadline = .now + silence
    }

    /// Notes that bytes went or came. What follows an answer whose content is unwanted gains it no time.
    mutating func noteProgress() {
        if !isUnwanted { deadline = .now + silence }
    }

    /// Waits for the server as long as the system does, until bytes come.
    mutating func suspendDeadline() { deadline = nil }

    /// Takes the head of the answer.
    mutating func receive(status: Int, fields: [String: String], cookies: [String], from url: URL) {
        let response = TransferResponse(url: url, status: status, fields: fields, cookies: cookies)
        outcome.response = response
        // Nothing of what is announced as too long has to come. Of compressed content the length is another.
        announced = fields["content-encoding"] == nil ? fields["content-length"].flatMap { Int($0) } ?? 0 : 0
        room = request.limits.bodyBytes - (status == 206 ? request.limits.resumedBytes : 0)
        isUnwanted =
            !request.wantsBody(status) || request.redirects.maximum != nil && response.redirectTarget != nil
        if isUnwanted { deadline = .now + Self.dropLimit.time }
    }

    /// Takes a part of the content.
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

    /// Ends the exchange. What happens behind a head whose content is unwanted changes nothing.
    mutating func end(_ error: TransferError?) {
        if isUnwanted, error != .cancelled, error != .closed { return }
        outcome.error = error ?? (outcome.response == nil ? .failed(URLError(.badServerResponse)) : nil)
    }
}
