#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The reason why a file or folder cannot be read or written.
package struct FileFailure: Error, Equatable, CustomStringConvertible {
    /// The kinds that a caller may want to distinguish.
    package enum Kind: Sendable, Equatable {
        /// The file does not exist.
        case missing
        /// A link, or `..`, leads out of the folder.
        case escapesFolder
        /// Anything else.
        case other
    }

    /// The kind of failure.
    package let kind: Kind
    /// The reason in a few words, without the path, which the caller adds.
    package let reason: String

    /// Creates a failure.
    package init(reason: String, kind: Kind = .other) {
        self.reason = reason
        self.kind = kind
    }

    /// Creates a failure from the error code of a system call.
    package init(code: Int32) {
        switch code {
        case EXDEV: self = .escapesFolder
        case ENXIO: self = .notRegular
        case ENOENT, ENOTDIR: self.init(reason: Self.text(code), kind: .missing)
        default: self.init(reason: Self.text(code))
        }
    }

    /// The reason alone, to use as the cause of another error.
    package var description: String { reason }

    /// The file exceeds its reader's limit.
    package static func tooLarge(limit: Int) -> FileFailure {
        FileFailure(reason: "it has more than \(limit.grouped) bytes")
    }

    /// The folder exceeds its reader's limit.
    package static func tooManyEntries(limit: Int) -> FileFailure {
        FileFailure(reason: "it has more than \(limit.grouped) entries")
    }

    /// The failure for a target that cannot be replaced, by its mode.
    static func notReplaceable(_ mode: mode_t) -> FileFailure {
        let kind =
            switch mode & S_IFMT {
            case S_IFDIR: "a folder"
            case S_IFIFO: "a pipe"
            case S_IFSOCK: "a socket"
            case S_IFLNK: "a link"
            default: "a device"
            }
        return FileFailure(reason: "it is \(kind), but only regular files can be replaced; choose another path")
    }

    static let escapesFolder = FileFailure(
        reason: "it is a symbolic link that leads outside its folder", kind: .escapesFolder)
    static let isLink = FileFailure(reason: "it is a symbolic link: fix its target instead")
    static let changed = FileFailure(reason: "it was modified meanwhile; try again")
    static let notRegular = FileFailure(reason: "it is not a regular file")
    static let exists = FileFailure(code: EEXIST)
    static let isStream = FileFailure(
        reason: "it is a stream of this process, but only regular files can be replaced; choose another path")

    private static func text(_ code: Int32) -> String { String(cString: strerror(code)).lowercased() }
}
