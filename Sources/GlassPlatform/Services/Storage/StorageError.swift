import Foundation
import GRDB
import GlassBase
public import GlassMarkets
import GlassSchema

/// The reason why a storage operation failed.
public enum StorageError: DescriptiveError {
    /// The stored value has another type.
    case wrongType(key: String, expected: String)
    /// A system call failed, for example because of a full disk, a read-only folder, or a locked file. The cause
    /// contains the reason.
    case unavailable(_ operation: String, cause: any Error)
    /// The stored values would exceed ``StorageHost/maximumBytes``.
    case full(_ operation: String, limit: Int)
    /// A newer version of the app wrote the file, which was not changed.
    case newerSchema(file: String, unknown: [String])
    /// A namespace or a name that cannot be stored.
    case invalidName(_ name: String)
    /// The storage was called inside its own transaction, rather than the transaction itself.
    case insideTransaction(_ operation: String)
    /// The process is about to be suspended and must not lock a file; see ``PlatformHost/applicationWillSuspend()``.
    case suspended(_ operation: String)
    /// The storage was shut down.
    case closed(_ operation: String)

    /// The failed operation, the cause, and how to fix it.
    public var description: String {
        switch self {
        case .wrongType(let key, let expected):
            "storage: the value of \(key.quotedForMessage) is not of type \(expected); read it with the type it was "
                + "stored with, or remove it"
        case .unavailable(let operation, let cause):
            "storage: cannot \(operation): \(Self.explain(cause))"
        case .full(let operation, let limit):
            "storage: cannot \(operation): the values would exceed \(limit) bytes; remove some first"
        case .newerSchema(let file, let unknown):
            "storage: \(file) was written by a newer version (it has \(unknown.joined(separator: ", "))) and was not "
                + "changed; update the app, or give it another state folder"
        case .invalidName(let name):
            "storage: \(name.quotedForMessage) contains the character U+0000, which names must not contain"
        case .insideTransaction(let operation):
            "storage: cannot \(operation) inside a transaction of the same storage; use the transaction that is passed "
                + "to the closure"
        case .suspended(let operation):
            "storage: cannot \(operation) while the process is about to be suspended; try again after "
                + "PlatformHost.applicationDidResume()"
        case .closed(let operation):
            "storage: cannot \(operation): the storage was shut down with its container"
        }
    }

    /// An error of a small file, with its path.
    static func unavailable(_ operation: String, _ file: URL, cause: any Error) -> StorageError {
        guard let failure = cause as? FileFailure else { return .unavailable(operation, cause: cause) }
        return .unavailable(
            operation, cause: FileFailure(reason: "cannot read \(file.path): \(failure.reason)", kind: failure.kind))
    }

    /// The message of a cause, and how to fix it, if known.
    private static func explain(_ cause: any Error) -> String {
        guard let error = cause as? DatabaseError else { return "\(cause)" }
        let text = "\(error.message ?? "no message") (SQLite \(error.extendedResultCode.rawValue))"
        return switch error.resultCode {
        case .SQLITE_FULL: "\(text); free some space, then try again"
        case .SQLITE_BUSY, .SQLITE_LOCKED: "\(text); another process is using the file, try again"
        case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM:
            "\(text); the state folder must exist and be writable"
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            "\(text); the next use renames the file and starts a new one"
        default: text
        }
    }
}
