#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Folders that only their owner can open, whatever the umask: what is kept there is a person's.
package enum PrivateFolder {
    /// Makes a folder of mode 0700, with those above it, or takes from one that is there what others may.
    @discardableResult
    package static func make(_ path: String) throws -> Bool {
        if try makeMissing(path) { return false }
        return try narrow(path)
    }

    private static func makeMissing(_ path: String) throws -> Bool {
        if mkdir(path, 0o700) != 0 {
            if errno == EEXIST { return false }
            guard errno == ENOENT, let parent = parent(of: path) else { throw POSIXFailure("make", path) }
            _ = try makeMissing(parent)
            guard mkdir(path, 0o700) == 0 else {
                // Another process may make it, too.
                if errno == EEXIST { return false }
                throw POSIXFailure("make", path)
            }
        }
        // A umask may have taken the owner's own rights.
        guard chmod(path, 0o700) == 0 else { throw POSIXFailure("narrow", path) }
        return true
    }

    /// The folder that holds another; nil for one without a name above it.
    private static func parent(of path: String) -> String? {
        var rest = path[...]
        while rest.count > 1, rest.last == "/" { rest = rest.dropLast() }
        guard let slash = rest.lastIndex(of: "/"), slash > rest.startIndex else { return nil }
        return String(rest[..<slash])
    }

    /// Looks at the folder by its descriptor, so that what is looked at is what is narrowed.
    private static func narrow(_ path: String) throws -> Bool {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw POSIXFailure("open", path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw POSIXFailure("look at", path) }
        guard status.st_uid == geteuid() else { throw PrivateFolderError.foreign(path, owner: status.st_uid) }
        if status.st_mode & 0o077 == 0 { return false }
        guard !isEverybodys(status) else { throw PrivateFolderError.shared(path) }
        guard fchmod(descriptor, status.st_mode & 0o700) == 0 else { throw POSIXFailure("narrow", path) }
        return true
    }

    /// Whether it is a folder in which every program of the system makes files. Its owner may narrow it, and would keep
    /// all others from their work.
    private static func isEverybodys(_ status: stat) -> Bool {
        ["/", "/tmp", "/var/tmp", "/dev/shm"].contains { path in
            var other = stat()
            return stat(path, &other) == 0 && other.st_dev == status.st_dev && other.st_ino == status.st_ino
        }
    }
}

/// Why a folder cannot hold what a person's services keep.
package enum PrivateFolderError: Error, Equatable, CustomStringConvertible {
    /// The folder belongs to another user.
    case foreign(_ path: String, owner: UInt32)
    /// Users share the folder, as they do /tmp.
    case shared(_ path: String)

    /// What is wrong, and what to do.
    package var description: String {
        switch self {
        case .foreign(let path, let owner):
            "the folder \(path) belongs to another user (\(owner)), who could read what is kept there; "
                + "name a folder of your own"
        case .shared(let path):
            "the folder \(path) is shared by all users, who could read what is kept there; name a folder below it"
        }
    }
}
