import GlassPlatform

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// A separate cookie storage in memory, which is initially empty.
package final class CookieStorageAPIMock: CookieStorageAPI {
    /// The storage.
    package let storage: HTTPCookieStorage

    /// Creates a mock.
    package init(cookies: [HTTPCookie] = []) {
        storage = CookieStoragePlatformAPI(configuration: CookieStorageConfiguration(), host: .inMemory).storage
        for cookie in cookies { storage.setCookie(cookie) }
    }
}
