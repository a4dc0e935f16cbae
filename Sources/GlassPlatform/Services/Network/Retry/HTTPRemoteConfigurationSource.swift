import GlassBase
import Foundation
import GlassContainer

/// Remote configuration from a service of the market, asked with the customer's and the cart's identity.
package final class HTTPRemoteConfigurationSource: RemoteConfigurationSource, Disposable {
    private struct Known {
        let tag: String
        let configuration: RemoteConfiguration
    }

    private let networking: any Networking
    private let environment: any EnvironmentAPI
    private let auth: any QuimbyAuthProviding
    private let cart: any QuimbyCartProviding
    private let service: String
    private let path: String
    private let timeout: Duration
    private let known = Lock<Known?>(nil)

    /// Creates a source.
    package init(
        networking: any Networking, environment: any EnvironmentAPI, auth: any QuimbyAuthProviding,
        cart: any QuimbyCartProviding, service: String = "quimby", path: String = "ccm/v1",
        timeout: Duration = .seconds(3)
    ) {
        self.networking = networking
        self.environment = environment
        self.auth = auth
        self.cart = cart
        self.service = service
        self.path = path
        self.timeout = timeout
    }

    /// Asks the service; a configuration that has not changed is not sent again.
    package func fetch() async throws(RemoteConfigurationError) -> RemoteConfiguration {
        var request = NetworkRequest(.get, path, service: service)
        do {
            request.headers = try auth.headers().merging(try cart.headers()) { $1 }
        } catch {
            throw .noIdentity(cause: error)
        }
        request.headers["Accept"] = "application/json"
        request.timeout = timeout
        request.retry = .never
        let known = known.withLock { $0 }
        if let known { request.headers["If-None-Match"] = known.tag }
        let response: NetworkResponse
        do {
            response = try await networking.send(request)
        } catch {
            throw .unreachable(cause: error)
        }
        try requireMarket(response.url)
        if response.status == 304, let known { return known.configuration }
        let configuration = try RemoteConfiguration(
            json: response.body, origin: response.url.withoutSecrets)
        let tag = response.headers["ETag"]
        self.known.withLock { $0 = tag.map { Known(tag: $0, configuration: configuration) } }
        return configuration
    }

    /// Cancels the request and takes no more.
    package func dispose() { (networking as? any Disposable)?.dispose() }

    /// Refuses what came from elsewhere: who can answer for another host must not decide how this app behaves.
    private func requireMarket(_ url: URL) throws(RemoteConfigurationError) {
        // A service whose URL is malformed has no host.
        let hosts = environment.services.compactMap { try? environment.baseURL(for: $0).host }
        guard let host = url.host, hosts.contains(host), url.scheme == "https" || url.isOnThisMachine else {
            throw .foreign(host: url.host ?? "nowhere")
        }
    }
}

extension URL {
    /// Whether the URL leads to this machine, where cleartext is read by nobody else.
    fileprivate var isOnThisMachine: Bool { ["127.0.0.1", "localhost", "::1"].contains(host ?? "") }
}
