import Foundation
public import GlassMarkets

/// How a folder is watched.
public enum WatchMethod: Sendable, Equatable, CustomStringConvertible {
    /// The system reports changes (inotify), where it can; otherwise the folder is looked at twice a second.
    case automatic
    /// The system reports changes. Linux only.
    case inotify
    /// The folder is looked at again and again: for file systems that report nothing, such as network mounts.
    case polling(every: Duration)

    /// The default interval at which the folder is polled.
    static let usualPolling = WatchMethod.polling(every: .milliseconds(500))

    /// `inotify`, or `polling every 500 ms`.
    public var description: String {
        switch self {
        case .automatic: "automatic"
        case .inotify: "inotify"
        case .polling(let interval): "polling every \(interval.milliseconds) ms"
        }
    }
}

/// Why a folder cannot be watched.
public enum WatchError: DescriptiveError, Equatable {
    /// The system has run out of a resource that watching needs.
    case unavailable(_ path: String, reason: String)

    /// What failed, where, and what to do.
    public var description: String {
        switch self {
        case .unavailable(let path, let reason): "cannot watch \(path): \(reason); poll instead"
        }
    }
}
