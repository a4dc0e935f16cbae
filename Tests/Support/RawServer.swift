package import Foundation
package import GlassBase

/// A local server that sends what a test specifies, byte for byte, whether or not it is HTTP.
package final class RawServer: Sendable {
    /// One connection: the request, and methods to respond.
    package struct Connection: Sendable {
        /// The request up to the empty line.
        package let request: String
        /// The number of earlier requests.
        package let number: Int
        fileprivate let descriptor: Int32

        /// The path in the request line.
        package var path: String { String(request.split(separator: " ", maxSplits: 2).dropFirst().first ?? "") }

        /// A header field of the request; `nil` if missing.
        package func field(_ name: String) -> String? {
            let prefix = name.lowercased() + ": "
            return request.split(separator: "\r\n").first { $0.lowercased().hasPrefix(prefix) }.map {
                String($0.dropFirst(prefix.count))
            }
        }

        /// Sends bytes; returns `false` if the peer has closed the connection.
        @discardableResult package func send(_ bytes: [UInt8]) -> Bool {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { sendQuietly(descriptor, $0.baseAddress, $0.count) }
                if count <= 0 { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }

        /// Sends a status, fields and a body with its length.
        @discardableResult package func answer(_ status: Int, _ fields: [String: String] = [:], _ body: String = "")
            -> Bool
        {
            head(status, fields.merging(["Content-Length": "\(body.utf8.count)"]) { own, _ in own })
                && send(Array(body.utf8))
        }

        /// Sends a status and fields.
        @discardableResult package func head(_ status: Int, _ fields: [String: String]) -> Bool {
            let lines = fields.map { "\($0.key): \($0.value)\r\n" }.joined()
            return send(Array("HTTP/1.1 \(status) X\r\nConnection: close\r\n\(lines)\r\n".utf8))
        }

        /// Reads the content of the request.
        package func readBody() -> [UInt8] {
            let length = field("Content-Length").flatMap { Int($0) } ?? 0
            var body = [UInt8](repeating: 0, count: length)
            var count = 0
            while count < length {
                let read = body.withUnsafeMutableBytes {
                    recv(descriptor, $0.baseAddress.map { $0 + count }, length - count, 0)
                }
                if read <= 0 { break }
                count += read
            }
            return Array(body.prefix(count))
        }

        /// Waits for another request on this connection; returns `false` if the peer has closed it.
        package func hasNextRequest() -> Bool { !readRequest(descriptor).isEmpty }

        /// Waits until the peer closes the connection.
        package func waitForEnd() {
            var byte: UInt8 = 0
            while recv(descriptor, &byte, 1, 0) > 0 {}
        }
    }

    package let url: URL
    /// The requests so far.
    package let requests = Lock<[Connection]>([])
    private let listener: Int32

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - readsRequest: Whether it reads the request before it responds.
    ///   - handler: Responds on a connection, on its own thread; the connection is closed afterwards.
    package init(readsRequest: Bool = true, _ handler: @escaping @Sendable (Connection) -> Void) throws {
        let listener = makeSocket()
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer -> UInt16? in
                guard bind(listener, pointer, length) == 0, listen(listener, 16) == 0,
                    getsockname(listener, pointer, &length) == 0
                else { return nil }
                return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    UInt16(bigEndian: $0.pointee.sin_port)
                }
            }
        }
        guard let port, let url = URL(string: "http://127.0.0.1:\(port)/base") else { throw POSIXError(.EADDRINUSE) }
        self.url = url
        self.listener = listener
        let requests = requests
        Thread.detachNewThread {
            // The thread closes the listening descriptor itself: a descriptor that `deinit` closed could belong to
            // another server by the time this thread uses it again, and it would accept that server's connections.
            defer { close(listener) }
            while case let descriptor = accept(listener, nil, nil), descriptor >= 0 {
                Thread.detachNewThread {
                    defer { close(descriptor) }
                    let request = readsRequest ? readRequest(descriptor) : []
                    let connection = requests.withLock { all in
                        let connection = Connection(
                            request: String(decoding: request, as: UTF8.self), number: all.count, descriptor: descriptor
                        )
                        all.append(connection)
                        return connection
                    }
                    handler(connection)
                }
            }
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }
}

/// Reads up to the empty line.
private func readRequest(_ descriptor: Int32) -> [UInt8] {
    var request: [UInt8] = []
    var byte: UInt8 = 0
    while !request.suffix(4).elementsEqual([13, 10, 13, 10]), recv(descriptor, &byte, 1, 0) == 1 {
        request.append(byte)
    }
    return request
}

private func makeSocket() -> Int32 {
    #if canImport(Glibc)
        socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
        socket(AF_INET, SOCK_STREAM, 0)
    #endif
}

/// Sends without the signal that ends a process whose reader has closed the connection.
private func sendQuietly(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Glibc)
        send(descriptor, bytes, count, Int32(MSG_NOSIGNAL))
    #else
        send(descriptor, bytes, count, 0)
    #endif
}
