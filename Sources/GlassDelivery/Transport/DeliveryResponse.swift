package import Foundation
import GlassTransfer

/// What an answer means for the request that it is for.
struct HTTPAnswerReading {
    let request: UpdateRequest
    let outcome: TransferOutcome
    let now: Date

    private var status: Int? { outcome.response?.status }
    private var body: [UInt8] { outcome.response.map { Array($0.body) } ?? [] }
    private func field(_ name: String) -> String? { outcome.response?.fields[name] }

    func response() throws(TransportFailure) -> UpdateResponse {
        switch (status, outcome.error) {
        // The status is enough where no content is wanted, however the rest of the answer comes.
        case (403, _), (404, _): return .missing(status: status ?? 404)
        case (304, _) where request.ifNoneMatch != nil: return .notModified
        case (let status?, _) where status == 429 || status >= 500:
            var failure = failure("the server answers \(status)", mayPass: true)
            failure.retryAfter = field("retry-after").flatMap { RetryAfter.duration($0, now: now) }
            throw failure
        case (let status?, nil): return try content(status)
        case (_, let error): throw interrupted(error)
        }
    }

    private func content(_ status: Int) throws(TransportFailure) -> UpdateResponse {
        switch status {
        case 200: return .content(body, entityTag: field("etag"))
        case 206 where continues:
            return .content((request.resuming?.bytes ?? []) + body, entityTag: field("etag"))
        // What we have is not what the server has: the next try begins anew.
        case 206, 416: throw failure("the server does not continue the file", mayPass: true)
        default: throw failure("the server answers \(status)", mayPass: false)
        }
    }

    /// Whether the content is the rest of what came before.
    private var continues: Bool {
        guard let partial = request.resuming, field("content-encoding") == nil else { return false }
        return field("content-range")?.lowercased().hasPrefix("bytes \(partial.bytes.count)-") == true
            && (field("etag") ?? partial.entityTag) == partial.entityTag
    }

    private func interrupted(_ error: TransferError?) -> TransportFailure {
        var failure: TransportFailure
        switch error {
        case .cancelled, .closed: failure = self.failure("it was cancelled", mayPass: false)
        case .timedOut: failure = self.failure("it takes longer than a refresh may", mayPass: false)
        case .silent(let time): failure = self.failure("nothing came for \(time)", mayPass: true)
        case .redirect(.tooMany(let limit), _):
            failure = self.failure("it redirects more than \(limit) times", mayPass: false)
        case .redirect(.insecure, _): failure = self.failure(UpdateServer.isNotHTTPS, mayPass: false)
        case .redirect(.refused(let text), _): failure = self.failure(text, mayPass: false)
        case .headTooLarge(let limit):
            failure = self.failure("the header of the answer is longer than \(limit) bytes", mayPass: true)
        case .failed(let error):
            failure = self.failure("the transfer failed: \(error.localizedDescription)", mayPass: true)
        case .bodyTooLarge:
            return TransportFailure(
                .tooLarge, "the server sends more than \(request.limit) bytes", received: body.count)
        case nil: failure = self.failure("no answer came", mayPass: true)
        }
        failure.partial = partial
        return failure
    }

    /// What can be continued: of a file with a strong entity tag, that was not compressed.
    private var partial: PartialFile? {
        guard let tag = field("etag"), !tag.hasPrefix("W/"), field("content-encoding") == nil else {
            // Nothing came this time, so that what came before is still good.
            return status == nil ? request.resuming : nil
        }
        switch status {
        case 200 where !body.isEmpty: return PartialFile(bytes: body, entityTag: tag)
        case 206 where continues:
            return PartialFile(bytes: (request.resuming?.bytes ?? []) + body, entityTag: tag)
        default: return nil
        }
    }

    private func failure(_ text: String, mayPass: Bool) -> TransportFailure {
        TransportFailure(.network, text, mayPass: mayPass, received: body.count)
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
