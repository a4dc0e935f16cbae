public import Foundation

/// An issue of a storage file that someone should know about, although the storage continues to work.
public struct StorageIssue: Sendable, CustomStringConvertible {
    /// The kind of an issue.
    public enum Kind: Sendable, Equatable {
        /// The file was damaged. It was renamed, and a new one was started.
        case corrupt
        /// The open file was replaced or removed. The file that is there now is used.
        case replaced
        /// The file could not be read, so its content is unknown. It was not changed.
        case unreadable
        /// A stored value has another type than the market declares now. It stays stored, and the default is used.
        case typeChanged
    }

    /// The kind of the issue.
    public let kind: Kind
    /// The file, or `nil` for a storage in memory.
    public let file: URL?
    /// The current location of the damaged file.
    public let setAside: URL?
    /// The problem that was found.
    public let reason: String

    /// Creates an issue.
    package init(_ kind: Kind, file: URL?, setAside: URL? = nil, reason: String) {
        self.kind = kind
        self.file = file
        self.setAside = setAside
        self.reason = reason
    }

    /// The issue in one line.
    public var description: String {
        let place = file?.path ?? "the storage in memory"
        return switch kind {
        case .corrupt:
            "\(place) is damaged (\(reason)); it was renamed to \(setAside?.lastPathComponent ?? "?"), and a new one "
                + "was started"
        case .replaced: "\(place) was \(reason) while it was open; the file that is there now is used"
        case .unreadable: "\(place) cannot be read: \(reason)"
        case .typeChanged: reason
        }
    }
}
