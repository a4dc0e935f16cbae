import Foundation
import GlassTransfer

/// The caching headers of a server. A response cached in the wrong place looks like an attack to a client, or hides
/// updates from it.
struct ServerHeaders: Sendable {
    /// The URL of the published folder.
    let url: URL
    private let transfer = HTTPTransfer(configuration: HTTPTransfer.isolated)

    init(url: URL) { self.url = url }

    /// The maximum number of seconds that a cache may keep the absence of a newer root, which a client requests at each
    /// refresh.
    private static let maximumNotFoundAge = 60
    /// The minimum cache lifetime of a file that never changes, in seconds. A shorter one causes needless requests.
    private static let shortestImmutable = 86_400

    /// Requests the headers of the relevant files.
    func warnings(root: Int, target: String?) async -> [String] {
        var warnings: [String] = []
        if let (status, header) = await cacheControl("metadata/timestamp.json"), status == 200 {
            let age = Self.maximumAge(header)
            if !header.contains("no-cache"), !header.contains("no-store"), age ?? .max > 0 {
                warnings.append(
                    "metadata/timestamp.json may be cached (Cache-Control: \(header.isEmpty ? "none" : header)); serve it with no-cache"
                )
            }
        }
        if let (status, header) = await cacheControl("metadata/\(root + 1).root.json") {
            if status != 404, status != 403 {
                warnings.append(
                    "the server responds with status \(status) for a root that does not exist; clients expect 404")
            } else if let age = Self.maximumAge(header), age > Self.maximumNotFoundAge {
                warnings.append(
                    "the absence of a newer root may be cached for \(age) seconds; "
                        + "the safe maximum is \(Self.maximumNotFoundAge)"
                )
            }
        }
        for path in ["metadata/\(root).root.json", target].compactMap(\.self) {
            guard let (status, header) = await cacheControl(path), status == 200 else { continue }
            if !header.contains("immutable"), Self.maximumAge(header) ?? 0 < Self.shortestImmutable {
                warnings.append(
                    "\(path) never changes, but the server does not let caches keep it; "
                        + "serve it with max-age=31536000, immutable"
                )
            }
        }
        return warnings
    }

    /// The status and the `Cache-Control` header of a file. Returns `nil` without a response, which other checks
    /// report.
    private func cacheControl(_ path: String) async -> (status: Int, header: String)? {
        var request = TransferRequest(
            url.appending(path: path), limits: TransferLimits(bodyBytes: 0, time: .seconds(30), silence: .seconds(10)))
        request.method = "HEAD"
        guard let answer = await transfer.send(request).response else { return nil }
        return (answer.status, (answer.fields["cache-control"] ?? "").lowercased())
    }

    /// The seconds of `max-age`, if present.
    static func maximumAge(_ header: String) -> Int? {
        header.firstMatch(of: /max-age=([0-9]+)/).flatMap { Int($0.1) }
    }
}
