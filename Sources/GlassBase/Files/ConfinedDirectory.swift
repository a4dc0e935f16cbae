import CSystem

#if canImport(Glibc)
    package import Glibc
#elseif canImport(Musl)
    package import Musl
#else
    package import Darwin
#endif

/// A folder whose files somebody else names: nothing outside of it can be read through it.
///
/// A file is opened by descriptor, beneath the folder's own, and asked what it is through that descriptor; so neither a
/// link nor a name that changes places with another between two calls leads anywhere else. The folder itself may be a
/// link: whoever names it means it, but not where a command found it by itself. A link below it may lead to a file below
/// it, by a relative path.
package struct ConfinedDirectory: Sendable {
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
    /// Whether the folder itself is opened beneath the one above it, as its files are beneath it.
    private let isFound: Bool

    /// Names a folder that the user named; reads nothing yet.
    package init(_ path: String) {
        self.init(path, way: .kernel)
    }

    /// Names a folder that the user did not name, such as `links` of a project. A link in its place may be part of what
    /// somebody else wrote, and must not lead out of the folder that it is in. Reads nothing yet.
    package init(found path: String) {
        self.init(path, way: .kernel, isFound: true)
    }

    /// Names a folder and who finds the way below it; reads nothing yet.
    package init(_ path: String, way: Way, isFound: Bool = false) {
        self.path = path
        self.way = way
        self.isFound = isFound
    }

    /// Reads a file, and of a larger one no more than a byte past the limit.
    package func read(_ name: String, limit: Int) throws(FileFailure) -> [UInt8] {
        try openFile(name).read(limit: limit)
    }

    /// Reads a file; a larger one is a failure.
    package func contents(of name: String, limit: Int) throws(FileFailure) -> [UInt8] {
        try openFile(name).contents(limit: limit)
    }

    /// The folder that a path names, and what it names there.
    package static func split(_ path: String) -> (folder: ConfinedDirectory, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (ConfinedDirectory("."), path) }
        return (ConfinedDirectory(String(path[...slash])), String(path[path.index(after: slash)...]))
    }

    /// The names of the files and folders directly in the folder.
    package func names() throws(FileFailure) -> [String] {
        try openFolder().names()
    }

    /// What a file or folder is, and how it was when it changed last.
    package func status(of name: String) throws(FileFailure) -> stat {
        try open(name).status()
    }

    /// Opens a regular file.
    package func openFile(_ name: String) throws(FileFailure) -> Descriptor {
        try open(name).regular()
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
        guard !isFound else {
            let (above, name) = Self.split(path)
            return try ConfinedDirectory(above.path, way: way).openFolder(name)
        }
        let number = Self.openSystem(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw FileFailure(code: errno) }
        return Descriptor(number)
    }

    /// Opens a folder below this one.
    func openFolder(_ name: String) throws(FileFailure) -> Descriptor {
        let folder = try open(name)
        guard try folder.status().st_mode & S_IFMT == S_IFDIR else { throw FileFailure(code: ENOTDIR) }
        return folder
    }

    private static let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    /// As many links as the kernel follows.
    static let maximumLinks = 40

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
                guard links <= Self.maximumLinks else { throw FileFailure(code: ELOOP) }
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
    static func target(ofLink name: String, in folder: CInt) -> String? {
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
