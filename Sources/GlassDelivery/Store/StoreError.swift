import Foundation
public import GlassMarkets

/// The reason why a store of delivered markets could not be read or changed. Markets in use keep running.
public enum StoreError: DescriptiveError, Equatable {
    /// A system call failed: the disk is full, or the folder belongs to another user or is not writable.
    case unavailable(_ operation: String, reason: String)
    /// This app cannot read the file `state`.
    case malformedState(_ reason: String)
    /// The stored metadata failed verification.
    case untrusted(_ reason: String)
    /// The embedded snapshot is not used, because it failed verification.
    case embedded(_ reason: String)
    /// Another process holds the lock or changes the store continuously.
    case busy
    /// Another process stored other metadata first.
    case superseded
    /// The file of a version is missing from the store or damaged.
    case missingObject(_ digest: String)
    /// The bytes of a version do not have the listed length or digest.
    case wrongObject(expected: String, reason: String)
    /// The markets would exceed the limit of the store.
    case full(limit: Int)
    /// The metadata would exceed the limits of the store.
    case tooMuchMetadata(files: Int, bytes: Int)

    /// The problem and how to fix it.
    public var description: String {
        switch self {
        case .unavailable(let operation, let reason):
            "the store of delivered markets cannot \(operation): \(reason); give the app its own writable folder with "
                + "some free space"
        case .malformedState(let reason):
            "the state of the store of delivered markets cannot be read: \(reason); the next refresh replaces it"
        case .untrusted(let reason):
            "the stored metadata failed verification: \(reason); the next refresh starts from the embedded metadata"
        case .embedded(let reason): reason
        case .busy: "another process is changing the store of delivered markets; try again"
        case .superseded: "another process refreshed the store of delivered markets first; its update was kept"
        case .missingObject(let digest):
            "the file objects/\(digest) of the store is missing or damaged; the next refresh downloads it again"
        case .wrongObject(let expected, let reason): "the file with the digest \(expected) was rejected: \(reason)"
        case .full(let limit):
            "the markets would exceed the limit of the store of \(limit) bytes; publish smaller ones"
        case .tooMuchMetadata(let files, let bytes):
            "the metadata would exceed the limit of the store of \(files) files and \(bytes) bytes; delegate to fewer "
                + "roles"
        }
    }
}
