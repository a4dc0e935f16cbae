#if canImport(Glibc)
    package import Glibc
#elseif canImport(Musl)
    package import Musl
#else
    package import Darwin
#endif

/// Writing files: each is made beside its place and renamed, so that whoever reads it finds the old content or the new, also
/// after a crash. Only a regular file is replaced: a pipe would keep its writer waiting, a device is the system's, and a link
/// leads to a file that others know under another name.
extension ConfinedDirectory {
    /// How a file is written.
    package struct Writing {
        /// The permissions of a file that is not there yet, whatever the umask; one that is there keeps its own.
        package var mode: mode_t
        /// The permissions of folders that are made on the way; nil makes none.
        package var folderMode: mode_t?
        /// Whether the content survives a power cut from the moment on at which it is written.
        package var isDurable = false
        /// Called with the descriptor of the new file, and the status of the one that it replaces, before it gets its name.
        package var prepare: (CInt, stat?) -> Bool = { _, _ in true }

        package init(mode: mode_t, folderMode: mode_t? = nil) {
            self.mode = mode
            self.folderMode = folderMode
        }
    }

    /// The folder and the name that a path leads to, for a file to write that the user named: a link there is meant.
    package static func target(named path: String) throws(FileFailure) -> (folder: ConfinedDirectory, name: String) {
        var path = path
        for _ in 0..<maximumLinks {
            // Such a name stands for what the process has open, and would lead to the file that standard output goes to.
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

    /// Looks whether a file could be written, as far as that shows before: what is there is a regular file or nothing.
    package func checkTarget(_ name: String) throws(FileFailure) {
        let (parent, last) = Self.parted(name)
        let folder: Descriptor
        do throws(FileFailure) {
            folder = try openParent(parent)
        } catch {
            // Folders that are missing are made; what stands in their place is told by the attempt.
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

    /// Replaces what a file holds, in one step.
    ///
    /// The file keeps its permissions, and its owner as far as the system lets this process give files away.
    package func replace(_ name: String, _ old: [UInt8], with new: [UInt8]) throws(FileFailure) {
        let (parent, last) = Self.parted(name)
        let folder = try openParent(parent)
        var status = stat()
        guard fstatat(folder.number, last, &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw FileFailure(code: errno) }
        // A new file in the place of a link would part it from the file that others know under another name.
        guard status.st_mode & S_IFMT != S_IFLNK else { throw .isLink }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
        var writing = Writing(mode: status.st_mode & 0o7777)
        writing.isDurable = true
        try Self.put(new, at: last, in: folder.number, writing, replacing: status, whoseContentIs: old)
    }

    /// The folder of a name, and what it is called there.
    private static func parted(_ name: String) -> (parent: String?, last: String) {
        guard let slash = name.lastIndex(of: "/") else { return (nil, name) }
        return (String(name[..<slash]), String(name[name.index(after: slash)...]))
    }

    private func openParent(_ name: String?) throws(FileFailure) -> Descriptor {
        guard let name else { return try openFolder() }
        return try openFolder(name)
    }

    /// What a new file takes the place of; nil for nothing.
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
        // Whoever may write the folder could replace the file, but its owner said that it stays.
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
        // What is in the folder is then safe as well; some file systems cannot be asked to do that.
        if writing.isDurable { fsync(folder) }
    }

    private static func write(
        _ bytes: [UInt8], to draft: String, in folder: CInt, _ writing: Writing, replacing status: stat?
    ) throws(FileFailure) {
        let number = openat(folder, draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw FileFailure(code: errno) }
        let file = Descriptor(number)
        try file.write(bytes)
        // Only root gives files away; a file that stays this process's own is no reason not to write it. Before the
        // permissions, which giving away may take back.
        if let status { _ = fchown(file.number, status.st_uid, status.st_gid) }
        guard fchmod(file.number, status.map { $0.st_mode & 0o7777 } ?? writing.mode) == 0,
            writing.prepare(file.number, status), !writing.isDurable || fsync(file.number) == 0
        else { throw FileFailure(code: errno) }
    }

    /// Makes the folder itself and those below it on the way to a file, as far as they are missing.
    private func makeFolders(_ name: String?, _ mode: mode_t) throws(FileFailure) {
        try Self.make(path, mode: mode)
        var made = ""
        for part in (name ?? "").split(separator: "/") {
            let parent = try openParent(made.isEmpty ? nil : made)
            made += (made.isEmpty ? "" : "/") + part
            if mkdirat(parent.number, String(part), mode) == 0 {
                // The umask of the process may be stricter than the user's.
                _ = fchmodat(parent.number, String(part), mode, 0)
            } else if errno != EEXIST {
                throw FileFailure(code: errno)
            }
        }
    }

    /// Makes a folder with those above it, unless it is there.
    package static func make(_ path: String, mode: mode_t) throws(FileFailure) {
        var status = stat()
        if stat(path, &status) == 0 { return }
        if mkdir(path, mode) == 0 {
            _ = chmod(path, mode)  // as above
            return
        }
        // Another process may make it, too.
        if errno == EEXIST { return }
        let failure = FileFailure(code: errno)
        var rest = path[...]
        while rest.count > 1, rest.last == "/" { rest = rest.dropLast() }
        guard errno == ENOENT, let slash = rest.lastIndex(of: "/"), slash > rest.startIndex else { throw failure }
        try make(String(rest[..<slash]), mode: mode)
        try make(String(rest), mode: mode)
    }
}
