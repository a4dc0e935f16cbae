#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A nonblocking TCP socket on 127.0.0.1. Its owner closes it.
///
/// This file contains all system calls of the server. Child processes inherit none of the descriptors.
struct LoopbackSocket: Sendable {
    /// A failed system call.
    struct Failure: Error {
        let number: Int32

        var reason: String { String(cString: strerror(number)) }
    }

    /// The result of a read or a write.
    enum Transfer {
        case bytes(Int)
        /// No progress is possible now; use `poll` to wait.
        case later
        /// The other side has closed the connection.
        case ended
    }

    /// The result of accepting a connection.
    enum Acceptance {
        case connection(LoopbackSocket)
        /// The client left before the connection was accepted.
        case gone
        /// No connection is waiting.
        case none
        /// A connection is waiting, but there is no descriptor or memory for it.
        case exhausted
    }

    let descriptor: Int32

    /// Starts to listen, and returns the socket and its port. For port 0, the system picks a free one.
    static func listening(on port: UInt16) throws(Failure) -> (socket: LoopbackSocket, port: UInt16) {
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        let socket = LoopbackSocket(descriptor: try check(systemSocket(AF_INET, kind, 0)))
        do {
            try socket.prepare()
            // Without this option, a port stays in use for a minute after its server exits.
            var yes: Int32 = 1
            let size = socklen_t(MemoryLayout<Int32>.size)
            try check(setsockopt(socket.descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size))
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            // The system calls take a pointer to the generic `sockaddr`.
            try withUnsafeMutablePointer(to: &address) { address throws(Failure) in
                try address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address throws(Failure) in
                    try check(bind(socket.descriptor, address, length))
                    try check(listen(socket.descriptor, SOMAXCONN))
                    try check(getsockname(socket.descriptor, address, &length))
                }
            }
            return (socket, UInt16(bigEndian: address.sin_port))
        } catch {
            socket.close()
            throw error
        }
    }

    /// Accepts the next connection.
    func accept() -> Acceptance {
        let number = systemAccept(descriptor, nil, nil)
        guard number >= 0 else {
            switch errno {
            case EAGAIN, EWOULDBLOCK: return .none
            case EINTR, ECONNABORTED: return .gone
            // EMFILE, ENFILE, ENOBUFS, ENOMEM: the connection stays in the queue, so an immediate retry would be a busy
            // loop.
            default: return .exhausted
            }
        }
        let socket = LoopbackSocket(descriptor: number)
        do {
            try socket.prepare()
            return .connection(socket)
        } catch {
            socket.close()
            return .gone
        }
    }

    private func prepare() throws(Failure) {
        try Self.keepToItself(descriptor)
        #if canImport(Darwin)
            // Other systems get a flag with each `send` instead.
            var yes: Int32 = 1
            let size = socklen_t(MemoryLayout<Int32>.size)
            try Self.check(setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, size))
        #endif
    }

    /// Reads the available bytes, up to the size of the buffer.
    func read(into buffer: inout [UInt8]) -> Transfer {
        Self.transfer { buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) } }
    }

    /// Writes as many bytes as the system accepts.
    func write(_ bytes: ArraySlice<UInt8>) -> Transfer {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            // Writing to a closed connection must fail instead of raising `SIGPIPE`.
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        return Self.transfer { bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) } }
    }

    /// Ends the output. Written data is still delivered, whereas closing a socket with unread input discards it.
    func endWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

    func close() { systemClose(descriptor) }

    private static func transfer(_ call: () -> Int) -> Transfer {
        while true {
            let count = call()
            if count > 0 { return .bytes(count) }
            guard count < 0 else { return .ended }
            switch errno {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK: return .later
            default: return .ended
            }
        }
    }

    /// Makes a descriptor nonblocking and close-on-exec.
    fileprivate static func keepToItself(_ descriptor: Int32) throws(Failure) {
        try check(fcntl(descriptor, F_SETFD, FD_CLOEXEC))
        try check(fcntl(descriptor, F_SETFL, O_NONBLOCK))
    }

    @discardableResult
    fileprivate static func check(_ result: Int32) throws(Failure) -> Int32 {
        guard result >= 0 else { throw Failure(number: errno) }
        return result
    }
}

/// A pipe that lets another thread interrupt `poll`.
final class PollWaker: Sendable {
    /// The descriptor that becomes readable after a wake-up.
    let reader: Int32
    private let writer: Int32

    init() throws(LoopbackSocket.Failure) {
        var ends: [Int32] = [-1, -1]
        try LoopbackSocket.check(pipe(&ends))
        (reader, writer) = (ends[0], ends[1])
        for end in ends { try LoopbackSocket.keepToItself(end) }
    }

    deinit {
        systemClose(reader)
        systemClose(writer)
    }

    func wake() {
        var byte: UInt8 = 1
        // The result doesn't matter: a full pipe is readable as well.
        _ = systemWrite(writer, &byte, 1)
    }

    /// Resets the waker, so that the next ``wake()`` is noticed.
    func reset() {
        var bytes: [UInt8] = Array(repeating: 0, count: 64)
        while systemRead(reader, &bytes, bytes.count) == bytes.count {}
    }
}

/// Waits for an event on one of the descriptors, or for a timeout. Negative descriptors are ignored.
func waitForEvents(_ descriptors: inout [pollfd], milliseconds: Int32) {
    guard poll(&descriptors, nfds_t(descriptors.count), milliseconds) < 0 else { return }
    for index in descriptors.indices { descriptors[index].revents = 0 }
    // A signal needs no pause. With any other error, such as a lack of memory, the caller would loop without waiting.
    if errno != EINTR { usleep(100_000) }
}

/// The maximum number of connections that leaves at least as many descriptors for the rest of the process.
let descriptorsForConnections: Int = {
    let all = sysconf(Int32(_SC_OPEN_MAX))  // the soft limit; -1 for none
    return all < 0 ? 512 : min(512, max(8, all / 2))
}()

// Outside the type, because its methods would shadow these functions.
private func systemSocket(_ domain: Int32, _ kind: Int32, _ protocol: Int32) -> Int32 {
    socket(domain, kind, `protocol`)
}
private func systemAccept(
    _ descriptor: Int32, _ address: UnsafeMutablePointer<sockaddr>?, _ length: UnsafeMutablePointer<socklen_t>?
) -> Int32 { accept(descriptor, address, length) }
@discardableResult private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
