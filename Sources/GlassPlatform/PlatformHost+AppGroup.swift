package import Foundation
public import GlassMarkets

/// Why a host cannot be made.
public enum PlatformHostError: DescriptiveError, Equatable {
    /// The app has no entitlement for the group.
    case missingEntitlement(group: String)
    /// The system has no app groups.
    case noAppGroups

    /// What is missing, and what to do.
    public var description: String {
        switch self {
        case .missingEntitlement(let group):
            "the app has no folder for the group \"\(group)\"; add it to com.apple.security.application-groups of the "
                + "target's entitlements"
        case .noAppGroups: "this system has no app groups; give PlatformHost a stateFolder"
        }
    }
}

extension PlatformHost {
    /// Creates a host whose services keep what outlives the process in the folder of an app group, where the app and its
    /// extensions share it.
    ///
    /// - Parameter appGroup: The group, such as `group.com.walmart.canada`.
    /// - Throws: ``PlatformHostError``: the target lacks the entitlement, or the system has no app groups.
    public init(appGroup: String) throws(PlatformHostError) {
        #if canImport(Darwin)
            try self.init(appGroup: appGroup) {
                FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: $0)
            }
        #else
            throw .noAppGroups
        #endif
    }

    /// Creates a host with what tests change.
    package init(appGroup: String, container: (String) -> URL?) throws(PlatformHostError) {
        guard let folder = container(appGroup) else { throw .missingEntitlement(group: appGroup) }
        // The group's own folder is the system's; what is in it is ours.
        self.init(stateFolder: folder.appending(path: "Library/Application Support/glass"))
    }
}
