public import Foundation

/// Something that happened to a file of the storage that somebody should know of, although the storage works on.
public struct StorageIssue: Sendable, CustomStringConvertible {
    /// What happened.
    public enum Kind: Sendable, Equatable {
        /// The file was damaged. It was renamed, and a new one was started.
        case corrupt
        /// The open file was replaced or removed. What is at its place now is used.
        case replaced
        /// The file could not be read, so what it says is unknown; it was not touched.
        case unreadable
        /// A stored value is of another type than the market declares now. It stays, and the default is used.
        case typeChanged
    }

    /// What happened.
    public let kind: Kind
    /// The file, or nil for a storage in memory.
    public let file: URL?
    /// Where the damaged file is now.
    public let setAside: URL?
    /// What was found.
    public let reason: String

    /// Describes an issue.
    package init(_ kind: Kind, file: URL?, setAside: URL? = nil, reason: String) {
        self.kind = kind
        self.file = file
        self.setAside = setAside
        self.reason = reason
    }

    /// What happened, in one line.
    public var description: String {
        let place = file?.path ?? "the storage in memory"
        return switch kind {
        case .corrupt:
            "\(place) is damaged (\(reason)); it was kept as \(setAside?.lastPathComponent ?? "?") and a new one started"
        case .replaced: "\(place) was \(reason) while it was open; what is there now is used"
        case .unreadable: "\(place) cannot be read: \(reason)"
        case .typeChanged: reason
        }
    }
}
