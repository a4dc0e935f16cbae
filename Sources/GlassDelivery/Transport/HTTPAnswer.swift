package import Foundation

/// How a transfer ended.
struct HTTPAnswer: Sendable {
    /// Why it ended before its end.
    enum Problem: Sendable, Equatable {
        case cancelled
        case tookTooLong
        case silent(Duration)
        case tooLarge
        case redirect(String)
        case failed(String)
    }

    /// The status; nil if no answer came.
    var status: Int?
    /// The header fields that matter, by lowercase names.
    var fields: [String: String] = [:]
    /// What came of the content.
    var body: [UInt8] = []
    /// Why there is not more.
    var problem: Problem?

    /// The header fields that matter.
    static let fieldsThatMatter = ["etag", "content-encoding", "content-range", "retry-after"]

    /// What a part of the content is for its transfer.
    enum Part { case wanted, unwanted, tooMuch }

    /// Adds a part of the content, if it is wanted.
    mutating func append(_ bytes: some Collection<UInt8>, limit: Int, already: Int) -> Part {
        // Nobody reads the page that comes with another status.
        guard let status, status == 200 || status == 206 else { return .unwanted }
        let before = status == 206 ? already : 0
        guard before + body.count + bytes.count <= limit else { return .tooMuch }
        body += bytes
        return .wanted
    }
}

/// What an answer means for the request that it is for.
struct HTTPAnswerReading {
    let request: UpdateRequest
    let answer: HTTPAnswer
    let now: Date

    func response() throws(TransportFailure) -> UpdateResponse {
        switch (answer.status, answer.problem) {
        // The status is enough where no content is wanted, however the rest of the answer comes.
        case (403, _), (404, _): return .missing(status: answer.status ?? 404)
        case (304, _) where request.ifNoneMatch != nil: return .notModified
        case (let status?, _) where status == 429 || status >= 500:
            var failure = failure("the server answers \(status)", mayPass: true)
            failure.retryAfter = answer.fields["retry-after"].flatMap { RetryAfter.duration($0, now: now) }
            throw failure
        case (let status?, nil): return try content(status)
        case (_, let problem): throw interrupted(problem)
        }
    }

    private func content(_ status: Int) throws(TransportFailure) -> UpdateResponse {
        switch status {
        case 200: return .content(answer.body, entityTag: answer.fields["etag"])
        case 206 where continues:
            return .content((request.resuming?.bytes ?? []) + answer.body, entityTag: answer.fields["etag"])
        // What we have is not what the server has: the next try begins anew.
        case 206, 416: throw failure("the server does not continue the file", mayPass: true)
        default: throw failure("the server answers \(status)", mayPass: false)
        }
    }

    /// Whether the content is the rest of what came before.
    private var continues: Bool {
        guard let partial = request.resuming, answer.fields["content-encoding"] == nil else { return false }
        return answer.fields["content-range"]?.lowercased().hasPrefix("bytes \(partial.bytes.count)-") == true
            && (answer.fields["etag"] ?? partial.entityTag) == partial.entityTag
    }

    private func interrupted(_ problem: HTTPAnswer.Problem?) -> TransportFailure {
        var failure: TransportFailure
        switch problem {
        case .cancelled: failure = self.failure("it was cancelled", mayPass: false)
        case .tookTooLong: failure = self.failure("it takes longer than a refresh may", mayPass: false)
        case .silent(let time): failure = self.failure("nothing came for \(time)", mayPass: true)
        case .redirect(let text): failure = self.failure(text, mayPass: false)
        case .failed(let text): failure = self.failure(text, mayPass: true)
        case .tooLarge:
            return TransportFailure(
                .tooLarge, "the server sends more than \(request.limit) bytes", received: answer.body.count)
        case nil: failure = self.failure("no answer came", mayPass: true)
        }
        failure.partial = partial
        return failure
    }

    /// What can be continued: of a file with a strong entity tag, that was not compressed.
    private var partial: PartialFile? {
        guard let tag = answer.fields["etag"], !tag.hasPrefix("W/"), answer.fields["content-encoding"] == nil else {
            // Nothing came this time, so that what came before is still good.
            return answer.status == nil ? request.resuming : nil
        }
        switch answer.status {
        case 200 where !answer.body.isEmpty: return PartialFile(bytes: answer.body, entityTag: tag)
        case 206 where continues:
            return PartialFile(bytes: (request.resuming?.bytes ?? []) + answer.body, entityTag: tag)
        default: return nil
        }
    }

    private func failure(_ text: String, mayPass: Bool) -> TransportFailure {
        TransportFailure(.network, text, mayPass: mayPass, received: answer.body.count)
    }
}

/// The field `Retry-After` (RFC 9110, section 10.2.3).
package enum RetryAfter {
    /// The longest that a server is left alone: it may be wrong too.
    package static let longest = Duration.seconds(24 * 3600)

    /// How long to wait.
    package static func duration(_ field: String, now: Date) -> Duration? {
        if !field.isEmpty, field.utf8.allSatisfy({ (48...57).contains($0) }) {
            return min(.seconds(Int(field) ?? .max / 2), longest)
        }
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        guard let date = format.date(from: field) else { return nil }
        return min(max(.seconds(date.timeIntervalSince(now)), .zero), longest)
    }
}
