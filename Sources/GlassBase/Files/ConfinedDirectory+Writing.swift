#if canImport(Glibc)
    package import Glibc
#elseif canImport(Musl)
    package import Musl
#else
    package import Darwin
#endif

/// Writes files. A new file is written to a temporary name and then renamed, so readers see either the old content or
/// the new, even after a crash. Only a regular file is replaced: a pipe would block its writer, a device belongs to the
/// system, and a link leads to a file that others know by another name.
extension ConfinedDirectory {
    /// How a file is written.
    package struct Writing {
        /// The permissions of a new file, regardless of the umask. An existing file keeps its own.
        package var mode: mode_t
        /// The permissions of missing folders to create; nil creates none.
        package var folderMode: mode_t?
        /// Whether the content survives a power cut once the write returns.
        package var isDurable = false
        /// Called before the new file gets its name, with its descriptor and the status of the file that it replaces.
        package var prepare: (CInt, stat?) -> Bool = { _, _ in true }

        package init(mode: mode_t, folderMode: mode_t? = nil) {
            self.mode = mode
            self.folderMode = folderMode
        }
    }

    /// The folder and name of a file to write, for a path that the user named. A link there is intended.
    package static func target(named path: String) throws(FileFailure) -> (folder: ConfinedDirectory, name: String) {
        var path = path
        for _ in 0..<maximumLinks {
            // Such a path names an open descriptor of the process, and would lead to the file that standard output goes
            // to.
            let isStream =
                ["/proc/", "/dev/fd/"].contains { path.hasPrefix($0) }
                || ["/dev/stdin", "/dev/stdout", "/dev/stderr"].contains(path)
            guard !isStream else { throw .isStream }
            let (folder, name) = split(path)
            guard !name.isEmpty else { throw .notReplaceable(S_IFDIR) }
            guard let link = target(ofLink: path, in: AT_FDCWD) else { return (folder, name) }
            path = link.hasPrefix("/") || folder.path == "." ? link : folder.path + link
        }
        throw FileFailure(code: ELOOP)
    }

    /// Checks in advance, as far as possible, whether a file can be written: the target must be a regular file or
    /// missing.
    package func checkTarget(_ name: String) throws(FileFailure) {
        let (parent, last) = Self.parted(name)
        let folder: Descriptor
        do throws(FileFailure) {
            folder = try openParent(parent)
        } catch {
            // Missing folders are created. The attempt itself reports anything else in their place.
            guard error.kind == .missing else { throw error }
            return
        }
        _ = try Self.replaceable(last, in: folder.number)
    }

    /// Writes a file in one step.
    package func write(_ bytes: [UInt8], to name: String, as writing: Writing) throws(FileFailure) {
        let (parent, last) = Self.parted(name)
        if let mode = writing.folderMode { try makeFolders(parent, mode) }
        let folder = try openParent(parent)
        let replaced = try Self.replaceable(last, in: folder.number)
        try Self.put(bytes, at: last, in: folder.number, writing, replacing: replaced)
    }

    /// Removes a regular file; a missing one is not an error.
    package func remove(_ name: String) throws(FileFailure) {
        let (parent, last) = Self.parted(name)
        let folder = try openParent(parent)
        guard try Self.replaceable(last, in: folder.number) != nil else { return }
        guard unlinkat(folder.number, last, 0) == 0 || errno == ENOENT else { throw FileFailure(code: errno) }
    }

    /// Replaces the content of a file in one step.
    ///
    /// The file keeps its permissions. It keeps its owner as far as the system allows this process to change owners.
    package func replace(_ name: String, _ old: [UInt8], with new: [UInt8]) throws(FileFailure) {
        let (parent, last) = Self.parted(name)
        let folder = try openParent(parent)
        var status = stat()
        guard fstatat(folder.number, last, &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw FileFailure(code: errno) }
        // A new file in place of a link would be separate from the file that others know by another name.
        guard status.st_mode & S_IFMT != S_IFLNK else { throw .isLink }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
        var writing = Writing(mode: status.st_mode & 0o7777)
        writing.isDurable = true
        try Self.put(new, at: last, in: folder.number, writing, replacing: status, whoseContentIs: old)
    }

