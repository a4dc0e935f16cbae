import GlassBase
import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Listens on loopback and drops each connection without a response, or never responds.
final class ConnectionDropper: Sendable {
    let url: URL
    private let listener: Int32
    private let holds: Bool
    private let accepted = Lock<[Int32]>([])

    var connections: Int { accepted.withLock { $0.count } }

    init(holdsConnections: Bool = false) throws {
        #if canImport(Darwin)
            let kind = SOCK_STREAM
        #else
            let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        let listener = socket(AF_INET, kind, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 8) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard bound, let url = URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/") else {
            throw TestFailure()
        }
        self.url = url
        self.listener = listener
        holds = holdsConnections
        Thread.detachNewThread { [accepted] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                // Recorded before the connection is dropped, because a client that notices the drop may read this
                // immediately.
                accepted.withLock { $0.append(connection) }
                if !holdsConnections { close(connection) }
            }
        }
    }

    deinit {
        shutdown(listener, Int32(2))
        close(listener)
        if holds { accepted.withLock { $0.forEach { close($0) } } }
    }
}
