import Foundation
import GlassBase
import GlassMarketFiles
import GlassPlatform
import GlassSiteFiles

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server that is asked for association files as a phone's system asks: https, and no redirects.
///
/// One on this machine's loopback, which may speak http, stands for every host: it is asked with the host's name in the
/// field `Host`.
struct SiteServer {
    private static let loopbackHosts: Set = ["localhost", "127.0.0.1", "::1", "[::1]"]
    /// Far more than devices read, so that the finding can say how much there is.
    private static let mostBytes = 4 << 20
    private static let deadline = Duration.seconds(20)

    private let url: URL
    private let host: String
    private let transport = HTTPTransport(maximumRedirects: 0) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.timeoutIntervalForRequest = 20
        return configuration
    }

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

    /// Asks for a file, where there is none also at the older place.
    func file(_ kind: ServedFile.Kind, of name: String) throws -> ServedFile {
        let file = try file(kind, of: name, at: kind.path)
        guard case .missing = file.content, let path = kind.olderPath else { return file }
        let older = try self.file(kind, of: name, at: path)
        if case .bytes = older.content { return older }
        return file
    }

    private func file(_ kind: ServedFile.Kind, of name: String, at path: String) throws -> ServedFile {
        let place = place(of: path, name)
        var request = URLRequest(url: place)
        if name != host { request.setValue(name, forHTTPHeaderField: "Host") }
        let shownPlace = Self.loopbackHosts.contains(host) ? "\(place) as \(name)" : "\(place)"
        let (transport, asked) = (transport, request)
        let answer = try BlockingCall.result { () async -> Result<HTTPTransport.Answer, HTTPTransport.Failure> in
            do throws(HTTPTransport.Failure) {
                return .success(
                    try await transport.send(asked, deadline: Self.deadline, maximumBytes: Self.mostBytes))
            } catch {
                return .failure(error)
            }
        }
        switch answer {
        case .success(let answer):
            let type = answer.response.value(forHTTPHeaderField: "Content-Type")
            return ServedFile(
                host: name, kind: kind, place: shownPlace, content: Self.content(of: answer), contentType: type,
                isAtOlderPlace: path != kind.path)
        case .failure(let failure):
            return ServedFile(host: name, kind: kind, place: shownPlace, content: Self.content(of: failure))
        }
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

    private static func content(of answer: HTTPTransport.Answer) -> ServedFile.Content {
        switch answer.response.statusCode {
        case 200: .bytes(Array(answer.body))
        case 403, 404, 410: .missing(status: answer.response.statusCode)
        // One without a place to go to, which the transfer library does not follow.
        case 300..<400: .redirect(to: nil)
        case let status: .status(status)
        }
    }

    private static func content(of failure: HTTPTransport.Failure) -> ServedFile.Content {
        switch failure {
        case .redirect(_, let target): .redirect(to: target?.absoluteString)
        case .tooLarge(let limit): .tooLong(limit: limit)
        case .url(let error): .unreachable(reason(of: error))
        case .cancelled, .closed: .unreachable("the request was cancelled")
        }
    }

    private static func reason(of error: URLError) -> String {
        switch error.code {
        case .timedOut: return "the server does not answer in time"
        case .cannotFindHost: return "there is no such host"
        case .cannotConnectToHost: return "nothing answers there"
        case .badServerResponse: return "the server answers with something that is no HTTP"
        case .networkConnectionLost: return "the server ends its answer too early"
        case .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot,
            .serverCertificateNotYetValid, .secureConnectionFailed:
            return "its certificate is not trusted: \(error.localizedDescription)"
        default: return "the request failed: \(error.localizedDescription)"
        }
    }
}
