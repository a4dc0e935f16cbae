import Foundation
import GlassBase
import GlassMarketFiles
import GlassSites
import GlassAuthoring
import GlassTransfer

/// A server from which association files are requested the way phones do: over HTTPS, and without redirects.
///
/// A server on this machine's loopback interface, which can use HTTP, represents every host: requests contain the name
/// of the host in the field `Host`.
struct SiteServer {
    /// Far more than devices read, so that the finding can report the size.
    private static let maximumBytes = 1 << 20
    /// The time limit for all files together, and the maximum number of concurrent requests.
    private static let time = Duration.seconds(6)
    private static let maximumRequests = 16

    private let url: URL
    private let host: String
    private let transfer = HTTPTransfer(configuration: HTTPTransfer.isolated)

    /// Whether a text is a URL rather than the path of a folder.
    static func isURL(_ text: String) -> Bool { text.contains("://") }

    /// Creates a server, without contacting it.
    init(_ text: String) throws(CommandFailure) {
        guard let url = URL(string: text), let host = url.host()?.lowercased(), !host.isEmpty,
            ["", "/"].contains(url.path()), url.query() == nil, url.fragment() == nil, url.user() == nil
        else {
            throw CommandFailure(
                status: .impossible, "\(text) is not the URL of a site; expected for example https://www.example.com")
        }
        guard url.scheme?.lowercased() == "https" || (url.scheme?.lowercased() == "http" && url.isOnThisMachine) else {
            throw CommandFailure(
                status: .impossible,
                "\(text) is not an https URL; http is allowed only for this machine")
        }
        self.url = url
        self.host = host
        transfer.limitConnections(to: Self.maximumRequests)
    }

    /// The hosts whose files the server provides: all of them on the loopback interface; otherwise the URL's host, and
    /// the one with or without `www.`.
    func hosts(of files: SiteFiles) throws(CommandFailure) -> [String] {
        let known = files.hosts
        if url.isOnThisMachine { return known }
        let both: Set = [host, host.hasPrefix("www.") ? String(host.dropFirst(4)) : "www." + host]
        let own = known.filter(both.contains)
        guard known.contains(host) else {
            if let other = files.fileHost(for: host) {
                throw CommandFailure(
                    status: .no,
                    "the links of \(host) are those of *.\(other), whose files devices read from \(other); verify "
                        + "https://\(other)")
            }
            throw CommandFailure(
                status: .no,
                known.isEmpty
                    ? "the market has no hosts (deepLinking.universalLinks), so also not \(host)"
                    : "the market has no host \(host) (deepLinking.universalLinks), only \(known.joined(separator: ", "))"
            )
        }
        return own
    }

    /// Requests the files of hosts, within one time limit, until `body` returns false.
    ///
    /// Only the files of concurrent requests are in memory at the same time, because a market may have hundreds of
    /// hosts.
    func forEachFile(of names: [String], _ body: (ServedFile) -> Bool) throws {
        let deadline = ContinuousClock.now + Self.time
        let wanted = names.flatMap { name in ServedFile.Kind.allCases.map { (kind: $0, name: name) } }
        for start in stride(from: 0, to: wanted.count, by: Self.maximumRequests) {
            let some = wanted[start..<min(start + Self.maximumRequests, wanted.count)]
            let files = try BlockingCall.result {
                await withTaskGroup(of: (Int, ServedFile).self) { group in
                    for (index, (kind, name)) in zip(some.indices, some) {
                        group.addTask { (index, await self.file(kind, of: name, until: deadline)) }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
            }
            for (_, file) in files.sorted(by: { $0.0 < $1.0 }) where !body(file) { return }
        }
    }

    /// Requests a file and, if it is missing, the file at the older location.
    private func file(
        _ kind: ServedFile.Kind, of name: String, until deadline: ContinuousClock.Instant
    ) async -> ServedFile {
        let file = await file(kind, of: name, at: kind.path, until: deadline)
        guard case .missing = file.content, let path = kind.olderPath else { return file }
        let older = await self.file(kind, of: name, at: path, until: deadline)
        if case .bytes = older.content { return older }
        return file
    }

    private func file(
        _ kind: ServedFile.Kind, of name: String, at path: String, until deadline: ContinuousClock.Instant
    ) async -> ServedFile {
        let asked = place(of: path, name)
        let time = max(.zero, deadline - .now)
        var request = TransferRequest(asked, limits: TransferLimits(bodyBytes: Self.maximumBytes, time: time))
        if name != host { request.fields["Host"] = name }
        request.redirects = RedirectPolicy(maximum: 0)
        // For any other response, the status is enough, and the body may never end.
        request.wantsBody = { $0 == 200 }
        let place = url.isOnThisMachine ? "\(asked) as \(name)" : "\(asked)"
        let outcome = await transfer.send(request)
        return ServedFile(
            host: name, kind: kind, place: place, content: Self.content(of: outcome),
            contentType: outcome.error == nil ? outcome.response?.fields["content-type"] : nil,
            isAtOlderPlace: path != kind.path)
    }

    /// The URL of a file. If a host differs from the one in the given URL by `www.`, its own server is contacted.
    private func place(of path: String, _ name: String) -> URL {
        var components = URLComponents()
        components.scheme = url.scheme
        components.host = url.isOnThisMachine ? host : name
        components.port = url.port
        components.path = path
        return components.url ?? url.appending(path: path)
    }

    private static func content(of outcome: TransferOutcome) -> ServedFile.Content {
        let answer: TransferResponse
        do throws(TransferError) {
            answer = try outcome.get()
        } catch {
            return switch error {
            case .redirect(_, let target): .redirect(to: target.absoluteString)
            case .bodyTooLarge(let limit): .tooLong(limit: limit)
            case .headTooLarge(let limit):
                .unreachable("the header of the response is longer than \(limit.grouped) bytes")
            case .cancelled, .closed: .unreachable("the request was cancelled")
            case .timedOut, .silent, .failed: .unreachable(reason(of: error.urlError))
            }
        }
        return switch answer.status {
        case 200: .bytes(Array(answer.body))
        case 403, 404, 410: .missing(status: answer.status)
        // A redirect without a target, which is not followed.
        case 300..<400: .redirect(to: nil)
        case let status: .status(status)
        }
    }

    private static func reason(of error: URLError) -> String {
        switch error.code {
        case .timedOut: return "the server did not respond in time"
        case .cannotFindHost: return "the host was not found"
        case .cannotConnectToHost: return "the server cannot be reached"
        case .badServerResponse, .cannotParseResponse, .cannotDecodeContentData:
            return "the server did not send a valid HTTP response"
        case .networkConnectionLost: return "the server ended its response too early"
        case .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot,
            .serverCertificateNotYetValid, .secureConnectionFailed:
            return "its certificate is not trusted: \(error.localizedDescription)"
        default: return "the request failed: \(error.localizedDescription)"
        }
    }
}
