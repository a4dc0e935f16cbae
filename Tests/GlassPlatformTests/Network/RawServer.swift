import GlassBase
import Foundation
import GlassDeepLinking

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A local server that writes raw bytes, so it can violate the protocol in any way.
final class RawServer: Sendable {
    struct Request: Sendable {
        var method = ""
        var path = ""
        var headers: [String: String] = [:]
        var body = ""
    }

    enum Reply: Sendable {
        /// Writes the bytes and closes the connection.
        case bytes(String)
        /// Closes the connection without a response.
        case close
        /// Closes the connection with a reset.
        case reset
        /// Writes the bytes and then nothing, until either side closes the connection.
        case hang(String)
    }

    private struct State {
        var requests: [Request] = []
        var open: Set<Int32> = []
        var disconnects = 0
        var isStopped = false
    }

    let port: Int
    private let listener: Int32
    private let state = Lock(State())
    private let reply: @Sendable (Request, Int) -> Reply

    /// Starts a server.
    ///
    /// - Parameter reply: Returns the reply to the n-th request, starting with 1.
    init(_ reply: @escaping @Sendable (Request, Int) -> Reply) throws {
        self.reply = reply
        #if os(Linux)
            listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            listener = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) + listen(listener, 64) + getsockname(listener, address, &length)
            }
        }
        guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [self] in acceptAll() }
    }

    var url: URL { URL(string: "http://127.0.0.1:\(port)/base")! }
    var requests: [Request] { state.withLock { $0.requests } }
    /// The number of hanging connections that the client closed.
    var disconnects: Int { state.withLock { $0.disconnects } }

    func stop() {
        // The threads close their own descriptors: a descriptor closed here could belong to another server by the time
        // they use it again.
        state.withLock { state in
            state.isStopped = true
            for connection in state.open { shutdown(connection, Int32(2)) }
        }
        shutdown(listener, Int32(2))
    }

    private func acceptAll() {
        while true {
            let connection = accept(listener, nil, nil)
            if connection < 0, errno == EINTR || errno == ECONNABORTED { continue }
            guard connection >= 0 else {
                close(listener)
                return
            }
            Thread.detachNewThread { [self] in serve(connection) }
        }
    }

    private func serve(_ connection: Int32) {
        state.withLock { _ = $0.open.insert(connection) }
        defer {
            state.withLock { _ = $0.open.remove(connection) }
            close(connection)
        }
        guard let request = read(connection) else { return }
        let number = state.withLock { state in
            state.requests.append(request)
            return state.requests.count
        }
        switch reply(request, number) {
        case .bytes(let text): write(text, connection)
        case .close: break
        case .reset:
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        case .hang(let text):
            write(text, connection)
            var byte: UInt8 = 0
            while recv(connection, &byte, 1, 0) > 0 {}
            state.withLock { if !$0.isStopped { $0.disconnects += 1 } }
        }
    }

    private func read(_ connection: Int32) -> Request? {
        var bytes = Data()
        var buffer = [UInt8](repeating: 0, count: 4096)
        func more() -> Bool {
            let count = recv(connection, &buffer, buffer.count, 0)
            if count > 0 { bytes.append(contentsOf: buffer[..<count]) }
            return count > 0
        }
        let end = Data("\r\n\r\n".utf8)
        while bytes.range(of: end) == nil { guard more() else { return nil } }
        guard let headEnd = bytes.range(of: end) else { return nil }
        let lines = String(decoding: bytes[..<headEnd.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ").map(String.init)
        var request = Request(method: words.first ?? "", path: words.dropFirst().first ?? "")
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            request.headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        let length = Int(request.headers["content-length"] ?? "") ?? 0
        while bytes.count < headEnd.upperBound + length { guard more() else { return nil } }
        request.body = String(decoding: bytes[headEnd.upperBound...], as: UTF8.self)
        return request
    }

    private func write(_ text: String, _ connection: Int32) {
        var rest = Data(text.utf8)
        while !rest.isEmpty {
            #if os(Linux)
                let sent = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            #else
                let sent = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, 0) }
            #endif
            guard sent > 0 else { return }
            rest = rest.dropFirst(sent)
        }
    }
}

/// A complete response with its length.
func answer(_ status: Int = 200, _ body: String = "", _ headers: [String: String] = [:]) -> RawServer.Reply {
    let fields = headers.map { "\($0): \($1)\r\n" }.joined()
    return .bytes(
        "HTTP/1.1 \(status) X\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\(fields)\r\n\(body)")
}

/// Waits until a condition holds; the test's time limit ends the wait.
func eventually(_ condition: @Sendable () async -> Bool) async throws {
    while !(await condition()) { try await Task.sleep(for: .milliseconds(5)) }
}
