import GlassPlatform

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// An empty cookie storage of its own, in memory.
package final class CookieStorageAPIMock: CookieStorageAPI {
    /// The storage.
    package let storage: HTTPCookieStorage

    /// Creates a mock.
    package init(cookies: [HTTPCookie] = []) {
        storage = CookieStoragePlatformAPI(configuration: CookieStorageConfiguration()).storage
        for cookie in cookies { storage.setCookie(cookie) }
    }
}
