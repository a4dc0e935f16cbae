#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// System calls on open files. Each returns whether it succeeded; if it failed, `errno` has the reason.
package enum FileCalls {
    /// The events that written data must survive.
    package enum Durability: Sendable {
        /// The end of the process and a power failure. On Apple systems, `fsync` only reaches the drive's cache, which
        /// may write in a different order.
        case full
        /// The end of the process. A power failure leaves either the old or the new content. For data of little value
        /// that is written at each launch.
        case ordered
    }

    /// Writes all bytes, continuing after a short write.
    package static func write(_ bytes: some Sequence<UInt8>, to file: CInt) -> Bool {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { writeBytes(file, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    /// Makes the content of a file, or the names in a folder, durable.
    package static func synchronize(_ file: CInt, _ durability: Durability = .full) -> Bool {
        #if canImport(Darwin)
            // Some file systems support neither of the two; use `fsync` there.
            if fcntl(file, durability == .full ? F_FULLFSYNC : F_BARRIERFSYNC) == 0 { return true }
        #endif
        return fsync(file) == 0
    }

    /// Takes a file's lock, unless another process has it. Closing the file releases the lock, also when the process
    /// ends.
    package static func tryLock(_ file: CInt) -> Bool { flock(file, LOCK_EX | LOCK_NB) == 0 }
}

/// `write`. Inside the type, the name would mean its own method.
private func writeBytes(_ descriptor: CInt, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, buffer, count)
}
