import Foundation

/// A cached response, and the HTTP rules for using it again (RFC 9111, for a private cache).
///
/// Where the RFC leaves a choice, it is conservative: responses that depend on cookies are not cached, and
/// contradictory directives make a response stale.
struct CachedMedia: Sendable, Codable, Equatable {
    /// The requested URL.
    var url: String
    /// The time at which the response was received or revalidated.
    var storedAt: Date
    /// The header fields of the response.
    var headers: HTTPFields
    /// The request fields that the response depends on (`Vary`), with their values; an absent field is empty.
    var varying: [String: String]

    /// The response fields that are useless later and may identify the user.
    private static let dropped = ["set-cookie", "set-cookie2", "www-authenticate", "authorization"]

    /// Creates the description of a response, or returns `nil` if it must not be cached.
    init?(_ response: NetworkResponse, url: URL, requestHeaders: HTTPFields, now: Date) {
        let directives = CacheDirectives(response.headers)
        guard response.status == 200, !directives.contains("no-store") else { return nil }
        var varying: [String: String] = [:]
        for name in response.headers.list("Vary").map({ $0.lowercased() }) {
            // Foundation adds cookies and credentials itself, so the values that were sent are not known here.
            guard name != "*", name != "cookie", name != "authorization" else { return nil }
            varying[name] = requestHeaders[name] ?? ""
        }
        self.url = url.absoluteString
        self.varying = varying
        storedAt = now
        headers = response.headers
        for name in Self.dropped { headers[name] = nil }
        // Without an expiration date and without a validator, it could never be used.
        guard isFresh(at: now) || !conditions.fields.isEmpty else { return nil }
    }

    /// Whether the response applies to a request with these fields.
    func fits(_ requestHeaders: HTTPFields) -> Bool {
        varying.allSatisfy { (requestHeaders[$0.key] ?? "") == $0.value }
    }

    /// Whether the response can be used without revalidation.
    func isFresh(at now: Date) -> Bool {
        guard let age = age(at: now), !CacheDirectives(headers).contains("no-cache") else { return false }
        return age < lifetime
    }

    /// Whether the response can be used if the server cannot be reached (RFC 5861 §4).
    func mayStandIn(at now: Date) -> Bool {
        let directives = CacheDirectives(headers)
        guard let age = age(at: now), let grace = directives.seconds("stale-if-error"),
            !directives.contains("must-revalidate"), !directives.contains("no-cache")
        else { return false }
        return age < lifetime + grace
    }

    /// The fields of a conditional request for revalidation (RFC 9110 §13.1); empty without a validator.
    var conditions: HTTPFields {
        var fields = HTTPFields()
        if let tag = headers["ETag"] {
            fields["If-None-Match"] = tag
        } else if let date = headers["Last-Modified"] {
            fields["If-Modified-Since"] = date
        }
        return fields
    }

    /// The response after the server has confirmed that it is still current.
    func confirmed(by confirmation: HTTPFields, at now: Date) -> CachedMedia {
        var updated = self
        updated.storedAt = now
        updated.headers["Age"] = nil
        for (name, value) in confirmation.fields
        where name != "content-length" && name != "content-encoding" && !Self.dropped.contains(name) {
            updated.headers[name] = value
        }
        return updated
    }

    /// The media type without parameters.
    var mimeType: String? {
        headers["Content-Type"].map {
            String($0.prefix { $0 != ";" }).trimmingCharacters(in: .whitespaces).lowercased()
        }
    }

    private func age(at now: Date) -> Double? {
        let resident = now.timeIntervalSince(storedAt)
        guard resident >= 0 else { return nil }
        return resident + (headers["Age"].flatMap { Double($0) }.map { max(0, $0) } ?? 0)
    }

    private var lifetime: Double {
        let directives = CacheDirectives(headers)
        if directives.contains("max-age") { return directives.seconds("max-age") ?? 0 }
        let date = headers["Date"].flatMap(HTTPDate.date(from:)) ?? storedAt
        if let expires = headers["Expires"] {
            // An invalid date, such as 0, means that the response has expired (RFC 9111 §5.3).
            return HTTPDate.date(from: expires).map { max(0, $0.timeIntervalSince(date)) } ?? 0
        }
        // Without an expiration date, use the heuristic of RFC 9111 §4.2.2: a tenth of the time since the last
        // modification, but at most a day.
        guard let modified = headers["Last-Modified"].flatMap(HTTPDate.date(from:)) else { return 0 }
        return min(max(0, date.timeIntervalSince(modified) * 0.1), 24 * 3600)
    }
}

/// The directives of `Cache-Control`.
private struct CacheDirectives {
    private var values: [String: String] = [:]
    private var contradictory: Set<String> = []

    init(_ headers: HTTPFields) {
        for element in headers.list("Cache-Control") {
            let parts = element.split(separator: "=", maxSplits: 1)
            guard let name = parts.first?.trimmingCharacters(in: .whitespaces).lowercased() else { continue }
            let value = parts.count == 2 ? parts[1].trimmingCharacters(in: CharacterSet(charactersIn: " \"")) : ""
            if let first = values[name], first != value { contradictory.insert(name) }
            values[name] = value
        }
        if values.isEmpty, headers["Pragma"]?.lowercased().contains("no-cache") == true { values["no-cache"] = "" }
    }

    func contains(_ name: String) -> Bool { values[name] != nil }

    /// The seconds of a directive; `nil` if it is absent, is not a number, or appears twice with different numbers.
    func seconds(_ name: String) -> Double? {
        guard !contradictory.contains(name), let text = values[name], !text.isEmpty,
            text.utf8.allSatisfy({ (48...57).contains($0) })
        else { return nil }
        return Double(text)
    }
}
