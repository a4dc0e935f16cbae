#if canImport(Glibc)
    package import Glibc
#elseif canImport(Musl)
    package import Musl
#else
    package import Darwin
#endif

/// An open file that closes at the end of its lifetime.
package struct Descriptor: ~Copyable {
    package let number: CInt

    package init(_ number: CInt) {
        self.number = number
    }

    deinit {
        close(number)
    }

    /// Opens a path that the user named: a file, a link to one, a pipe or a device. A pipe waits for its writer.
    package static func named(_ path: String) throws(FileFailure) -> Descriptor {
        try opening(path, O_RDONLY | O_NOCTTY | O_CLOEXEC)
    }

    /// Opens a regular file, or a link to one, without waiting. A pipe is refused.
    package static func regular(_ path: String) throws(FileFailure) -> Descriptor {
        try opening(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC).regular()
    }

    private static func opening(_ path: String, _ flags: CInt) throws(FileFailure) -> Descriptor {
        guard !path.utf8.contains(0) else { throw FileFailure(code: ENOENT) }
        let number = ConfinedDirectory.openSystem(AT_FDCWD, path, flags)
        guard number >= 0 else { throw FileFailure(code: errno) }
        return Descriptor(number)
    }

    /// Hands the file over to a new owner, who closes it.
    package consuming func release() -> CInt {
        let number = number
        discard self
        return number
    }

    /// This file, if it is a regular file.
    consuming func regular() throws(FileFailure) -> Descriptor {
        guard try status().st_mode & S_IFMT == S_IFREG else { throw .notRegular }
        return self
    }

    package func status() throws(FileFailure) -> stat {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw FileFailure(code: errno) }
        return status
    }

    /// Reads to the end, but at most one byte past the limit. That byte shows that the file is longer.
    package func read(limit: Int) throws(FileFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 * 1024)
        while bytes.count <= limit {
            // Not `limit + 1 - bytes.count`, which overflows for a file without a limit.
            let wanted = min(piece.count - 1, limit - bytes.count) + 1
            let count = piece.withUnsafeMutableBytes { readBytes(number, $0.baseAddress, wanted) }
            if count == 0 { break }
            if count > 0 {
                bytes += piece[..<count]
            } else if errno != EINTR {
                throw FileFailure(code: errno)
            }
        }
        return bytes
    }

    /// Reads the whole file. Fails if the file exceeds the limit.
    package func contents(limit: Int) throws(FileFailure) -> [UInt8] {
        // A regular file reports its size, so a large one is refused without reading.
        let status = try status()
        guard status.st_mode & S_IFMT != S_IFREG || status.st_size <= limit else { throw .tooLarge(limit: limit) }
        let bytes = try read(limit: limit)
        guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
        return bytes
    }

    /// The maximum number of entries of a listed folder: more than anyone creates, and few enough for memory.
    package static let maximumEntries = 20_000

    /// The names of a folder's direct entries.
    package func names(limit: Int = maximumEntries) throws(FileFailure) -> [String] {
        // The stream closes its descriptor, so it gets a copy.
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw FileFailure(code: errno) }
        guard let stream = fdopendir(copy) else {
            let failure = FileFailure(code: errno)
            close(copy)
            throw failure
        }
        defer { closedir(stream) }
        // Both descriptors share the read position in the folder.
        rewinddir(stream)
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw FileFailure(code: errno) }
                return names
            }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name != ".", name != ".." else { continue }
            guard names.count < limit else { throw .tooManyEntries(limit: limit) }
            names.append(name)
        }
    }

    /// Creates a file without a name that contains the bytes, positioned at its start. Such a file passes input to a
    /// program: with a pipe, both sides could wait for each other forever.
    package static func unnamed(_ bytes: [UInt8], in folder: String) throws(FileFailure) -> Descriptor {
        var template = Array("\(folder)/glass-XXXXXX".utf8CString)
        let number = mkstemp(&template)
        guard number >= 0 else { throw FileFailure(code: errno) }
        let file = Descriptor(number)
        unlink(template)
        guard fcntl(number, F_SETFD, FD_CLOEXEC) == 0, FileCalls.write(bytes, to: number),
            lseek(number, 0, SEEK_SET) == 0
        else { throw FileFailure(code: errno) }
        return file
    }
}

/// `read`. Inside the type, the name would mean its own method.
private func readBytes(_ descriptor: CInt, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}
