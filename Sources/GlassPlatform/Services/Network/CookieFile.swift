import Foundation
import GlassBase
import GlassSchema

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A cookie storage whose lasting cookies are in a file.
///
/// Cookies of the session are not stored. A change is written as a difference, so that processes with the same file keep
/// each other's cookies. Within a process, services with the same file share one storage.
final class CookieFile: Sendable {
    private struct State {
        /// The lasting cookies as this process last read or wrote them.
        var known: [String: StoredCookie] = [:]
        var error: StorageError?
        /// An issue of the file that is not yet reported.
        var issue: StorageIssue?
    }

    private struct WeakFile: Sendable {
        weak let file: CookieFile?
    }

    /// The files that the process uses, by path. Two storages for one file would not see each other's cookies.
    private static let inUse = Lock<[String: WeakFile]>([:])
    /// Foundation on Linux reports no changes, so those made directly in the storage are written when the process ends.
    private static let writesAtExit: Void = {
        _ = atexit {
            let files = CookieFile.inUse.withLock { $0.values.compactMap(\.file) }
            for file in files { file.save() }
        }
    }()

    let storage: HTTPCookieStorage
    private let file: AtomicFile
    private let suspension: StorageSuspension
    private let state = Lock(State())
    private let logger = SafeLogger(label: "glass.cookies")
    /// Set once, by the initializer.
    nonisolated(unsafe) private var observer: (any NSObjectProtocol)?

    /// The storage for a state folder. Reads the file if the process does not use it yet.
    static func opened(in folder: URL, host: StorageHost) -> CookieFile {
        _ = writesAtExit
        let file = atomicFile(in: folder, timeout: host.busyTimeout)
        return inUse.withLock { inUse in
            if let opened = inUse[file.url.path]?.file { return opened }
            let opened = CookieFile(file, host)
            inUse = inUse.filter { $0.value.file != nil }
            inUse[file.url.path] = WeakFile(file: opened)
            return opened
        }
    }

    /// Reads the file in a state folder without changing anything.
    ///
    /// - Throws: `StorageError.newerSchema` for a file of a newer version, or the reason why it cannot be read.
    static func checkVersion(in folder: URL) throws {
        let file = atomicFile(in: folder, timeout: .zero)
        if let data = try file.read() { try checkVersion(of: data, file) }
    }

    private static func atomicFile(in folder: URL, timeout: Duration) -> AtomicFile {
        AtomicFile(
            folder.standardizedFileURL.appending(path: "cookies.json"), timeout: timeout, maximumBytes: 8 << 20)
    }

    private static func checkVersion(of data: Data, _ file: AtomicFile) throws {
        guard let format = try? JSONDecoder().decode(CookieFileFormat.self, from: data) else { throw CookieDamage() }
        if format.schema > CookieFileFormat.current {
            throw StorageError.newerSchema(file: file.url.path, unknown: ["schema \(format.schema)"])
        }
    }

    private init(_ file: AtomicFile, _ host: StorageHost) {
        self.file = file
        suspension = host.suspension
        // The only public way to get a storage that is neither shared nor backed by a file.
        storage = URLSessionConfiguration.ephemeral.httpCookieStorage ?? .shared
        load()
        observer = NotificationCenter.default.addObserver(
            forName: .NSHTTPCookieManagerCookiesChanged, object: storage, queue: nil
        ) { [weak self] _ in self?.save() }
    }

    deinit {
        if let observer { NotificationCenter.default.removeObserver(observer) }
        save()
    }

    /// The reason why cookies are not stored now.
    var error: StorageError? { state.withLock { $0.error } }

    /// The issue of the file, if it was not returned before.
    func takeIssue() -> StorageIssue? {
        state.withLock { state in
            defer { state.issue = nil }
            return state.issue
        }
    }

    private func load() {
        do {
            let stored = try file.read().map { try decode($0) } ?? [:]
            state.withLock { $0.known = stored }
            let now = Date()
            for cookie in stored.values where cookie.expiry > now {
                if let cookie = cookie.cookie { storage.setCookie(cookie) }
            }
        } catch is CookieDamage {
            let reason = "\(CookieDamage())"
            let issue: StorageIssue
            do {
                issue = StorageIssue(.corrupt, file: file.url, setAside: try file.setAside(), reason: reason)
            } catch {
                issue = StorageIssue(.unreadable, file: file.url, reason: "\(reason), and \(error)")
            }
            logger.error("\(issue)")
            state.withLock { $0.issue = issue }
        } catch {
            fail("read the cookies", error)
        }
    }

    /// Writes the changes since the last call, if there are any.
    func save() {
        // The file may be in an app group. The next call writes the changes.
        guard !suspension.isSuspended else { return }
        let failure: (any Error)? = state.withLock { state in
            let now = Date()
            let current = StoredCookie.lasting(storage.cookies ?? [], at: now)
            let changed = current.filter { state.known[$0.key] != $0.value }
            let gone = state.known.keys.filter { current[$0] == nil }
            guard !changed.isEmpty || !gone.isEmpty else { return nil }
            do {
                try file.update { data in
                    var stored = try data.map { try decode($0) } ?? [:]
                    for key in gone { stored[key] = nil }
                    stored.merge(changed) { $1 }
                    return (try encode(stored.values.filter { $0.expiry > now }), ())
                }
                state.known = current
                state.error = nil
                return nil
            } catch {
                return error
            }
        }
        if let failure { fail("store the cookies", failure) }
    }

