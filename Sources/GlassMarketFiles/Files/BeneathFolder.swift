import COpenBeneath
package import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A folder whose files somebody else names: nothing outside of it can be read through it.
///
/// A file is opened by descriptor, beneath the folder's own, and asked what it is through that descriptor; so neither a
/// link nor a name that changes places with another between two calls leads anywhere else. The folder itself may be a
/// link: whoever names it means it. A link below it may lead to a file below it, by a relative path.
package struct BeneathFolder: Sendable {
    /// Who finds the way from the folder to the file.
    package enum Way: Sendable {
        /// The kernel, in one call (`openat2` with `RESOLVE_BENEATH`); where it has none, as ``components``.
        case kernel
        /// This type, name by name.
        case components
    }

    /// The folder's path.
    package let path: String
    private let way: Way

    /// Names a folder; reads nothing yet.
    package init(_ path: String) {
        self.init(path, way: .kernel)
    }

    /// Names a folder and who finds the way below it; reads nothing yet.
    package init(_ path: String, way: Way) {
        self.path = path
        self.way = way
    }

    /// Reads a file.
    package func read(_ name: String, limit: Int) throws(FileFailure) -> [UInt8] {
        try openFile(name).read(limit: limit)
    }

    /// Opens a regular file that is named by its path, beneath the folder that the path names.
    package static func handle(of path: String) throws(FileFailure) -> (file: FileHandle, size: Int?) {
        let (folder, name) = split(path)
        let file = try folder.openFile(name)
        let size = Int(try file.status().st_size)
        return (FileHandle(fileDescriptor: file.release(), closeOnDealloc: true), size)
    }

    /// The folder that a path names, and what it names there.
    static func split(_ path: String) -> (folder: BeneathFolder, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (BeneathFolder("."), path) }
        return (BeneathFolder(String(path[...slash])), String(path[path.index(after: slash)...]))
    }

    /// The names of the files and folders directly in the folder.
    package func names() throws(FileFailure) -> [String] {
        let folder = try openFolder()
        // The stream closes its descriptor, so it gets one of its own.
        let copy = fcntl(folder.number, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw FileFailure(code: errno) }
        guard let stream = fdopendir(copy) else {
            let failure = FileFailure(code: errno)
            close(copy)
            throw failure
        }
        defer { closedir(stream) }
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
            if name != ".", name != ".." { names.append(name) }
        }
    }

    /// What a file or folder is, and how it was when it changed last.
    func status(of name: String) throws(FileFailure) -> stat {
        try open(name).status()
    }

    private func openFile(_ name: String) throws(FileFailure) -> Descriptor {
        let file = try open(name)
        guard try file.status().st_mode & S_IFMT == S_IFREG else { throw .notRegular }
        return file
    }

    /// Opens what a name leads to, whatever it is. A pipe that nobody writes to, or a device, does not keep the call.
    func open(_ name: String) throws(FileFailure) -> Descriptor {
        guard !name.isEmpty, !name.utf8.contains(0) else { throw FileFailure(code: ENOENT) }
        let folder = try openFolder()
        if way == .components { return try open(name, byComponentsBelow: folder) }
        // EAGAIN: a rename elsewhere kept the kernel from being sure. It may be over at the next try.
        for _ in 0..<8 {
            let number = system_open_beneath(folder.number, name, Self.flags)
            if number >= 0 { return Descriptor(number) }
            switch errno {
            case EAGAIN, EINTR: continue
            // Without the call, or where a sandbox does not know it.
            case ENOSYS, EPERM: return try open(name, byComponentsBelow: folder)
            default: throw FileFailure(code: errno)
            }
        }
        return try open(name, byComponentsBelow: folder)
    }

    func openFolder() throws(FileFailure) -> Descriptor {
        let number = Self.openSystem(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw FileFailure(code: errno) }
        return Descriptor(number)
    }

    private static let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    /// As many links as the kernel follows.
    private static let mostLinks = 40

    /// Opens name by name without following a link, and follows links itself, as far as they stay below the folder.
    ///
    /// A name that becomes a link after it was found to be none is refused by `O_NOFOLLOW`; a folder that is moved away
    /// after it was opened stays what it was.
    private func open(
        _ name: String, byComponentsBelow root: borrowing Descriptor
    ) throws(FileFailure) -> Descriptor {
        guard !name.hasPrefix("/") else { throw .leadsOut }
        var folders: [CInt] = []
        defer { for folder in folders { close(folder) } }
        var rest = Array(name.split(separator: "/").map(String.init).reversed())
        var links = 0
        while let part = rest.popLast() {
            if part == "." { continue }
            if part == ".." {
                guard let last = folders.popLast() else { throw .leadsOut }
                close(last)
                continue
            }
            let folder = folders.last ?? root.number
            if let target = Self.target(ofLink: part, in: folder) {
                links += 1
                guard links <= Self.mostLinks else { throw FileFailure(code: ELOOP) }
                guard !target.hasPrefix("/") else { throw .leadsOut }
                rest += target.split(separator: "/").map(String.init).reversed()
                continue
            }
            let flags = rest.isEmpty ? Self.flags : O_RDONLY | O_DIRECTORY | O_CLOEXEC
            let number = Self.openSystem(folder, part, flags | O_NOFOLLOW)
            guard number >= 0 else { throw FileFailure(code: errno) }
            if rest.isEmpty { return Descriptor(number) }
            folders.append(number)
        }
        throw .notRegular
    }

    /// Where a link leads; nil for what is none.
    private static func target(ofLink name: String, in folder: CInt) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer -> String? in
            guard let start = buffer.baseAddress else { return nil }
            let count = readlinkat(folder, name, start, buffer.count)
            guard count >= 0 else { return nil }
            return String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
        }
    }

    /// `openat`, again after a signal.
    static func openSystem(_ folder: CInt, _ name: String, _ flags: CInt) -> CInt {
        while true {
            let number = openat(folder, name, flags)
            if number >= 0 || errno != EINTR { return number }
        }
    }
}

/// An open file that is closed when nobody has it any more.
struct Descriptor: ~Copyable {
    let number: CInt

    init(_ number: CInt) {
        self.number = number
    }

    deinit {
        close(number)
    }

    /// Gives the file to somebody else, who closes it.
    consuming func release() -> CInt {
        let number = number
        discard self
        return number
    }

    func status() throws(FileFailure) -> stat {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw FileFailure(code: errno) }
        return status
    }

    func read(limit: Int) throws(FileFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 * 1024)
        while bytes.count <= limit {
            let wanted = min(piece.count, limit + 1 - bytes.count)
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
}

/// `read`, which inside the type would name its own method.
private func readBytes(_ descriptor: CInt, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}
