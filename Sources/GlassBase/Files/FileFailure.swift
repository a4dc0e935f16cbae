#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Why a file or folder could not be read or written.
package struct FileFailure: Error, Equatable, CustomStringConvertible {
    /// What a caller may want to tell apart.
    package enum Kind: Sendable, Equatable {
        /// There is no such file.
        case missing
        /// A link, or `..`, leads out of the folder.
        case leadsOut
        /// Anything else.
        case other
    }

    /// Which kind of reason it is.
    package let kind: Kind
    /// The reason in a few words, without the path that the caller names anyway.
    package let reason: String

    /// Describes a failure.
    package init(reason: String, kind: Kind = .other) {
        self.reason = reason
        self.kind = kind
    }

    /// The reason for which a system call failed.
    package init(code: Int32) {
        switch code {
        case EXDEV: self = .leadsOut
        case ENXIO: self = .notRegular
        case ENOENT, ENOTDIR: self.init(reason: Self.text(code), kind: .missing)
        default: self.init(reason: Self.text(code))
        }
    }

    /// The reason alone, as the cause of another error.
    package var description: String { reason }

    /// A file that is larger than its reader takes.
    package static func tooLarge(limit: Int) -> FileFailure {
        FileFailure(reason: "it has more than \(limit.grouped) bytes")
    }

    /// A folder that is larger than its reader takes.
    package static func tooManyEntries(limit: Int) -> FileFailure {
        FileFailure(reason: "it has more than \(limit.grouped) entries")
    }

    /// What stands where a file is to be written, by its mode.
    static func notReplaceable(_ mode: mode_t) -> FileFailure {
        let kind =
            switch mode & S_IFMT {
            case S_IFDIR: "a folder"
            case S_IFIFO: "a pipe"
            case S_IFSOCK: "a socket"
            case S_IFLNK: "a link"
            default: "a device"
            }
        return FileFailure(reason: "it is \(kind), and only a regular file is replaced; name another place")
    }

    static let leadsOut = FileFailure(reason: "it is a link that leads out of its folder", kind: .leadsOut)
    static let isLink = FileFailure(reason: "it is a link: mend the file that it leads to")
    static let changed = FileFailure(reason: "somebody changed it in the meantime; try again")
    static let notRegular = FileFailure(reason: "it is not a regular file")
    static let exists = FileFailure(code: EEXIST)
    static let isStream = FileFailure(
        reason: "it is a stream of this process, and only a regular file is replaced; name another place")

    private static func text(_ code: Int32) -> String { String(cString: strerror(code)).lowercased() }
}
