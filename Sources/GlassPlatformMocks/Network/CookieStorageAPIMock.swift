public import GlassPlatform

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// An empty cookie storage of its own, in memory.
public final class CookieStorageAPIMock: CookieStorageAPI {
    /// The storage.
    public let storage: HTTPCookieStorage

    /// Creates a mock.
    ///
    /// - Parameter cookies: What the storage starts with.
    public init(cookies: [HTTPCookie] = []) {
        storage = CookieStoragePlatformAPI(configuration: CookieStorageConfiguration()).storage
        for cookie in cookies { storage.setCookie(cookie) }
    }
}
