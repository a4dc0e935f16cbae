#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Folders that only their owner can open, whatever the umask: what is kept there is a person's.
///
/// A folder that is there may be somebody's for another purpose, also when a link leads to it, and others may need it. So
/// its permissions are changed only when it is empty, has the mark, or holds what services keep and nothing else.
package enum PrivateFolder {
    /// The file that marks a folder of state: what is in it may be of services that this version does not know.
    package static let mark = ".glass-state"
    fileprivate static let markText =
        "Services of markets keep their state here. Only the owner can open this folder.\n"

    /// Makes a folder of mode 0700, with those above it, or takes from one that is there what others may.
    ///
    /// Returns whether others could open it before. A folder in one that holds state belongs to that.
    @discardableResult
    package static func make(_ path: String) throws -> Bool {
        if try makeMissing(path) { return false }
        return try narrow(path, mayBelong: true)
    }

    /// Makes a folder as ``make(_:)`` does, and leaves one of others as it is: what is kept there is in files that only
    /// their owner can open.
    package static func makeOrShare(_ path: String) throws {
        do {
            try make(path)
        } catch PrivateFolderError.ofOthers {
            return
        }
    }

    /// Makes a folder for the state of all markets, as ``make(_:)`` does, and marks it.
    @discardableResult
    package static func makeMarked(_ path: String) throws -> Bool {
        let wasOpen = try makeMissing(path) ? false : narrow(path, mayBelong: false)
        // A folder that nobody else could open may still hold other files of its owner, and gets no mark then.
        guard try StateContents(of: open(path)).isState else { return wasOpen }
        do throws(FileFailure) {
            try ConfinedDirectory(path).write(
                Array(markText.utf8), to: mark, as: ConfinedDirectory.Writing(mode: 0o600))
        } catch {
            // What cannot be written is as it was, and a service that has to write says so.
        }
        return wasOpen
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
    private static func narrow(_ path: String, mayBelong: Bool) throws -> Bool {
        let folder = try open(path)
        let status = try folder.status()
        guard status.st_uid == geteuid() else { throw PrivateFolderError.foreign(path, owner: status.st_uid) }
        if status.st_mode & 0o077 == 0 { return false }
        guard !isEverybodys(status) else { throw PrivateFolderError.shared(path) }
        let contents = try StateContents(of: folder)
        guard try contents.isState || mayBelong && isBelowState(folder) else {
            throw PrivateFolderError.ofOthers(path, such: contents.example)
        }
        guard fchmod(folder.number, status.st_mode & 0o700) == 0 else { throw POSIXFailure("narrow", path) }
        return true
    }

    private static func open(_ path: String) throws(POSIXFailure) -> Descriptor {
        let number = ConfinedDirectory.openSystem(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw POSIXFailure("open", path) }
        return Descriptor(number)
    }

    /// Whether the folder is in one of state: that of a market, or that of all markets. By the descriptor, since a link may
    /// lead to the folder from anywhere.
    private static func isBelowState(_ folder: borrowing Descriptor) throws(FileFailure) -> Bool {
        for above in ["..", "../.."] {
            let number = ConfinedDirectory.openSystem(folder.number, above, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            // Who may not look at a folder did not make it.
            guard number >= 0 else { return false }
            let contents = try StateContents(of: Descriptor(number))
            if contents.isState { return true }
        }
        return false
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

/// What a folder holds, asked whether it is state of services.
private struct StateContents {
    /// Whether the folder is empty, has the mark, or holds what services keep and nothing else.
    let isState: Bool
    /// A name in it that is not known.
    let example: String

    /// What services keep in the folder of a market or of an app; files beside them have names that begin so.
    private static let files = ["storage.sqlite", "startup.json", "remote-configuration.json", "sign-in.token"]
    private static let folders = ["analytics", "media", "responses"]
    /// What Foundation keeps on Linux in the folder of all markets.
    private static let shared = ["caches", "data", "defaults", PrivateFolder.mark]

    init(of folder: borrowing Descriptor) throws(FileFailure) {
        let names = try folder.names().sorted()
        if names.isEmpty || Self.hasMark(folder) || Self.isStore(folder) {
            (isState, example) = (true, "")
            return
        }
        // The folder of all markets as earlier versions left it has no mark, and one folder for each market; that of an
        // app has the files themselves. With anything else beside them it has another purpose, too.
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

    /// Whether the mark is one that was written here: whoever wants another's folder narrowed can make an empty file.
    private static func hasMark(_ folder: borrowing Descriptor) -> Bool {
        beginning(of: PrivateFolder.mark, in: folder) == Array(PrivateFolder.markText.utf8)
    }

    private static func isOfMarket(_ name: String) -> Bool { (files + folders).contains { name.hasPrefix($0) } }

    /// Whether there is a file as services write it. The name alone may be another program's.
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

    /// Whether it is a store of delivered markets, which has no mark: an app may be shipped with it.
    private static func isStore(_ folder: borrowing Descriptor) -> Bool {
        isRegular("state", in: folder) && isRegular("lock", in: folder)
            && beginning(of: "state", in: folder).contains(subsequence: Array("\"install\"".utf8))
    }

    private static func isRegular(_ name: String, in folder: borrowing Descriptor) -> Bool {
        var status = stat()
        return fstatat(folder.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// What a regular file begins with; nothing where there is none.
    private static func beginning(of name: String, in folder: borrowing Descriptor) -> [UInt8] {
        let number = ConfinedDirectory.openSystem(folder.number, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else { return [] }
        let file = try? Descriptor(number).regular()  // what is no file, or cannot be read, is not known
        return (try? file?.read(limit: 64 << 10)) ?? []  // as above
    }
}

extension [UInt8] {
    fileprivate func contains(subsequence: [UInt8]) -> Bool {
        guard count >= subsequence.count else { return false }
        return (0...(count - subsequence.count)).contains { self[$0...].starts(with: subsequence) }
    }
}

/// Why a folder cannot hold what a person's services keep.
package enum PrivateFolderError: Error, Equatable, CustomStringConvertible {
    /// The folder belongs to another user.
    case foreign(_ path: String, owner: UInt32)
    /// Users share the folder, as they do /tmp.
    case shared(_ path: String)
    /// The folder is open to others and has files of another purpose.
    case ofOthers(_ path: String, such: String)

    /// What is wrong, and what to do.
    package var description: String {
        switch self {
        case .foreign(let path, let owner):
            "the folder \(path) belongs to another user (\(owner)), who could read what is kept there; "
                + "name a folder of your own"
        case .shared(let path):
            "the folder \(path) is shared by all users, who could read what is kept there; name a folder below it"
        case .ofOthers(let path, let example):
            "the folder \(path) is open to others and has other files, such as \(example); "
                + "name a new or an empty folder, such as \(path)/glass-state"
        }
    }
}
