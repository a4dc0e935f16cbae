import Foundation
import GlassBase
import GlassContainer
import GlassTransfer
import Testing

@testable import GlassPlatform

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Cookies with an expiration date are in a file of the state folder.
struct CookieFileTests {
    private let folder: StateFolder
    private let url = URL(string: "https://shop.example.org/a")!

    init() throws {
        folder = try StateFolder()
    }

    private var file: URL { folder.url.appending(path: "cookies.json") }

    private func start(_ configure: (inout CookieStorageConfiguration) -> Void = { _ in }) -> CookieStoragePlatformAPI {
        var configuration = CookieStorageConfiguration()
        configure(&configuration)
        return CookieStoragePlatformAPI(configuration: configuration, host: PlatformHost(stateFolder: folder.url))
    }

    private func cookie(_ name: String, _ value: String = "v", lasts seconds: Double? = 3600) throws -> HTTPCookie {
        var properties: [HTTPCookiePropertyKey: Any] = [
            .name: name, .value: value, .domain: "shop.example.org", .path: "/", .secure: "TRUE",
        ]
        if let seconds { properties[.expires] = Date(timeIntervalSinceNow: seconds) }
        return try #require(HTTPCookie(properties: properties))
    }

    private func take(_ field: String, into cookies: any CookieStorageAPI) {
        let taken = HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": field], for: url)
        cookies.storage.setCookies(taken, for: url, mainDocumentURL: nil)
    }

    private func names(_ cookies: any CookieStorageAPI) -> [String] { cookies.cookies(for: url).map(\.name).sorted() }

    @Test func lastingCookiesAreThereAtTheNextStart() throws {
        do {
            let first = start()
            first.storage.setCookie(try cookie("lasting", "a\"b\\c"))
            first.storage.setCookie(try cookie("session", lasts: nil))
            first.setCookie("set", value: "x", for: url)
            take("age=1; Max-Age=3600; Path=/; HttpOnly", into: first)
            take("gone=1; Max-Age=0; Path=/", into: first)
        }
        let second = start()
        #expect(names(second) == ["age", "lasting"])
        let lasting = try #require(second.cookies(for: url).first { $0.name == "lasting" })
        #expect(lasting.value == "a\"b\\c" && lasting.isSecure && !lasting.isSessionOnly)
        let age = try #require(second.cookies(for: url).first { $0.name == "age" })
        #expect(age.isHTTPOnly && age.expiresDate.map { $0.timeIntervalSinceNow > 3500 } == true)
        #expect(second.storageError == nil)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func removedCookiesStayRemoved() throws {
        do {
            let first = start()
            first.storage.setCookie(try cookie("a"))
            first.storage.setCookie(try cookie("b"))
            first.removeCookie("a", for: url)
            // Written at once.
            #expect(!(try String(contentsOf: file, encoding: .utf8)).contains(#""a""#))
        }
        #expect(names(start()) == ["b"])
    }

    @Test func servicesOfOneProcessShareTheStorage() throws {
        let (first, second) = (start(), start())
        first.storage.setCookie(try cookie("a"))
        #expect(names(second) == ["a"])
        let elsewhere = try StateFolder()
        let other = CookieStoragePlatformAPI(
            configuration: CookieStorageConfiguration(), host: PlatformHost(stateFolder: elsewhere.url))
        #expect(names(other) == [])
        #expect(!FileManager.default.fileExists(atPath: elsewhere.url.appending(path: "cookies.json").path))
    }

    @Test func nothingIsOpenedBeforeTheFirstUse() throws {
        let missing = folder.url.appending(path: "new")
        let service = CookieStoragePlatformAPI(
            configuration: CookieStorageConfiguration(), host: PlatformHost(stateFolder: missing))
        #expect(service.cookies(for: url).isEmpty && service.storageError == nil)
        #expect(!FileManager.default.fileExists(atPath: missing.path))
    }

    @Test func differencesOfTwoProcessesAreMerged() throws {
        do {
            let first = start()
            first.storage.setCookie(try cookie("mine"))
            first.setCookie("any", value: "x", for: url)
            // Another process adds a cookie.
            let text = try String(contentsOf: file, encoding: .utf8)
            let theirs = text.replacingOccurrences(of: "\"mine\"", with: "\"theirs\"")
            try Data(theirs.utf8).write(to: file)
            first.storage.setCookie(try cookie("more"))
        }
        #expect(names(start()) == ["more", "theirs"])
    }

