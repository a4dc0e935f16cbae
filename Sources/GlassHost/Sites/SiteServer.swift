import Foundation
import GlassBase
import GlassMarketFiles
import GlassSiteFiles
import GlassTransfer

/// A server that is asked for association files as a phone's system asks: https, and no redirects.
///
/// One on this machine's loopback, which may speak http, stands for every host: it is asked with the host's name in the
/// field `Host`.
struct SiteServer {
    private static let loopbackHosts: Set = ["localhost", "127.0.0.1", "::1", "[::1]"]
    /// Far more than devices read, so that the finding can say how much there is.
    private static let maximumBytes = 1 << 20
    /// The time for all files together, and how many are asked for at a time.
    private static let time = Duration.seconds(6)
    private static let maximumRequests = 16

    private let url: URL
    private let host: String
    private let transfer = HTTPTransfer(configuration: HTTPTransfer.isolated)

    /// Whether a text is a URL rather than the path of a folder.
    static func isURL(_ text: String) -> Bool { text.contains("://") }

    /// Names a server; asks nothing yet.
    init(_ text: String) throws(CommandFailure) {
        guard let url = URL(string: text), let host = url.host()?.lowercased(), !host.isEmpty,
            ["", "/"].contains(url.path()), url.query() == nil, url.fragment() == nil, url.user() == nil
        else {
            throw CommandFailure(
                status: .impossible, "\(text) is no URL of a site; expected one such as https://www.example.com")
        }
        let isHere = Self.loopbackHosts.contains(host)
        guard url.scheme?.lowercased() == "https" || (url.scheme?.lowercased() == "http" && isHere) else {
            throw CommandFailure(
                status: .impossible,
                "\(text) is no https URL; phones ask for nothing else, and http is right on this machine only")
        }
        self.url = url
        self.host = host
        transfer.limitConnections(to: Self.maximumRequests)
    }

    /// Which of the markets' hosts the server has the files of.
    func hosts(of known: [String]) throws(CommandFailure) -> [String] {
        if Self.loopbackHosts.contains(host) { return known }
        let both: Set = [host, host.hasPrefix("www.") ? String(host.dropFirst(4)) : "www." + host]
        let own = known.filter(both.contains)
        guard known.contains(host) else {
            throw CommandFailure(
                status: .no,
                "\(host) is no host of the market (deepLinking.universalLinks); it has \(known.joined(separator: ", "))"
            )
        }
        return own
    }

    /// Asks for the files of hosts, all within one time, until the body says that it is enough.
    ///
    /// Only so many files as are asked for at a time are in memory: a market may have hundreds of hosts.
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

    /// Asks for a file, where there is none also at the older place.
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
        // Of another answer the status says everything, and its content may never end.
        request.wantsBody = { $0 == 200 }
        let place = Self.loopbackHosts.contains(host) ? "\(asked) as \(name)" : "\(asked)"
        let outcome = await transfer.send(request)
        return ServedFile(
            host: name, kind: kind, place: place, content: Self.content(of: outcome),
            contentType: outcome.error == nil ? outcome.response?.fields["content-type"] : nil,
            isAtOlderPlace: path != kind.path)
    }

    /// On another host than that of the URL, the other of `www.` and the bare name is asked itself.
    private func place(of path: String, _ name: String) -> URL {
        var components = URLComponents()
        components.scheme = url.scheme
        components.host = Self.loopbackHosts.contains(host) ? host : name
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
                .unreachable("the header of the answer is longer than \(limit.grouped) bytes")
            case .cancelled, .closed: .unreachable("the request was cancelled")
            case .timedOut, .silent, .failed: .unreachable(reason(of: error.urlError))
            }
        }
        return switch answer.status {
        case 200: .bytes(Array(answer.body))
        case 403, 404, 410: .missing(status: answer.status)
        // One without a place to go to, which is not followed.
        case 300..<400: .redirect(to: nil)
        case let status: .status(status)
        }
    }

    private static func reason(of error: URLError) -> String {
        switch error.code {
        case .timedOut: return "the server does not answer in time"
        case .cannotFindHost: return "there is no such host"
        case .cannotConnectToHost: return "nothing answers there"
        case .badServerResponse, .cannotParseResponse, .cannotDecodeContentData:
            return "the server answers with something that is no HTTP"
        case .networkConnectionLost: return "the server ends its answer too early"
        case .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot,
            .serverCertificateNotYetValid, .secureConnectionFailed:
            return "its certificate is not trusted: \(error.localizedDescription)"
        default: return "the request failed: \(error.localizedDescription)"
        }
    }
}
