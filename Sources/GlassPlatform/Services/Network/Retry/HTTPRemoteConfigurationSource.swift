import GlassBase
import Foundation
import GlassContainer
import GlassTransfer

/// Remote configuration from a service of the market. Requests contain the identity of the customer and of the cart.
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

    /// Requests the configuration. The server does not send an unchanged configuration again.
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

    /// Cancels the request and rejects new ones.
    package func dispose() { (networking as? any Disposable)?.dispose() }

    /// Rejects responses from other hosts, which must not control this app.
    private func requireMarket(_ url: URL) throws(RemoteConfigurationError) {
        // A service with a malformed URL has no host.
        let hosts = environment.services.compactMap { try? environment.baseURL(for: $0).host }
        guard let host = url.host, hosts.contains(host), url.scheme == "https" || url.isOnThisMachine else {
            throw .foreign(host: url.host ?? "nowhere")
        }
    }
}
