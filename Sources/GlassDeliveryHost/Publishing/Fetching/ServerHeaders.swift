import Foundation
import GlassTransfer

/// What a server says about how long its files may be kept: a cached answer at the wrong place looks like an attack to a
/// client, or keeps the news from it.
struct ServerHeaders: Sendable {
    /// The URL of the folder that is served.
    let url: URL
    private let transfer = HTTPTransfer(configuration: HTTPTransfer.isolated)

    init(url: URL) { self.url = url }

    /// How long a cache may keep that there is no newer root: a client asks for the next one at each refresh.
    private static let maximumNotFoundAge = 60
    /// Less than this for a file that never changes is a request too many, each time.
    private static let shortestImmutable = 86_400

    /// Asks for the headers of the files that matter.
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
                warnings.append("the server answers \(status) for a root that is not there; clients expect 404")
            } else if let age = Self.maximumAge(header), age > Self.maximumNotFoundAge {
                warnings.append(
                    "that there is no newer root may be cached for \(age) seconds; \(Self.maximumNotFoundAge) are the most that do no harm"
                )
            }
        }
        for path in ["metadata/\(root).root.json", target].compactMap(\.self) {
            guard let (status, header) = await cacheControl(path), status == 200 else { continue }
            if !header.contains("immutable"), Self.maximumAge(header) ?? 0 < Self.shortestImmutable {
                warnings.append(
                    "\(path) never changes, and the server lets no cache keep it; serve it with max-age=31536000, immutable"
                )
            }
        }
        return warnings
    }

    /// The status of a file and its `Cache-Control`; nil without an answer, which other checks tell.
    private func cacheControl(_ path: String) async -> (status: Int, header: String)? {
        var request = TransferRequest(
            url.appending(path: path), limits: TransferLimits(bodyBytes: 0, time: .seconds(30), silence: .seconds(10)))
        request.method = "HEAD"
        // Without an answer there is nothing to warn of: the check of the files themselves says that there is none.
        guard let answer = await transfer.send(request).response else { return nil }
        return (answer.status, (answer.fields["cache-control"] ?? "").lowercased())
    }

    /// The seconds of `max-age`; nil without it.
    static func maximumAge(_ header: String) -> Int? {
        header.firstMatch(of: /max-age=([0-9]+)/).flatMap { Int($0.1) }
    }
}