    /// The parent folder of a path, and the last name in it.
    private static func parted(_ name: String) -> (parent: String?, last: String) {
        guard let slash = name.lastIndex(of: "/") else { return (nil, name) }
        return (String(name[..<slash]), String(name[name.index(after: slash)...]))
    }

    private func openParent(_ name: String?) throws(FileFailure) -> Descriptor {
        guard let name else { return try openFolder() }
        return try openFolder(name)
    }

    /// The status of the file that a new one replaces; nil if there is none.
    private static func replaceable(_ name: String, in folder: CInt) throws(FileFailure) -> stat? {
        guard !name.isEmpty, !name.utf8.contains(0) else { throw FileFailure(code: ENOENT) }
        var status = stat()
        guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            guard errno == ENOENT else { throw FileFailure(code: errno) }
            return nil
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notReplaceable(status.st_mode) }
        return status
    }

    private static func put(
        _ bytes: [UInt8], at name: String, in folder: CInt, _ writing: Writing, replacing status: stat?,
        whoseContentIs old: [UInt8]? = nil
    ) throws(FileFailure) {
        // A user with write access to the folder could replace the file, but its owner made it read-only.
        guard status == nil || faccessat(folder, name, W_OK, 0) == 0 else { throw FileFailure(code: errno) }
        let draft = ".\(String(UInt64.random(in: .min ... .max), radix: 36)).part"
        do throws(FileFailure) {
            try write(bytes, to: draft, in: folder, writing, replacing: status)
            if let old {
                let number = openSystem(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
                guard number >= 0 else { throw FileFailure(code: errno) }
                guard try Descriptor(number).read(limit: old.count) == old else { throw .changed }
            }
            guard renameat(folder, draft, folder, name) == 0 else { throw FileFailure(code: errno) }
        } catch {
            unlinkat(folder, draft, 0)
            throw error
        }
        // Also makes the folder's entries durable. Some file systems do not support that.
        if writing.isDurable { _ = FileCalls.synchronize(folder) }
    }

    private static func write(
        _ bytes: [UInt8], to draft: String, in folder: CInt, _ writing: Writing, replacing status: stat?
    ) throws(FileFailure) {
        let number = openat(folder, draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw FileFailure(code: errno) }
        let file = Descriptor(number)
        guard FileCalls.write(bytes, to: file.number) else { throw FileFailure(code: errno) }
        // Only root can change the owner. Otherwise the file stays this process's own, which is not an error. This
        // happens before the permissions are set, because a new owner may reset them.
        if let status { _ = fchown(file.number, status.st_uid, status.st_gid) }
        guard fchmod(file.number, status.map { $0.st_mode & 0o7777 } ?? writing.mode) == 0,
            writing.prepare(file.number, status), !writing.isDurable || FileCalls.synchronize(file.number)
        else { throw FileFailure(code: errno) }
    }

    /// Creates the folder itself and any missing folders on the way to a file.
    private func makeFolders(_ name: String?, _ mode: mode_t) throws(FileFailure) {
        try Self.make(path, mode: mode)
        var made = ""
        for part in (name ?? "").split(separator: "/") {
            let parent = try openParent(made.isEmpty ? nil : made)
            made += (made.isEmpty ? "" : "/") + part
            if mkdirat(parent.number, String(part), mode) == 0 {
                // The umask of the process may be stricter than the user intended.
                _ = fchmodat(parent.number, String(part), mode, 0)
            } else if errno != EEXIST {
                throw FileFailure(code: errno)
            }
        }
    }

    /// Creates a folder and those above it, unless it exists.
    package static func make(_ path: String, mode: mode_t) throws(FileFailure) {
        var status = stat()
        if stat(path, &status) == 0 { return }
        if mkdir(path, mode) == 0 {
            _ = chmod(path, mode)  // as above
            return
        }
        // Another process may create it at the same time.
        if errno == EEXIST { return }
        let failure = FileFailure(code: errno)
        var rest = path[...]
        while rest.count > 1, rest.last == "/" { rest = rest.dropLast() }
        guard errno == ENOENT, let slash = rest.lastIndex(of: "/"), slash > rest.startIndex else { throw failure }
        try make(String(rest[..<slash]), mode: mode)
        try make(String(rest), mode: mode)
    }
}
