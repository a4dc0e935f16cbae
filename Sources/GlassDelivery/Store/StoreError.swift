import Foundation
public import GlassMarkets

/// Why a store of delivered markets could not be read or changed. What runs goes on running.
public enum StoreError: DescriptiveError, Equatable {
    /// The system refused: a full disk, a folder of somebody else, a folder that is not writable.
    case unavailable(_ operation: String, reason: String)
    /// The file `state` is none that this app reads.
    case malformedState(_ reason: String)
    /// The stored metadata does not prove itself.
    case untrusted(_ reason: String)
    /// What came with the app is not used, because it does not prove itself.
    case embedded(_ reason: String)
    /// Another process holds the lock, or changes the store all the time.
    case busy
    /// Another process stored other metadata meanwhile.
    case superseded
    /// The bytes of a version are missing from the store, or they are others.
    case missingObject(_ digest: String)
    /// The bytes of a version are more than were listed, or fewer, or others.
    case wrongObject(expected: String, reason: String)
    /// The markets would take more than the store may hold.
    case full(limit: Int)
    /// The metadata is more than the store may hold.
    case tooMuchMetadata(files: Int, bytes: Int)

    /// What failed, and what to do.
    public var description: String {
        switch self {
        case .unavailable(let operation, let reason):
            "the store of delivered markets cannot \(operation): \(reason); the app needs a folder of its own that it "
                + "can write, with some space left"
        case .malformedState(let reason):
            "the state of the store of delivered markets cannot be read: \(reason); the next refresh writes a new one"
        case .untrusted(let reason):
            "the stored metadata does not prove itself: \(reason); the next refresh begins with what the app brings"
        case .embedded(let reason): reason
        case .busy: "another process is changing the store of delivered markets; try again"
        case .superseded: "another process refreshed the store of delivered markets meanwhile; what it stored stays"
        case .missingObject(let digest):
            "the store has no file objects/\(digest), or another one; the next refresh fetches it again"
        case .wrongObject(let expected, let reason): "the file with the digest \(expected) is refused: \(reason)"
        case .full(let limit):
            "the markets would take more than the \(limit) bytes that a store may hold; publish smaller ones"
        case .tooMuchMetadata(let files, let bytes):
            "the metadata would take more than the \(files) files and \(bytes) bytes that a store may hold; delegate to "
                + "fewer roles"
        }
    }
}
