import GlassBase

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The system calls by which a store changes what is on the disk, each of them a step that a test can meet.
///
/// Between two of these calls nothing on the disk changes, so a process that is killed before each of them in turn was
/// killed at every point that matters.
package struct StoreSystem: Sendable {
    /// A kind of system call.
    package enum Step: String, Sendable, CaseIterable {
        /// Opening a file that is written.
        case open
        /// Writing bytes.
        case write
        /// Making a file's bytes durable.
        case synchronize
        /// Giving a file its name.
        case rename
        /// Making the names of a folder durable.
        case synchronizeFolder
        /// Removing a file.
        case remove
        /// Taking the lock.
        case lock
        /// Giving the lock back.
        case unlock
    }

    /// What a test makes of a call.
    package enum Fault: Sendable {
        /// The call happens.
        case none
        /// The call fails with a value of `errno` and changes nothing.
        case failure(CInt)
        /// No more than so many bytes are written.
        case short(Int)
    }

    /// Asked before each call; nil in an app.
    private let fault: (@Sendable (Step) -> Fault)?

    /// The system as it is.
    package init() {
        fault = nil
    }

    /// The system with faults.
    package init(fault: @escaping @Sendable (Step) -> Fault) {
        self.fault = fault
    }

    /// How much a file has to survive.
    enum Durability {
        /// The end of the process and of the system. On Apple's systems `fsync` stops at the drive's own memory, which may
        /// write in another order than it was told.
        case full
        /// The end of the process; after a power cut the old content or the new one, whichever. For what is written at
        /// each start and worth little.
        case ordered
    }

    /// Opens a file of mode 0600 that must not be there yet.
    func create(_ path: String) throws(POSIXFailure) -> CInt {
        try meet(.open, "make", path)
        let descriptor = openFile(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw POSIXFailure("make", path) }
        // A umask may have taken the owner's own rights. A file system without modes keeps the file as it is.
        _ = fchmod(descriptor, 0o600)
        return descriptor
    }

    /// Writes all bytes; a short write goes on where it stopped.
    func write(_ bytes: some Sequence<UInt8>, to descriptor: CInt, _ path: String) throws(POSIXFailure) {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            var limit = rest.count
            switch fault?(.write) ?? .none {
            case .none: break
            case .short(let count): limit = min(limit, max(count, 1))
            case .failure(let code): throw POSIXFailure("write", path, code: code)
            }
            let count = rest.prefix(limit).withUnsafeBytes { writeBytes(descriptor, $0) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw POSIXFailure("write", path)
            }
        }
    }

    /// Makes what is written to a file durable.
    func synchronize(_ descriptor: CInt, _ path: String, _ durability: Durability) throws(POSIXFailure) {
        try meet(.synchronize, "sync", path)
        #if canImport(Darwin)
            // Some file systems offer neither.
            if fcntl(descriptor, durability == .full ? F_FULLFSYNC : F_BARRIERFSYNC) == 0 { return }
        #endif
        guard fsync(descriptor) == 0 else { throw POSIXFailure("sync", path) }
    }

    /// Gives a file another name, in place of the file that has it.
    func rename(_ path: String, to target: String) throws(POSIXFailure) {
        try meet(.rename, "rename", path)
        guard renameFile(path, target) == 0 else { throw POSIXFailure("rename", path) }
    }

    /// Removes a file; one that is not there is none to remove.
    func remove(_ path: String) throws(POSIXFailure) {
        try meet(.remove, "remove", path)
        guard unlink(path) == 0 || errno == ENOENT else { throw POSIXFailure("remove", path) }
    }

    /// Makes the names in a folder survive a power cut.
    func synchronize(folder: String) throws(POSIXFailure) {
        try meet(.synchronizeFolder, "sync", folder)
        let descriptor = openFile(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw POSIXFailure("open", folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw POSIXFailure("sync", folder) }
    }

    /// Tries to take a lock that the end of the process gives back, too.
    func tryLock(_ path: String) throws(POSIXFailure) -> CInt? {
        try meet(.lock, "lock", path)
        let descriptor = openFile(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw POSIXFailure("open", path) }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
        let failure = POSIXFailure("lock", path)
        close(descriptor)
        guard failure.code == EWOULDBLOCK || failure.code == EINTR else { throw failure }
        return nil
    }

    /// Gives a lock back.
    func unlock(_ descriptor: CInt) {
        // Closing gives it back whatever a test says, so a fault here only ends the process.
        _ = fault?(.unlock)
        close(descriptor)
    }

    /// Reads a regular file.
    func read(_ path: String, limit: Int) throws(POSIXFailure) -> [UInt8]? {
        // Without waiting: a pipe of that name must not keep an app from starting.
        let descriptor = openFile(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw POSIXFailure("open", path)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw POSIXFailure("look at", path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw POSIXFailure("read", path, code: EINVAL) }
        guard status.st_size <= limit else { throw POSIXFailure("read", path, code: EFBIG) }
        var failure: POSIXFailure?
        // Files of a store are replaced and not changed, so the size is that of all its bytes.
        let size = Int(status.st_size)
        let bytes = [UInt8](unsafeUninitializedCapacity: size + 1) { buffer, count in
            while count <= size {
                let more = readBytes(descriptor, buffer.baseAddress.map { $0 + count }, size + 1 - count)
                if more == 0 { break }
                if more > 0 {
                    count += more
                } else if errno != EINTR {
                    failure = POSIXFailure("read", path)
                    break
                }
            }
        }
        if let failure { throw failure }
        guard bytes.count <= size else { throw POSIXFailure("read", path, code: EFBIG) }
        return bytes
    }

    /// The files of a folder with what a store asks about them.
    func files(in folder: String) throws(POSIXFailure) -> [(name: String, size: Int, changed: Int)] {
        guard let stream = opendir(folder) else {
            if errno == ENOENT { return [] }
            throw POSIXFailure("open", folder)
        }
        defer { closedir(stream) }
        var files: [(name: String, size: Int, changed: Int)] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw POSIXFailure("read", folder) }
                return files
            }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            var status = stat()
            guard lstat("\(folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            #if canImport(Darwin)
                let changed = Int(status.st_mtimespec.tv_sec)
            #else
                let changed = Int(status.st_mtim.tv_sec)
            #endif
            files.append((name, Int(status.st_size), changed))
        }
    }

    /// Lets a test fail or kill a call.
    private func meet(_ step: Step, _ call: String, _ path: String) throws(POSIXFailure) {
        if case .failure(let code)? = fault?(step) { throw POSIXFailure(call, path, code: code) }
    }
}

private func openFile(_ path: String, _ flags: CInt) -> CInt { open(path, flags, 0o600) }

private func renameFile(_ path: String, _ target: String) -> CInt { rename(path, target) }

private func writeBytes(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}

private func readBytes(_ descriptor: CInt, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}
