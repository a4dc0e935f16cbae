import Foundation
public import GlassMarkets

/// The method of watching a folder.
public enum WatchMethod: Sendable, Equatable, CustomStringConvertible {
    /// The system's notifications (inotify), where they are available; otherwise the folder is scanned twice a second.
    case automatic
    /// The system's notifications. Linux only.
    case inotify
    /// The folder is scanned repeatedly: for file systems without notifications, such as network mounts.
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

/// The reason why a folder cannot be watched.
public enum WatchError: DescriptiveError, Equatable {
    /// The system has run out of a resource that watching needs.
    case unavailable(_ path: String, reason: String)

    /// A message with the path, the reason and a solution.
    public var description: String {
        switch self {
        case .unavailable(let path, let reason): "cannot watch \(path): \(reason); poll instead"
        }
    }
}
