package import Foundation
public import GlassMarkets

/// The reason why a host cannot be created.
public enum PlatformHostError: DescriptiveError, Equatable {
    /// The app lacks the entitlement for the group.
    case missingEntitlement(group: String)
    /// The system does not support app groups.
    case noAppGroups

    /// The problem and how to fix it.
    public var description: String {
        switch self {
        case .missingEntitlement(let group):
            "the app has no folder for the group \"\(group)\"; add it to com.apple.security.application-groups in the "
                + "target's entitlements"
        case .noAppGroups: "this system has no app groups; set the stateFolder of PlatformHost"
        }
    }
}

extension PlatformHost {
    /// Creates a host whose services store persistent data in the folder of an app group, which the app shares with its
    /// extensions.
    ///
    /// - Parameter appGroup: The group, such as `group.com.walmart.canada`.
    /// - Throws: ``PlatformHostError`` if the target lacks the entitlement or the system has no app groups.
    public init(appGroup: String) throws(PlatformHostError) {
        #if canImport(Darwin)
            try self.init(appGroup: appGroup) {
                FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: $0)
            }
        #else
            throw .noAppGroups
        #endif
    }

    /// Creates a host with a lookup of the group's folder that tests can replace.
    package init(appGroup: String, container: (String) -> URL?) throws(PlatformHostError) {
        guard let folder = container(appGroup) else { throw .missingEntitlement(group: appGroup) }
        // The system owns the group's folder, so store data in a subfolder.
        self.init(stateFolder: folder.appending(path: "Library/Application Support/glass"))
    }
}