    @Test func expiredCookiesAreDropped() throws {
        let old =
            #"{"schema":1,"values":[{"name":"old","value":"v","domain":"shop.example.org","path":"/","#
            + #""expires":1000,"isSecure":false,"isHTTPOnly":false}]}"#
        try Data(old.utf8).write(to: file)
        let service = start()
        #expect(names(service) == [])
        service.storage.setCookie(try cookie("new"))
        _ = service.storage
        #expect(!(try String(contentsOf: file, encoding: .utf8)).contains("old"))
    }

    @Test(arguments: ["", "{", "[]", #"{"schema":1}"#, #"{"schema":1,"values":[{"name":"a"}]}"#])
    func damagedFileIsSetAside(_ text: String) throws {
        try Data(text.utf8).write(to: file)
        let issues = Lock<[StorageIssue]>([])
        var host = PlatformHost(stateFolder: folder.url)
        host.storage.onIssue = { issue in issues.withLock { $0.append(issue) } }
        let service = CookieStoragePlatformAPI(configuration: CookieStorageConfiguration(), host: host)
        #expect(service.cookies(for: url).isEmpty)
        #expect(issues.withLock { $0.map(\.kind) } == [.corrupt])
        #expect(try folder.setAside().count == 1)
        service.storage.setCookie(try cookie("new"))
        _ = service.storage
        #expect(service.storageError == nil && FileManager.default.fileExists(atPath: file.path))
    }

    @Test func whatTheFileHoldsIsChecked() throws {
        func entry(_ name: String, _ value: String, _ domain: String = "shop.example.org", _ path: String = "/")
            -> String
        {
            #"{"name":"\#(name)","value":"\#(value)","domain":"\#(domain)","path":"\#(path)","expires":99999999999,"#
                + #""isSecure":false,"isHTTPOnly":false}"#
        }
        let entries = [
            entry("good", "v"), entry("a\\n", "v"), entry("b", "v\\r\\nSet-Cookie: x=y"), entry("c", "v", ""),
            entry("d", "v", "shop.example.org", "no"), entry("e", String(repeating: "x", count: 5000)),
        ]
        try Data(#"{"schema":1,"values":[\#(entries.joined(separator: ","))]}"#.utf8).write(to: file)
        #expect(start().storage.cookies?.map(\.name) == ["good"])
    }

    @Test func largeFileIsErrorAndKept() throws {
        let service = start()
        #expect(FileManager.default.createFile(atPath: file.path, contents: nil))
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: 1 << 33)
        try handle.close()
        #expect(names(service) == [])
        let error = try #require(service.storageError)
        #expect(
            error.description
                == "storage: cannot read the cookies: cannot read \(file.path): it has more than 8,388,608 bytes")
        service.storage.setCookie(try cookie("a"))
        service.setCookie("b", value: "c", for: url)
        #expect(service.storageError != nil)
        #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int == 1 << 33)
    }

    @Test func cookiesOverTheLimitAreLeftOut() throws {
        do {
            let first = start()
            let storage = first.storage
            for number in 0..<2_200 {
                storage.setCookie(
                    try cookie("n\(number)", String(repeating: "x", count: 2_000), lasts: 3600 + Double(number)))
            }
            _ = first.storage
        }
        let names = start().storage.cookies?.map(\.name) ?? []
        #expect(names.count > 1_500 && names.count < 2_200)
        #expect(names.contains("n2199") && !names.contains("n0"))
        #expect(try #require(FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int) < 8 << 20)
    }

    @Test func marketThatAcceptsNoneLeavesTheFile() throws {
        do {
            let first = start()
            first.storage.setCookie(try cookie("a"))
        }
        #expect(names(start { $0.acceptPolicy = .never }) == [])
        #expect(names(start()) == ["a"])
    }

    @Test func declaredCookiesApplyAtEachStart() throws {
        var declared = CookieStorageConfiguration.Cookie()
        (declared.name, declared.value, declared.domain) = ("locale", "en", "shop.example.org")
        declared.lifetimeSeconds = 86_400
        do {
            let first = start { $0.cookies = [declared] }
            first.storage.setCookie(try cookie("locale", "fr"))
        }
        let second = start { $0.cookies = [declared] }
        #expect(second.cookies(for: url).map(\.value) == ["en"])
        #expect(names(start()) == ["locale"])
    }
}
