import GlassBase

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension BeneathFolder {
    /// Replaces what a file holds, in one step: whoever reads it finds the old content or the new, also after a crash.
    ///
    /// The file keeps its permissions, and its owner as far as the system lets this process give files away.
    package func replace(_ name: String, _ old: [UInt8], with new: [UInt8]) throws(FileFailure) {
        let slash = name.lastIndex(of: "/")
        let last = slash.map { String(name[name.index(after: $0)...]) } ?? name
        let folder = try openFolder(slash.map { String(name[..<$0]) })
        var status = stat()
        guard fstatat(folder.number, last, &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw FileFailure(code: errno) }
        // A new file in the place of a link would part it from the file that others know under another name.
        guard status.st_mode & S_IFMT != S_IFLNK else { throw .isLink }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
        // Whoever may write the folder could replace the file, but its owner said that it stays.
        guard faccessat(folder.number, last, W_OK, 0) == 0 else { throw FileFailure(code: errno) }
        let draft = ".\(last).\(UInt64.random(in: .min ... .max)).part"
        do throws(FileFailure) {
            try write(new, to: draft, in: folder, as: status)
            guard try read(last, in: folder, limit: old.count) == old else { throw .changed }
            guard renameat(folder.number, draft, folder.number, last) == 0 else { throw FileFailure(code: errno) }
        } catch {
            unlinkat(folder.number, draft, 0)
            throw error
        }
        // What is in the folder is then safe as well; some file systems cannot be asked to do that.
        fsync(folder.number)
    }

    private func openFolder(_ name: String?) throws(FileFailure) -> Descriptor {
        guard let name else { return try openFolder() }
        return try open(name)
    }

    private func write(
        _ bytes: [UInt8], to draft: String, in folder: borrowing Descriptor, as status: stat
    ) throws(FileFailure) {
        let number = openat(folder.number, draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw FileFailure(code: errno) }
        let file = Descriptor(number)
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { writeBytes(file.number, $0.baseAddress, $0.count) }
            if count >= 0 {
                written += count
            } else if errno != EINTR {
                throw FileFailure(code: errno)
            }
        }
        // Only root gives files away; a file that stays this process's own is no reason not to mend it. Before the
        // permissions, which giving away may take back.
        _ = fchown(file.number, status.st_uid, status.st_gid)
        guard fchmod(file.number, status.st_mode & 0o7777) == 0, fsync(file.number) == 0 else {
            throw FileFailure(code: errno)
        }
    }

    private func read(
        _ name: String, in folder: borrowing Descriptor, limit: Int
    ) throws(FileFailure) -> [UInt8] {
        let number = Self.openSystem(folder.number, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else { throw FileFailure(code: errno) }
        return try Descriptor(number).read(limit: limit)
    }
}

/// `write`, which inside the type would name its own method.
private func writeBytes(_ descriptor: CInt, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, buffer, count)
}
