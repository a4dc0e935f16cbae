import GlassBase

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The system calls with which a store changes the disk. A test can inject a fault into each of them.
///
/// Nothing on disk changes between two of these calls. A test that kills the process before each call in turn therefore
/// covers every relevant point.
package struct StoreSystem: Sendable {
    /// A kind of system call.
    package enum Step: String, Sendable, CaseIterable {
        /// Opening a file for writing.
        case open
        /// Writing bytes.
        case write
        /// Making the bytes of a file durable.
        case synchronize
        /// Renaming a file.
        case rename
        /// Making the names in a folder durable.
        case synchronizeFolder
        /// Removing a file.
        case remove
        /// Taking the lock.
        case lock
        /// Releasing the lock.
        case unlock
    }

    /// The fault that a test injects into a call.
    package enum Fault: Sendable {
        /// None: the call is made.
        case none
        /// The call fails with a value of `errno` and has no effect.
        case failure(CInt)
        /// At most this many bytes are written.
        case short(Int)
    }

    /// Called before each system call; `nil` in an app.
    private let fault: (@Sendable (Step) -> Fault)?
    /// The new paths of folders that were in the place of files.
    private let movedAside = Lock<[String]>([])

    /// Creates a system without faults.
    package init() {
        fault = nil
    }

    /// Creates a system with faults.
    package init(fault: @escaping @Sendable (Step) -> Fault) {
        self.fault = fault
    }

    /// Creates and opens a file with mode 0600. Fails if the file exists.
    func create(_ path: String) throws(POSIXFailure) -> CInt {
        try meet(.open, "create", path)
        return try PrivateFile.open(path, O_WRONLY | O_EXCL, call: "create").release()
    }

    /// Writes all bytes, continuing after a short write.
    func write(_ bytes: some Sequence<UInt8>, to descriptor: CInt, _ path: String) throws(POSIXFailure) {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            var limit = rest.count
            switch fault?(.write) ?? .none {
            case .none: break
            case .short(let count): limit = min(limit, max(count, 1))
            case .failure(let code): throw POSIXFailure("write", path, code: code)
            }
            guard FileCalls.write(rest.prefix(limit), to: descriptor) else { throw POSIXFailure("write", path) }
            rest = rest.dropFirst(limit)
        }
    }

    /// Makes the content of a file durable.
    func synchronize(
        _ descriptor: CInt, _ path: String, _ durability: FileCalls.Durability
    ) throws(POSIXFailure) {
        try meet(.synchronize, "sync", path)
        guard FileCalls.synchronize(descriptor, durability) else { throw POSIXFailure("sync", path) }
    }

    /// Renames a file, replacing the file at the target, if there is one. A folder at the target is moved aside.
    func rename(_ path: String, to target: String) throws(POSIXFailure) {
        try meet(.rename, "rename", path)
        if renameFile(path, target) == 0 { return }
        let failure = POSIXFailure("rename", path)
        guard failure.code == EISDIR || failure.code == ENOTEMPTY || failure.code == EEXIST else { throw failure }
        try moveAside(target)
        guard renameFile(path, target) == 0 else { throw POSIXFailure("rename", path) }
    }

    /// Renames a folder that something else put in the place of a file: its contents may matter to somebody.
    private func moveAside(_ folder: String) throws(POSIXFailure) {
        for number in 1...Self.maximumAttempts {
            let target = "\(folder).folder\(number > 1 ? "-\(number)" : "")"
            // A folder at the target would be replaced if it is empty.
            var status = stat()
            guard lstat(target, &status) != 0 else { continue }
            // With the slash, a file is not renamed: another process may have been faster, and this is its new file.
            guard renameFile(folder + "/", target) == 0 else {
                if errno == ENOENT || errno == ENOTDIR { return }
                throw POSIXFailure("rename", folder)
            }
            return movedAside.withLock { $0.append(target) }
        }
        throw POSIXFailure("rename", folder, code: EEXIST)
    }

    private static let maximumAttempts = 100

    /// The new paths of the folders that were moved aside since the last call.
    func takeMovedAside() -> [String] {
        movedAside.withLock { paths in
            defer { paths = [] }
            return paths
        }
    }

    /// Removes a file. Succeeds if it does not exist.
    func remove(_ path: String) throws(POSIXFailure) {
        try meet(.remove, "remove", path)
        guard unlink(path) == 0 || errno == ENOENT else { throw POSIXFailure("remove", path) }
    }

    /// Makes the names in a folder survive a power failure.
    func synchronize(folder: String) throws(POSIXFailure) {
        try meet(.synchronizeFolder, "sync", folder)
        let opened = try PrivateFolder.open(folder)
        guard fsync(opened.number) == 0 else { throw POSIXFailure("sync", folder) }
    }

    /// Tries to take a lock, which is also released when the process exits.
    func tryLock(_ path: String) throws(POSIXFailure) -> CInt? {
        try meet(.lock, "lock", path)
        let file: Descriptor
        do {
            file = try PrivateFile.open(path, O_RDWR)
        } catch {
            guard error.code == EISDIR else { throw error }
            try moveAside(path)
            file = try PrivateFile.open(path, O_RDWR)
        }
        if FileCalls.tryLock(file.number) { return file.release() }
        let failure = POSIXFailure("lock", path)
        guard failure.code == EWOULDBLOCK || failure.code == EINTR else { throw failure }
        return nil
    }

    /// Releases a lock.
    func unlock(_ descriptor: CInt) {
        // Closing releases the lock even if a test injects a failure, so only a fault that kills the process has an
        // effect here.
        _ = fault?(.unlock)
        close(descriptor)
    }

    /// Reads a regular file.
    func read(_ path: String, limit: Int) throws(POSIXFailure) -> [UInt8]? {
        // `O_NONBLOCK`: a pipe with that name must not block the launch of an app.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw POSIXFailure("open", path)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw POSIXFailure("inspect", path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw POSIXFailure("read", path, code: EINVAL) }
        guard status.st_size <= limit else { throw POSIXFailure("read", path, code: EFBIG) }
        var failure: POSIXFailure?
        // Files of a store are replaced but never modified, so the size covers all of their bytes. The additional byte
        // reveals a file that grew nevertheless.
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

    /// The regular files of a folder, with their sizes and modification times.
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

    /// Fault-injection hook for tests.
    private func meet(_ step: Step, _ call: String, _ path: String) throws(POSIXFailure) {
        if case .failure(let code)? = fault?(step) { throw POSIXFailure(call, path, code: code) }
    }
}

// Inside `StoreSystem`, its methods hide the C functions with these names.
private func renameFile(_ path: String, _ target: String) -> CInt { rename(path, target) }

private func readBytes(_ descriptor: CInt, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}
