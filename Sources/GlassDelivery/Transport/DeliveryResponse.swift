package import Foundation
import GlassTransfer

/// Interprets a response in the context of its request.
struct HTTPResponseReading {
    let request: UpdateRequest
    let outcome: TransferOutcome
    let now: Date

    private var status: Int? { outcome.response?.status }
    private var body: [UInt8] { outcome.response.map { Array($0.body) } ?? [] }
    private func field(_ name: String) -> String? { outcome.response?.fields[name] }

    func response() throws(TransportFailure) -> UpdateResponse {
        switch (status, outcome.error) {
        // The status is sufficient if no content is expected, even if the rest of the response is incomplete.
        case (403, _), (404, _): return .missing(status: status ?? 404)
        case (304, _) where request.ifNoneMatch != nil: return .notModified
        case (let status?, _) where status == 429 || status >= 500:
            var failure = failure("the server responded with status \(status)", mayPass: true)
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
        // The partial file does not match the server's file, so the next attempt starts over.
        case 206, 416: throw failure("the server did not resume the file", mayPass: true)
        default: throw failure("the server responded with status \(status)", mayPass: false)
        }
    }

    /// Whether the content continues the partial file.
    private var continues: Bool {
        guard let partial = request.resuming, field("content-encoding") == nil else { return false }
        return field("content-range")?.lowercased().hasPrefix("bytes \(partial.bytes.count)-") == true
            && (field("etag") ?? partial.entityTag) == partial.entityTag
    }

    private func interrupted(_ error: TransferError?) -> TransportFailure {
        var failure: TransportFailure
        switch error {
        case .cancelled, .closed: failure = self.failure("it was canceled", mayPass: false)
        case .timedOut: failure = self.failure("it exceeded the time limit of a refresh", mayPass: false)
        case .silent(let time): failure = self.failure("no data was received for \(time)", mayPass: true)
        case .redirect(.tooMany(let limit), _):
            failure = self.failure("it redirects more than \(limit) times", mayPass: false)
        case .redirect(.insecure, _): failure = self.failure(UpdateServer.isNotHTTPS, mayPass: false)
        case .redirect(.refused(let text), _): failure = self.failure(text, mayPass: false)
        case .headTooLarge(let limit):
            failure = self.failure("the header of the response is longer than \(limit) bytes", mayPass: true)
        case .failed(let error):
            failure = self.failure("the transfer failed: \(error.localizedDescription)", mayPass: true)
        case .bodyTooLarge:
            return TransportFailure(
                .tooLarge, "the server sent more than \(request.limit) bytes", received: body.count)
        case nil: failure = self.failure("the server did not respond", mayPass: true)
        }
        failure.partial = partial
        return failure
    }

    /// The part of a file that can be resumed: the file needs a strong entity tag and must not be compressed.
    private var partial: PartialFile? {
        guard let tag = field("etag"), !tag.hasPrefix("W/"), field("content-encoding") == nil else {
            // Nothing was received this time, so the earlier part remains valid.
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
    /// The longest delay that a server can request. It is limited because the server may send a wrong value.
    package static let longest = Duration.seconds(24 * 3600)

    /// Parses the delay, given in seconds or as a date.
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
