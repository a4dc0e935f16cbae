#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A TCP socket of 127.0.0.1 that never makes its thread wait. Its owner closes it.
///
/// The calls of the system that the server needs are in this file. Programs that this process starts inherit none of its
/// descriptors.
struct LoopbackSocket: Sendable {
    /// What the system said of a call.
    struct Failure: Error {
        let number: Int32

        var reason: String { String(cString: strerror(number)) }
    }

    /// What became of reading or writing.
    enum Transfer {
        case bytes(Int)
        /// Nothing now; `poll` says when.
        case later
        /// The other side is gone.
        case ended
    }

    /// What became of accepting.
    enum Acceptance {
        case connection(LoopbackSocket)
        /// One that was gone before it was accepted.
        case gone
        /// There is none any more.
        case none
        /// There is one, and no descriptor or memory for it.
        case exhausted
    }

    let descriptor: Int32

    /// Listens, and returns the port too: one that is free in the place of 0.
    static func listening(on port: UInt16) throws(Failure) -> (socket: LoopbackSocket, port: UInt16) {
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        let socket = LoopbackSocket(descriptor: try check(systemSocket(AF_INET, kind, 0)))
        do {
            try socket.prepare()
            // Without it a port is taken for a minute after a server on it has ended.
            var yes: Int32 = 1
            let size = socklen_t(MemoryLayout<Int32>.size)
            try check(setsockopt(socket.descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size))
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            // The functions take every kind of address by the type that all begin with.
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

    /// Takes the next connection.
    func accept() -> Acceptance {
        let number = systemAccept(descriptor, nil, nil)
        guard number >= 0 else {
            switch errno {
            case EAGAIN, EWOULDBLOCK: return .none
            case EINTR, ECONNABORTED: return .gone
            // EMFILE, ENFILE, ENOBUFS, ENOMEM: the connection stays where it is, so trying again at once is a busy loop.
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
            // Elsewhere `send` is told so each time.
            var yes: Int32 = 1
            let size = socklen_t(MemoryLayout<Int32>.size)
            try Self.check(setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, size))
        #endif
    }

    /// Reads what there is, up to the room of a buffer.
    func read(into buffer: inout [UInt8]) -> Transfer {
        Self.transfer { buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) } }
    }

    /// Writes as much as the system takes.
    func write(_ bytes: ArraySlice<UInt8>) -> Transfer {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            // A client that is gone is an error of this call, and no signal.
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        return Self.transfer { bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) } }
    }

    /// Says that nothing follows. What was written is still delivered, as it is not when a socket is closed with something
    /// unread.
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

    /// Makes a descriptor one that never blocks and that started programs do not inherit.
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

/// A pipe by which another thread ends a `poll`.
final class PollWaker: Sendable {
    /// Readable once it was woken.
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
        // A full pipe is readable as well.
        _ = systemWrite(writer, &byte, 1)
    }

    /// Makes it wait for the next call of ``wake()``.
    func reset() {
        var bytes: [UInt8] = Array(repeating: 0, count: 64)
        while systemRead(reader, &bytes, bytes.count) == bytes.count {}
    }
}

/// Waits until something happens to one of the descriptors, or until a time is over. A negative descriptor is left out.
func waitForEvents(_ descriptors: inout [pollfd], milliseconds: Int32) {
    guard poll(&descriptors, nfds_t(descriptors.count), milliseconds) < 0 else { return }
    for index in descriptors.indices { descriptors[index].revents = 0 }
    // A signal is nothing to wait for. With anything else (memory) a caller in a loop would be busy.
    if errno != EINTR { usleep(100_000) }
}

/// How many connections leave at least as many descriptors to the rest of the process.
let descriptorsForConnections: Int = {
    let all = sysconf(Int32(_SC_OPEN_MAX))  // the soft limit; -1 for none
    return all < 0 ? 512 : min(512, max(8, all / 2))
}()

// Inside of a type, its own methods hide the functions of these names.
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
