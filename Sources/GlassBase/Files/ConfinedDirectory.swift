import CGlassSystem

#if canImport(Glibc)
    package import Glibc
#elseif canImport(Musl)
    package import Musl
#else
    package import Darwin
#endif

/// A folder with file names from an untrusted source. Nothing outside the folder can be read through it.
///
/// A file is opened by descriptor, beneath the folder's descriptor, and its type is checked through its own descriptor.
/// So neither a symbolic link nor a name that is swapped between two calls leads elsewhere. The folder itself may be a
/// symbolic link if the user named it, but not if a command found it. A link inside the folder may lead to another file
/// inside it, by a relative path.
package struct ConfinedDirectory: Sendable {
    /// How a path from the folder to a file is resolved.
    package enum Resolution: Sendable {
        /// The kernel resolves it in one call (`openat2` with `RESOLVE_BENEATH`). Without that call, as ``components``.
        case kernel
        /// This type resolves it, name by name.
        case components
    }

    /// The folder's path.
    package let path: String
    private let way: Resolution
    /// Whether the folder itself is opened beneath its parent, with the same rules as its files.
    private let isFound: Bool

    /// Creates a folder from a path that the user named. Reads nothing yet.
    package init(_ path: String) {
        self.init(path, way: .kernel)
    }

    /// Creates a folder from a path that the user did not name, such as `links` of a project. An untrusted author may
    /// have put a link in its place, which must not lead out of the parent folder. Reads nothing yet.
    package init(found path: String) {
        self.init(path, way: .kernel, isFound: true)
    }

    /// Creates a folder with a specific way to resolve paths. Reads nothing yet.
    package init(_ path: String, way: Resolution, isFound: Bool = false) {
        self.path = path
        self.way = way
        self.isFound = isFound
    }

    /// Reads a file. If the file exceeds the limit, returns one byte past the limit.
    package func read(_ name: String, limit: Int) throws(FileFailure) -> [UInt8] {
        try openFile(name).read(limit: limit)
    }

    /// Reads a file. Fails if the file exceeds the limit.
    package func contents(of name: String, limit: Int) throws(FileFailure) -> [UInt8] {
        try openFile(name).contents(limit: limit)
    }

    /// The folder and the last name of a path.
    package static func split(_ path: String) -> (folder: ConfinedDirectory, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (ConfinedDirectory("."), path) }
        return (ConfinedDirectory(String(path[...slash])), String(path[path.index(after: slash)...]))
    }

    /// Whether a path that the user named leads to a folder.
    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return !path.utf8.contains(0) && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The names of the folder's direct entries.
    package func names() throws(FileFailure) -> [String] {
        try openFolder().names()
    }

    /// The status of a file or folder, including its last change.
    package func status(of name: String) throws(FileFailure) -> stat {
        try open(name).status()
    }

    /// Opens a regular file.
    package func openFile(_ name: String) throws(FileFailure) -> Descriptor {
        try open(name).regular()
    }

    /// Opens a file of any type. A device, or a pipe without a writer, does not block the call.
    func open(_ name: String) throws(FileFailure) -> Descriptor {
        guard !name.isEmpty, !name.utf8.contains(0) else { throw FileFailure(code: ENOENT) }
        let folder = try openFolder()
        if way == .components { return try open(name, byComponentsBelow: folder) }
        // EAGAIN: a concurrent rename made the kernel uncertain. The next try may succeed.
        for _ in 0..<8 {
            let number = system_open_beneath(folder.number, name, Self.flags)
            if number >= 0 { return Descriptor(number) }
            switch errno {
            case EAGAIN, EINTR: continue
            // The call is missing, or a sandbox blocks it.
            case ENOSYS, EPERM: return try open(name, byComponentsBelow: folder)
            default: throw FileFailure(code: errno)
            }
        }
        return try open(name, byComponentsBelow: folder)
    }

    func openFolder() throws(FileFailure) -> Descriptor {
        guard !isFound else {
            let (above, name) = Self.split(path)
            return try ConfinedDirectory(above.path, way: way).openFolder(name)
        }
        let number = Self.openSystem(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw FileFailure(code: errno) }
        return Descriptor(number)
    }

    /// Opens a folder inside this one.
    func openFolder(_ name: String) throws(FileFailure) -> Descriptor {
        let folder = try open(name)
        guard try folder.status().st_mode & S_IFMT == S_IFDIR else { throw FileFailure(code: ENOTDIR) }
        return folder
    }

    private static let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    /// The kernel's own limit for symbolic links in a path.
    static let maximumLinks = 40

    /// Opens a path name by name without following links, and resolves links itself as long as they stay inside the
    /// folder.
    ///
    /// If a name becomes a link after the check, `O_NOFOLLOW` refuses it. A folder that is moved after it was opened
    /// remains the same folder.
    private func open(
        _ name: String, byComponentsBelow root: borrowing Descriptor
    ) throws(FileFailure) -> Descriptor {
        guard !name.hasPrefix("/") else { throw .escapesFolder }
        var folders: [CInt] = []
        defer { for folder in folders { close(folder) } }
        var rest = Array(name.split(separator: "/").map(String.init).reversed())
        var links = 0
        while let part = rest.popLast() {
            if part == "." { continue }
            if part == ".." {
                guard let last = folders.popLast() else { throw .escapesFolder }
                close(last)
                continue
            }
            let folder = folders.last ?? root.number
            if let target = Self.target(ofLink: part, in: folder) {
                links += 1
                guard links <= Self.maximumLinks else { throw FileFailure(code: ELOOP) }
                guard !target.hasPrefix("/") else { throw .escapesFolder }
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

    /// The target of a link; nil if the name is not a link.
    static func target(ofLink name: String, in folder: CInt) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer -> String? in
            guard let start = buffer.baseAddress else { return nil }
            let count = readlinkat(folder, name, start, buffer.count)
            guard count >= 0 else { return nil }
            return String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
        }
    }

    /// `openat`, retried after a signal.
    static func openSystem(_ folder: CInt, _ name: String, _ flags: CInt) -> CInt {
        while true {
            let number = openat(folder, name, flags)
            if number >= 0 || errno != EINTR { return number }
        }
    }
}
