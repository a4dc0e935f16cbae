// What Linux has in two modules, and what only Apple's Foundation has. The copy of the sources that is checked imports
// this module wherever they import Foundation.
@_exported public import Foundation
@_exported public import FoundationNetworking

extension FileManager {
    /// The folder of an app group.
    ///
    /// - Parameter groupIdentifier: The group.
    /// - Returns: `nil` without the entitlement.
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? { nil }
}

extension URLSessionConfiguration {
    /// Whether expensive networks may be used.
    public var allowsExpensiveNetworkAccess: Bool {
        get { true }
        set {}
    }
    /// Whether networks in Low Data Mode may be used.
    public var allowsConstrainedNetworkAccess: Bool {
        get { true }
        set {}
    }
    /// Whether requests wait for a network.
    public var waitsForConnectivity: Bool {
        get { false }
        set {}
    }
}

extension URLCache {
    /// Creates a cache.
    ///
    /// - Parameters:
    ///   - memoryCapacity: The bytes in memory.
    ///   - diskCapacity: The bytes on disk.
    ///   - directoryURL: The folder.
    public convenience init(memoryCapacity: Int, diskCapacity: Int, directory directoryURL: URL? = nil) {
        self.init(memoryCapacity: memoryCapacity, diskCapacity: diskCapacity, diskPath: directoryURL?.path)
    }
}

/// The protocol with the same name, and the method of it that only Apple's systems call. The original requires no method;
/// this one requires it, so that a delegate whose signature is not the original's does not conform.
public protocol URLSessionDataDelegate: FoundationNetworking.URLSessionDataDelegate {
    /// Reports that a task waits for a network.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - task: The task.
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask)
}

#if NO_PROCESS
    /// Only macOS has this class.
    @available(*, unavailable)
    public final class Process {}
#endif
