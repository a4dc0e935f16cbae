import FlyingSocks
import Foundation
import GlassBase

@testable import GlassInspector

/// Responses that repeat the request.
struct EchoingAnswers: InspectorDataSource {
    func answer(_ question: InspectorRequest, in situation: InspectorSituation) throws -> InspectorResponse {
        if case .values("missing") = question { throw InspectorFailure("there is no market", isMissing: true) }
        if case .values("large") = question { throw InspectorFailure("too large") }
        if case .picture = question { return InspectorResponse(.svg, Array("<svg/>".utf8)) }
        if situation.attributes["build"] == "debg" { throw InspectorFailure("build: no", attribute: "build") }
        let attributes = situation.attributes.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }
        let situated = attributes.isEmpty ? "" : ",\"in\":\(attributes.joined(separator: ",").jsonLiteral)"
        return InspectorResponse(.json, Array("{\"asked\":\("\(question)".jsonLiteral)\(situated)}".utf8))
    }
}

/// A server on loopback, to which a test sends raw bytes.
struct InspectorFixture {
    let inspector: Inspector
    let url: String
    let port: UInt16

    var token: String { inspector.keys.token }
    var cookie: String { "Cookie: glass-inspect-\(port)=\(inspector.keys.session)" }

    /// Starts a server, runs a test with it, and stops it.
    static func with(
        answers: any InspectorDataSource = EchoingAnswers(),
        limits: (inout PageServer.Limits) -> Void = { _ in },
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        _ body: @Sendable (InspectorFixture) async throws -> Void
    ) async throws {
        var chosen = PageServer.Limits()
        limits(&chosen)
        let inspector = Inspector(answers: answers, limits: chosen, now: now)
        let url = try inspector.start()
        let port = UInt16(url.split(separator: ":")[2].prefix { $0.isNumber }) ?? 0
        do {
            try await body(InspectorFixture(inspector: inspector, url: url, port: port))
        } catch {
            await inspector.stop()
            throw error
        }
        await inspector.stop()
    }

    func connect() async throws -> AsyncSocket {
        var address = sockaddr_in.inet(port: port)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return try await AsyncSocket.connected(to: address)
    }

    /// Sends a request verbatim, and reads until the server closes the connection.
    ///
    /// - Parameters:
    ///   - line: The request line without the version.
    ///   - fields: The fields; a `Host` field is added if there is none.
    ///   - body: The body.
    func ask(_ line: String, _ fields: [String] = [], body: String = "") async throws -> Reply {
        var fields = fields + ["Connection: close"]
        if !fields.contains(where: { $0.hasPrefix("Host:") }) { fields.append("Host: 127.0.0.1:\(port)") }
        if !body.isEmpty, !fields.contains(where: { $0.hasPrefix("Content-Length") || $0.hasPrefix("Transfer-Enc") }) {
            fields.append("Content-Length: \(body.utf8.count)")
        }
        return try await send("\(line) HTTP/1.1\r\n" + fields.map { "\($0)\r\n" }.joined() + "\r\n" + body)
    }

    /// Sends a text verbatim, and reads until the server closes the connection.
    func send(_ text: String) async throws -> Reply {
        let socket = try await connect()
        defer { try? socket.close() }
        try await socket.write(Data(text.utf8))
        return Reply(try await Self.read(socket))
    }

    /// Opens an event stream, which the test closes.
    func follow() async throws -> AsyncSocket {
        let socket = try await connect()
        try await socket.write(Data("GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(cookie)\r\n\r\n".utf8))
        return socket
    }

    /// The number of connections to the server.
    var connectionCount: Int { inspector.server?.connectionCount ?? 0 }

    /// Everything that a server sends until it closes the connection, or until the text occurs.
    static func read(_ socket: AsyncSocket, until text: String? = nil) async throws -> String {
        var bytes: [UInt8] = []
        while true {
            do {
                bytes += try await socket.read(atMost: 4096)
            } catch SocketError.disconnected {
                break
            } catch SocketError.failed {
                break  // closed while unread data was pending
            }
            if let text, String(decoding: bytes, as: UTF8.self).contains(text) { break }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A response of the server.
struct Reply {
    let status: Int
    let head: String
    let body: String

    init(_ text: String) {
        let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
        head = String(parts[0])
        body = parts.count > 1 ? String(parts[1]) : ""
        status = Int(text.dropFirst(9).prefix(3)) ?? 0
    }

    /// The values of a field.
    func values(of name: String) -> [String] {
        head.split(separator: "\r\n").dropFirst().compactMap { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == name.lowercased() else { return nil }
            return parts[1].trimmingCharacters(in: .whitespaces)
        }
    }
}
