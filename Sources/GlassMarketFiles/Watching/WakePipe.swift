import Foundation
import GlassBase

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A pipe with which one thread ends the `poll` of another.
final class WakePipe: Sendable {
    private let reader: Int32
    private let writer: Int32

    init() throws(FileFailure) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw FileFailure(reason: String(cString: strerror(errno)).lowercased()) }
        (reader, writer) = (ends[0], ends[1])
        // Keep the descriptors from programs that other threads start. `pipe2` is not available everywhere.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    deinit {
        close(reader)
        close(writer)
    }

    /// Makes every wait return immediately from now on.
    func wake() {
        var byte: UInt8 = 1
        // The pipe has room for this one byte. If it is full, nothing needs to be done: then the other end wakes
        // anyway.
        _ = write(writer, &byte, 1)
    }

    /// Waits for the pipe, and for another descriptor if there is one.
    func wait(with other: Int32? = nil, limit: Duration) -> (isWoken: Bool, isReadable: Bool) {
        let events = Int16(POLLIN)
        var descriptors = [pollfd(fd: reader, events: events, revents: 0)]
        if let other { descriptors.append(pollfd(fd: other, events: events, revents: 0)) }
        let milliseconds = Int32(clamping: max(0, limit.milliseconds))
        // An interrupted wait counts as one that timed out; the caller checks the clock.
        guard poll(&descriptors, nfds_t(descriptors.count), milliseconds) > 0 else { return (false, false) }
        return (descriptors[0].revents != 0, descriptors.count > 1 && descriptors[1].revents != 0)
    }
}