    /// Records an error. The first of several in a row is logged.
    private func fail(_ operation: String, _ cause: any Error) {
        let error = cause as? StorageError ?? .unavailable(operation, file.url, cause: cause)
        let isFirst = state.withLock { state in
            defer { state.error = error }
            return state.error == nil
        }
        if isFirst { logger.error("\(error)") }
    }

    private func decode(_ data: Data) throws -> [String: StoredCookie] {
        try Self.checkVersion(of: data, file)
        guard let content = try? JSONDecoder().decode(CookieFileContent.self, from: data) else { throw CookieDamage() }
        let valid = content.values.prefix(StoredCookie.maximumCount).filter(\.isValid)
        return Dictionary(valid.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
    }

    private func encode(_ cookies: [StoredCookie]) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(CookieFileContent(values: StoredCookie.bounded(cookies)))
    }
}

/// The version of the file, which is read before its content.
private struct CookieFileFormat: Decodable {
    static let current = 1

    let schema: Int
}

private struct CookieFileContent: Codable {
    var schema = CookieFileFormat.current
    let values: [StoredCookie]
}

/// The error for a file in an unknown format.
private struct CookieDamage: Error, CustomStringConvertible {
    let description = "it is not JSON in the app's format"
}

/// A cookie that outlives the session, as it is stored.
private struct StoredCookie: Codable, Equatable, Sendable {
    /// RFC 6265 §6.1 asks for at least 3000 cookies and 4096 bytes for each.
    static let maximumCount = 3000
    private static let maximumBytes = 4096
    /// Half of what the file may have, because a character can take two.
    private static let maximumTotal = 4 << 20

    private static var httpOnly: HTTPCookiePropertyKey { HTTPCookiePropertyKey(rawValue: "HttpOnly") }
    private static var sameSite: HTTPCookiePropertyKey { HTTPCookiePropertyKey(rawValue: "SameSite") }

    let name: String
    let value: String
    let domain: String
    let path: String
    /// The time at which it ends, in seconds since 1970.
    let expires: Double
    let isSecure: Bool
    let isHTTPOnly: Bool
    let sameSite: String?

    /// The stored form; `nil` for a cookie of the session.
    private init?(_ cookie: HTTPCookie) {
        guard let expiry = Self.expiry(of: cookie) else { return nil }
        name = cookie.name
        value = cookie.value
        domain = cookie.domain
        path = cookie.path
        // Whole seconds, which JSON and Foundation convert without a loss: otherwise, the cookie would seem changed.
        expires = expiry.timeIntervalSince1970.rounded(.down)
        isSecure = cookie.isSecure
        isHTTPOnly = cookie.isHTTPOnly
        sameSite = cookie.properties?[Self.sameSite] as? String
        guard isValid else { return nil }
    }

    /// The lasting cookies among those of a storage, by key.
    static func lasting(_ cookies: [HTTPCookie], at now: Date) -> [String: StoredCookie] {
        let stored = cookies.compactMap { StoredCookie($0) }.filter { $0.expiry > now }
        return Dictionary(bounded(stored).map { ($0.key, $0) }, uniquingKeysWith: { $1 })
    }

    /// As many cookies as the file may have; those that end first are left out.
    static func bounded(_ cookies: [StoredCookie]) -> [StoredCookie] {
        var total = 0
        let sorted = cookies.sorted { ($1.expires, $0.key) < ($0.expires, $1.key) }
        return Array(
            sorted.prefix(maximumCount).prefix { cookie in
                total += cookie.size + 200
                return total <= maximumTotal
            })
    }

    /// A cookie is replaced by one with the same name, domain, and path.
    var key: String { "\(domain)\u{0}\(path)\u{0}\(name)" }
    var expiry: Date { Date(timeIntervalSince1970: expires) }
    private var size: Int { name.utf8.count + value.utf8.count + domain.utf8.count + path.utf8.count }

    /// Whether a request can carry it. What is in the file may come from anyone.
    var isValid: Bool {
        StringFormat.headerName.matches(name) && (value.isEmpty || StringFormat.headerValue.matches(value))
            && !domain.isEmpty && path.hasPrefix("/") && size <= Self.maximumBytes && expires.isFinite
            && [domain, path, sameSite ?? ""].allSatisfy { text in text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F } }
            && (sameSite?.utf8.count ?? 0) <= 16
    }

    /// The cookie for a storage.
    var cookie: HTTPCookie? {
        var properties: [HTTPCookiePropertyKey: Any] = [
            .name: name, .value: value, .domain: domain, .path: path, .expires: expiry,
        ]
        if isSecure { properties[.secure] = "TRUE" }
        if isHTTPOnly { properties[Self.httpOnly] = "TRUE" }
        if let sameSite { properties[Self.sameSite] = sameSite }
        return HTTPCookie(properties: properties)
    }

    /// The time at which a cookie ends; `nil` for one of the session.
    private static func expiry(of cookie: HTTPCookie) -> Date? {
        // "Max-Age has precedence and controls the expiration date" (RFC 6265 §4.1.2.2). Foundation on Linux ignores it,
        // unless the cookie has version 1.
        let created = HTTPCookiePropertyKey(rawValue: "Created")
        if let properties = cookie.properties, let age = (properties[.maximumAge] as? String).flatMap({ Double($0) }),
            let start = properties[created] as? Double
        {
            return Date(timeIntervalSinceReferenceDate: start + age)
        }
        return cookie.expiresDate
    }
}
