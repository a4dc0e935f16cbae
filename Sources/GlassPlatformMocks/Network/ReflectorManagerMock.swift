import GlassBase
package import GlassPlatform

/// Stores backends without cookies, for the given services.
package final class ReflectorManagerMock: ReflectorManager {
    private let services: [String]
    private let pointed = Lock<[String: String]>([:])

    /// Creates a mock.
    package init(services: [String] = ["api"]) {
        self.services = services
    }

    /// The backends by service.
    package var backends: [String: String] { pointed.withLock { $0 } }

    /// Routes requests to a backend.
    package func point(to backend: String, service: String?) throws(ReflectorError) {
        guard !backend.isEmpty, backend.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ";") }) else {
            throw .malformedBackend(backend)
        }
        try set(backend, service)
    }

    /// Removes backends.
    package func clear(service: String?) throws(ReflectorError) { try set(nil, service) }

    private func set(_ backend: String?, _ service: String?) throws(ReflectorError) {
        if let service, !services.contains(service) {
            throw .environment(.unknownService(service, environment: "mock", services: services))
        }
        pointed.withLock { pointed in
            for name in service.map({ [$0] }) ?? services { pointed[name] = backend }
        }
    }
}
