#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Creates folders that only their owner can open, regardless of the umask. They hold personal data.
///
/// An existing folder may serve another purpose, even if a link leads to it, and others may need access. So its
/// permissions change only if it is empty, has the mark, or contains only what services keep.
package enum PrivateFolder {
    /// The file that marks a state folder. The folder may contain data of services that this version does not know.
    package static let mark = ".glass-state"
    fileprivate static let markText =
        "Services of markets keep their state here. Only the owner can open this folder.\n"

    /// Creates a folder with mode 0700 and any missing folders above it. Narrows the permissions of an existing folder.
    ///
    /// Returns whether others could open it before. A folder inside a state folder belongs to that state.
    @discardableResult
    package static func make(_ path: String) throws -> Bool {
        if try makeMissing(path) { return false }
        return try narrow(path, mayBelong: true)
    }

    /// Creates a folder as ``make(_:)`` does, but leaves an open folder with unrelated files unchanged. Services
    /// keep data there in files that only their owner can open.
    package static func makeOrShare(_ path: String) throws {
        do {
            try make(path)
        } catch PrivateFolderError.ofOthers {
            return
        }
    }

    /// Creates a folder for the state of all markets, as ``make(_:)`` does, and marks it.
    @discardableResult
    package static func makeMarked(_ path: String) throws -> Bool {
        let wasOpen = try makeMissing(path) ? false : narrow(path, mayBelong: false)
        // A folder that was already private may contain the owner's other files, so it gets no mark.
        guard try StateContents(of: open(path)).isState else { return wasOpen }
        do throws(FileFailure) {
            try ConfinedDirectory(path).write(
                Array(markText.utf8), to: mark, as: ConfinedDirectory.Writing(mode: 0o600))
        } catch {
            // If the mark cannot be written, nothing changes. A service that has to write reports the error.
        }
        return wasOpen
    }

    private static func makeMissing(_ path: String) throws -> Bool {
        if mkdir(path, 0o700) != 0 {
            if errno == EEXIST { return false }
            guard errno == ENOENT, let parent = parent(of: path) else { throw POSIXFailure("create", path) }
            _ = try makeMissing(parent)
            guard mkdir(path, 0o700) == 0 else {
                // Another process may create it at the same time.
                if errno == EEXIST { return false }
                throw POSIXFailure("create", path)
            }
        }
        // An unusual umask may have removed the owner's own rights.
        guard chmod(path, 0o700) == 0 else { throw POSIXFailure("narrow", path) }
        return true
    }

    /// The parent folder; nil if there is no name above.
    private static func parent(of path: String) -> String? {
        var rest = path[...]
        while rest.count > 1, rest.last == "/" { rest = rest.dropLast() }
        guard let slash = rest.lastIndex(of: "/"), slash > rest.startIndex else { return nil }
        return String(rest[..<slash])
    }

    /// Checks the folder through its descriptor, so that the checked folder is the one that changes.
    private static func narrow(_ path: String, mayBelong: Bool) throws -> Bool {
        let folder = try open(path)
        let status = try folder.status()
        guard status.st_uid == geteuid() else { throw PrivateFolderError.foreign(path, owner: status.st_uid) }
        if status.st_mode & 0o077 == 0 { return false }
        guard !isWorldWritable(status) else { throw PrivateFolderError.shared(path) }
        let contents = try StateContents(of: folder)
        guard try contents.isState || mayBelong && isBelowState(folder) else {
            throw PrivateFolderError.ofOthers(path, such: contents.example)
        }
        guard fchmod(folder.number, status.st_mode & 0o700) == 0 else { throw POSIXFailure("narrow", path) }
        return true
    }

    /// Opens a folder, to read or to synchronize its names.
    package static func open(_ path: String) throws(POSIXFailure) -> Descriptor {
        let number = ConfinedDirectory.openSystem(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw POSIXFailure("open", path) }
        return Descriptor(number)
    }

    /// Whether the folder is inside a state folder, of a market or of all markets. Uses the descriptor, since a link
    /// may lead to the folder from anywhere.
    private static func isBelowState(_ folder: borrowing Descriptor) throws(FileFailure) -> Bool {
        for above in ["..", "../.."] {
            let number = ConfinedDirectory.openSystem(folder.number, above, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            // If the parent is not accessible, this user did not create it.
            guard number >= 0 else { return false }
            let contents = try StateContents(of: Descriptor(number))
            if contents.isState { return true }
        }
        return false
    }

    /// Whether all programs of the system create files in the folder. If its owner narrowed it, everyone else would be
    /// locked out.
    private static func isWorldWritable(_ status: stat) -> Bool {
        ["/", "/tmp", "/var/tmp", "/dev/shm"].contains { path in
            var other = stat()
            return stat(path, &other) == 0 && other.st_dev == status.st_dev && other.st_ino == status.st_ino
        }
    }
}

/// The contents of a folder, to decide whether it is state of services.
private struct StateContents {
    /// Whether the folder is empty, has the mark, or contains only what services keep.
    let isState: Bool
    /// An unknown name in the folder.
    let example: String

    /// The files that services keep in the folder of a market or an app. Related files share these prefixes.
    private static let files = [
        "storage.sqlite", "startup.json", "remote-configuration.json", "sign-in.token", "cookies.json",
    ]
    private static let folders = ["analytics", "media", "responses"]
    /// The names that Foundation uses on Linux in the folder of all markets.
    private static let shared = ["caches", "data", "defaults", PrivateFolder.mark]

    init(of folder: borrowing Descriptor) throws(FileFailure) {
        let names = try folder.names().sorted()
        if names.isEmpty || Self.hasMark(folder) || Self.isStore(folder) {
            (isState, example) = (true, "")
            return
        }
        // Earlier versions left the folder of all markets without a mark, with one folder for each market. An app's
        // folder contains the files directly. Any other content means another purpose.
        var (hasDatabase, unknown) = (Self.holdsDatabase(folder), String?.none)
        for name in names where !Self.shared.contains(name) && !Self.isOfMarket(name) {
            let number = ConfinedDirectory.openSystem(
                folder.number, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard number >= 0 else {
                unknown = name
                break
            }
            let market = Descriptor(number)
            guard try market.names().allSatisfy(Self.isOfMarket) else {
                unknown = name
                break
            }
            hasDatabase = hasDatabase || Self.holdsDatabase(market)
        }
        isState = hasDatabase && unknown == nil
        example = unknown ?? names.first { !Self.shared.contains($0) } ?? names[0]
    }

    /// Whether this program wrote the mark. Anyone could create an empty file to get another user's folder narrowed.
    private static func hasMark(_ folder: borrowing Descriptor) -> Bool {
        beginning(of: PrivateFolder.mark, in: folder) == Array(PrivateFolder.markText.utf8)
    }

    private static func isOfMarket(_ name: String) -> Bool { (files + folders).contains { name.hasPrefix($0) } }

    /// Whether a database of the services exists. Another program could use the same name.
    private static func holdsDatabase(_ folder: borrowing Descriptor) -> Bool {
        for name in files {
            let bytes = beginning(of: name, in: folder)
            let isOurs =
                switch name {
                case "storage.sqlite": bytes.starts(with: "SQLite format 3\0".utf8)
                case "sign-in.token": isRegular("\(name).lock", in: folder)
                default: bytes.contains(subsequence: Array("\"schema\"".utf8))
                }
            if !bytes.isEmpty, isOurs { return true }
        }
        return false
    }

    /// Whether the folder is a store of delivered markets. A store has no mark, because an app may ship with it.
    private static func isStore(_ folder: borrowing Descriptor) -> Bool {
        isRegular("state", in: folder) && isRegular("lock", in: folder)
            && beginning(of: "state", in: folder).contains(subsequence: Array("\"install\"".utf8))
    }

    private static func isRegular(_ name: String, in folder: borrowing Descriptor) -> Bool {
        var status = stat()
        return fstatat(folder.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// The beginning of a regular file; empty if there is none.
    private static func beginning(of name: String, in folder: borrowing Descriptor) -> [UInt8] {
        let number = ConfinedDirectory.openSystem(folder.number, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else { return [] }
        let file = try? Descriptor(number).regular()  // not a regular file, or not readable: unknown
        return (try? file?.read(limit: 64 << 10)) ?? []  // as above
    }
}

extension [UInt8] {
    fileprivate func contains(subsequence: [UInt8]) -> Bool {
        guard count >= subsequence.count else { return false }
        return (0...(count - subsequence.count)).contains { self[$0...].starts(with: subsequence) }
    }
}

/// The reason why a folder cannot hold private data.
package enum PrivateFolderError: Error, Equatable, CustomStringConvertible {
    /// The folder belongs to another user.
    case foreign(_ path: String, owner: UInt32)
    /// The folder is shared between users, as /tmp is.
    case shared(_ path: String)
    /// The folder is open to others and contains unrelated files.
    case ofOthers(_ path: String, such: String)

    /// The problem, and what to do.
    package var description: String {
        switch self {
        case .foreign(let path, let owner):
            "the folder \(path) belongs to another user (\(owner)), who could read its contents; "
                + "use a folder of your own"
        case .shared(let path):
            "the folder \(path) is shared by all users, who could read its contents; use a folder inside it"
        case .ofOthers(let path, let example):
            "the folder \(path) is open to others and contains other files, such as \(example); "
                + "use a new or an empty folder, such as \(path)/glass-state"
        }
    }
}
