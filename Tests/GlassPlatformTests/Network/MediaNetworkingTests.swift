import GlassBase
import FlyingFox
import Foundation
import GlassDeepLinking
import GlassPlatformMocks
import GlassSchema
import Testing

@testable import GlassPlatform

/// Downloads that are shared, limited, cancelled and cached, with a local server.
@Suite(.timeLimit(.minutes(2)))
struct MediaNetworkingTests {
    /// A date that a test advances.
    final class Today: Sendable {
        private let time = Lock(Date(timeIntervalSince1970: 784_111_777))
        var now: Date { time.withLock { $0 } }
        func pass(_ seconds: Double) { time.withLock { $0 += seconds } }
    }

    let today = Today()
    let folder = FileManager.default.temporaryDirectory.appending(path: "media-\(UUID().uuidString)")

    private func media(
        folder: URL? = nil, headers: [String: HeaderValue] = [:],
        _ configure: (inout NetworkingConfiguration) -> Void = { _ in }
    ) -> URLSessionMediaNetworking {
        var configuration = NetworkingConfiguration()
        configuration.retry.maxRetries = 1
        configure(&configuration)
        return URLSessionMediaNetworking(
            configuration: configuration,
            sessions: sessions { $0.headers.merge(headers) { $1 } }, cacheFolder: folder,
            timing: RetryTiming(clock: ImmediateClock(), random: { 0 }, now: { [today] in today.now }),
            maximumBytes: 4 * 1024 * 1024)
    }

    private func load(_ media: URLSessionMediaNetworking, _ url: URL) async -> NetworkingError? {
        await failure { () async throws(NetworkingError) in try await media.load(url) }
    }

    @Test func concurrentRequestsShareOneDownload() async throws {
        let gate = AsyncSemaphore(limit: 1)
        try await gate.enter()
        try await withServer { _ in
            try await gate.enter()
            gate.leave()
            return .init(statusCode: .ok, body: Data("picture".utf8))
        } _: { url in
            let media = media()
            let count = Lock(0)
            try await withThrowingTaskGroup(of: MediaResource.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        count.withLock { $0 += 1 }
                        return try await media.load(url)
                    }
                }
                try await eventually { count.withLock { $0 == 20 } && media.waiting(for: url) == 20 }
                gate.leave()
                for try await resource in group {
                    #expect(resource == MediaResource(data: Data("picture".utf8), mimeType: nil, source: .network))
                }
            }
        }
    }

    @Test func onlyLastCancelledWaiterEndsDownload() async throws {
        let server = try RawServer { _, _ in .hang("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx") }
        defer { server.stop() }
        let media = media()
        let url = server.url
        let first = Task { await load(media, url) }
        let second = Task { await load(media, url) }
        try await eventually { media.waiting(for: url) == 2 && server.requests.count == 1 }
        first.cancel()
        #expect(await first.value?.description == "GET \(url) was canceled")
        #expect(media.waiting(for: url) == 1)
        #expect(server.disconnects == 0)
        second.cancel()
        guard case .cancelled? = await second.value else { return #expect(Bool(false)) }
        try await eventually { server.disconnects == 1 }
        #expect(server.requests.count == 1)
    }

    @Test func requestAfterAllLeftStartsNewDownload() async throws {
        let server = try RawServer { _, number in number == 1 ? .hang("") : answer(200, "new") }
        defer { server.stop() }
        let media = media()
        let url = server.url
        let first = Task { await load(media, url) }
        try await eventually { server.requests.count == 1 }
        first.cancel()
        _ = await first.value
        #expect(try await media.load(url).data == Data("new".utf8))
    }

    @Test func concurrentDownloadsAreLimited() async throws {
        let server = try RawServer { _, _ in .hang("") }
        defer { server.stop() }
        let media = media { $0.media.maximumConcurrentDownloads = 2 }
        let base = server.url
        let tasks = (0..<6).map { number in Task { await load(media, base.appending(path: "\(number)")) } }
        try await eventually { server.requests.count == 2 && media.queued == 4 }
        let waiting = (0..<6).filter { number in !server.requests.contains { $0.path.hasSuffix("/\(number)") } }
        for number in waiting { tasks[number].cancel() }
        for number in waiting { _ = await tasks[number].value }
        #expect(media.queued == 0)
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.value }
        #expect(server.requests.count == 2)
    }

    @Test func freshResponseComesFromMemoryThenDisk() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }  // the system empties the temporary folder
        let server = try RawServer { _, number in
            answer(200, "v\(number)", ["Cache-Control": "max-age=60", "Content-Type": "image/PNG; q=1"])
        }
        defer { server.stop() }
        let first = media(folder: folder)
        #expect(try await first.load(server.url) == MediaResource(data: Data("v1".utf8), mimeType: "image/png"))
        #expect(try await first.load(server.url).source == .memory)
        let second = media(folder: folder)
        let fragment = try #require(URL(string: server.url.absoluteString + "#part"))
        #expect(
            try await second.load(fragment)
                == MediaResource(data: Data("v1".utf8), mimeType: "image/png", source: .disk))
        #expect(try await second.load(server.url).source == .memory)
        today.pass(61)
        #expect(try await second.load(server.url).data == Data("v2".utf8))
        second.removeAll()
        #expect(try await media(folder: folder).load(server.url).data == Data("v3".utf8))
    }

    @Test(
        arguments: [
            ("ETag", "\"a,b\"", "if-none-match"),
            ("Last-Modified", "Sun, 06 Nov 1994 08:49:36 GMT", "if-modified-since"),
        ])
    func staleResponseIsRevalidated(field: String, value: String, condition: String) async throws {
        let server = try RawServer { request, _ in
            request.headers[condition] == value
                ? .bytes("HTTP/1.1 304 X\r\nCache-Control: max-age=100\r\nConnection: close\r\n\r\n")
                : answer(200, "same", [field: value, "Cache-Control": "max-age=1"])
        }
        defer { server.stop() }
        let media = media()
        #expect(try await media.load(server.url).source == .network)
        today.pass(2)
        #expect(try await media.load(server.url) == MediaResource(data: Data("same".utf8), source: .revalidated))
        today.pass(50)
        #expect(try await media.load(server.url).source == .memory)
        #expect(server.requests.count == 2)
    }

    @Test func corruptFileIsDownloadedAgain() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }  // the system empties the temporary folder
        let server = try RawServer { _, number in answer(200, "v\(number)", ["Cache-Control": "max-age=60"]) }
        defer { server.stop() }
        _ = try await media(folder: folder).load(server.url)
        let file = try #require(
            try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).first)
        let whole = try Data(contentsOf: file)
        var expected = 2
        for damaged in [
            whole.dropLast(), Data(), Data("GLMEDIA1".utf8), flipped(whole, whole.count - 1), flipped(whole, 30),
        ] {
            try damaged.write(to: file)
            #expect(try await media(folder: folder).load(server.url).data == Data("v\(expected)".utf8))
            #expect(try await media(folder: folder).load(server.url).source == .disk)
            expected += 1
        }
    }

    private func flipped(_ data: Data, _ index: Int) -> Data {
        var data = data
        data[index] ^= 0x40
        return data
    }

    @Test func unwritableDiskCachesNothingAndLosesNothing() async throws {
        let server = try RawServer { _, number in answer(200, "v\(number)", ["Cache-Control": "max-age=60"]) }
        defer {
            server.stop()
            try? FileManager.default.removeItem(at: folder)  // the system empties the temporary folder
        }
        try Data().write(to: folder)
        let media = media(folder: folder.appending(path: "below a file"))
        #expect(try await media.load(server.url).data == Data("v1".utf8))
        #expect(try await media.load(server.url).source == .memory)
    }

    @Test func diskCacheKeepsRecentlyUsedEntries() throws {
        defer { try? FileManager.default.removeItem(at: folder) }  // the system empties the temporary folder
        let entries = (0..<4).map { number in entry("https://e.org/\(number)", bytes: 300) }
        let size = 4 * 1024
        let cache = MediaDiskCache(folder: folder, capacity: size)
        for entry in entries { cache.insert(entry) }
        for (number, entry) in entries.enumerated() {
            let used = Date(timeIntervalSinceNow: Double(number - 100))
            try FileManager.default.setAttributes(
                [.modificationDate: used], ofItemAtPath: cache.file(for: entry.info.url).path)
        }
        #expect(cache.entry(for: "https://e.org/0") != nil)
        cache.insert(entry("https://e.org/large", bytes: 2600))
        #expect(cache.entry(for: "https://e.org/1") == nil)
        #expect(cache.entry(for: "https://e.org/0") != nil)
        #expect(cache.entry(for: "https://e.org/large") != nil)
        cache.insert(entry("https://e.org/too-large", bytes: size))
        #expect(cache.entry(for: "https://e.org/too-large") == nil)
        let kept = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: [.fileSizeKey])
        #expect(try kept.reduce(0) { try $0 + ($1.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0) } <= size)
    }

    @Test func concurrentWritersNeverExposePartialFile() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }  // the system empties the temporary folder
        let folder = folder
        let entries = (0..<8).map { number in entry("https://e.org/\(number)", bytes: 20_000 + number) }
        await withTaskGroup { group in
            for writer in 0..<4 {
                group.addTask {
                    let cache = MediaDiskCache(folder: folder, capacity: 100_000)
                    for round in 0..<25 {
                        let entry = entries[(round + writer) % entries.count]
                        cache.insert(entry)
                        let other = entries[(round * 3 + writer) % entries.count]
                        if let read = cache.entry(for: other.info.url) {
                            #expect(read.body == other.body && read.info == other.info)
                        }
                    }
                }
            }
        }
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(files.allSatisfy { $0.pathExtension == "media" })
    }

    @Test func memoryCacheKeepsRecentlyUsedEntries() {
        var cache = MediaMemoryCache(capacity: 1000)
        for number in 0..<3 { cache.insert(entry("https://e.org/\(number)", bytes: 300)) }
        #expect(cache.entry(for: "https://e.org/0") != nil)
        cache.insert(entry("https://e.org/3", bytes: 300))
        #expect(cache.entry(for: "https://e.org/0") != nil)
        #expect(cache.entry(for: "https://e.org/1") == nil)
        cache.insert(entry("https://e.org/large", bytes: 1001))
        #expect(cache.entry(for: "https://e.org/large") == nil)
        #expect(cache.size == 900)
        cache.insert(entry("https://e.org/3", bytes: 100))
        #expect(cache.size == 700)
    }

    private func entry(_ url: String, bytes: Int) -> MediaEntry {
        let response = NetworkResponse(status: 200, headers: ["Cache-Control": "max-age=60"], url: URL(string: url)!)
        return MediaEntry(
            info: CachedMedia(response, url: URL(string: url)!, requestHeaders: [:], now: today.now)!,
            body: Data(repeating: 7, count: bytes))
    }

    @Test func responseForOtherLanguageIsNotUsed() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }  // the system empties the temporary folder
        let server = try RawServer { request, _ in
            answer(
                200, request.headers["accept-language"] ?? "",
                ["Cache-Control": "max-age=60", "Vary": "Accept-Language"])
        }
        defer { server.stop() }
        #expect(try await media(folder: folder).load(server.url).data == Data("es-MX".utf8))
        let french = media(folder: folder, headers: ["Accept-Language": "fr-CA"])
        #expect(try await french.load(server.url).data == Data("fr-CA".utf8))
        #expect(try await media(folder: folder, headers: ["Accept-Language": "fr-CA"]).load(server.url).source == .disk)
    }

    @Test func staleResponseIsUsedOnErrorIfAllowed() async throws {
        let server = try RawServer { request, number in
            let grace = request.path.hasSuffix("grace") ? ", stale-if-error=600" : ""
            return number <= 2
                ? answer(200, "old", ["Cache-Control": "max-age=1\(grace)", "ETag": "\"1\""]) : answer(503)
        }
        defer { server.stop() }
        let media = media()
        let grace = server.url.appending(path: "grace")
        _ = try await media.load(grace)
        _ = try await media.load(server.url)
        today.pass(10)
        #expect(try await media.load(grace) == MediaResource(data: Data("old".utf8), source: .stale))
        #expect(await load(media, server.url)?.status == 503)
        today.pass(600)
        #expect(await load(media, grace)?.status == 503)
    }

    @Test func failuresAreRetriedAndReported() async throws {
        let server = try RawServer { _, number in
            number == 1 ? .reset : .bytes("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
        }
        defer { server.stop() }
        let error = await load(media(), server.url)
        #expect(
            error?.description
                == "GET \(server.url) failed after 2 attempts: the connection was lost before the response was complete (URLError -1005)"
        )
        let file = await load(media(), URL(filePath: "/etc/passwd"))
        #expect(file?.description == "GET file:///etc/passwd cannot be sent: it needs an http or https URL")
    }
}

/// When a response may be stored, used, and reused (RFC 9111).
struct CachedMediaTests {
    static let now = Date(timeIntervalSince1970: 784_111_777)  // Sun, 06 Nov 1994 08:49:37 GMT

    private func keep(_ headers: HTTPFields, request: HTTPFields = [:]) -> CachedMedia? {
        let url = URL(string: "https://e.org/a")!
        return CachedMedia(
            NetworkResponse(status: 200, headers: headers, url: url), url: url, requestHeaders: request, now: Self.now)
    }

    @Test(
        arguments: [
            (["Cache-Control": "max-age=10"], 10), (["Cache-Control": "public, MAX-AGE=\"10\""], 10),
            (["Cache-Control": "max-age=10", "Age": "4"], 6), (["Cache-Control": "max-age=10, max-age=10"], 10),
            (["Expires": "Sun, 06 Nov 1994 08:49:57 GMT"], 20),
            (["Expires": "Sun, 06 Nov 1994 08:49:57 GMT", "Date": "Sun, 06 Nov 1994 08:49:47 GMT"], 10),
            (["Expires": "Sun, 06 Nov 1994 09:49:57 GMT", "Cache-Control": "max-age=5"], 5),
            (["Last-Modified": "Sun, 06 Nov 1994 08:47:57 GMT"], 10),
            (["Last-Modified": "Sun, 06 Nov 1974 08:47:57 GMT"], 86400),
            (["Cache-Control": "private, max-age=10", "Vary": "Accept-Language"], 10),
        ] as [(HTTPFields, Double)])
    func responseIsFreshForItsLifetime(headers: HTTPFields, lifetime: Double) throws {
        let cached = try #require(
            keep(headers))
        #expect(cached.isFresh(at: Self.now + lifetime - 1))
        #expect(!cached.isFresh(at: Self.now + lifetime))
        #expect(!cached.isFresh(at: Self.now - 1))
    }

    @Test(
        arguments: [
            ["Cache-Control": "no-store, max-age=10"], ["Cache-Control": "max-age=10", "Vary": "*"],
            ["Cache-Control": "max-age=10", "Vary": "accept, Cookie"], ["Cache-Control": "max-age=0"], [:],
            ["Expires": "0"], ["Cache-Control": "no-cache"], ["Pragma": "no-cache"],
        ] as [HTTPFields])
    func uncacheableResponseIsNotStored(headers: HTTPFields) {
        #expect(keep(headers) == nil)
    }

    @Test(
        arguments: [
            ["Cache-Control": "no-cache, max-age=10", "ETag": "\"1\""],
            ["Cache-Control": "max-age=x", "ETag": "\"1\""],
            ["Cache-Control": "max-age=5, max-age=50", "ETag": "\"1\""], ["ETag": "\"1\""],
            ["Cache-Control": "max-age=-5", "ETag": "\"1\""], ["Expires": "yesterday", "ETag": "\"1\""],
            ["Cache-Control": "max-age=10", "Age": "11", "ETag": "\"1\""],
        ] as [HTTPFields])
    func responseIsRevalidatedEachTimeIfRequired(headers: HTTPFields) throws {
        let cached = try #require(
            keep(headers))
        #expect(!cached.isFresh(at: Self.now))
        #expect(cached.conditions == ["If-None-Match": "\"1\""])
    }

    @Test func varyFieldsAreCompared() throws {
        let cached = try #require(
            keep(["Cache-Control": "max-age=10", "Vary": "Accept-Language, DPR"], request: ["accept-language": "es"]))
        #expect(cached.fits(["Accept-Language": "es"]))
        #expect(!cached.fits(["Accept-Language": "fr"]))
        #expect(!cached.fits(["Accept-Language": "es", "DPR": "2"]))
    }

    @Test func revalidationUpdatesFieldsAndKeepsOthers() throws {
        let old = try #require(
            keep([
                "Cache-Control": "max-age=1", "ETag": "\"1\"", "Age": "9", "Content-Type": "image/webp",
                "Set-Cookie": "s=1",
            ]))
        #expect(old.headers["Set-Cookie"] == nil)
        let new = old.confirmed(
            by: ["Cache-Control": "max-age=50", "Content-Length": "0", "Set-Cookie": "s=2"], at: Self.now + 100)
        #expect(new.isFresh(at: Self.now + 149) && !new.isFresh(at: Self.now + 150))
        #expect(new.mimeType == "image/webp")
        #expect(new.headers["Content-Length"] == nil && new.headers["Set-Cookie"] == nil)
    }

    @Test(
        arguments: [
            ("max-age=1, stale-if-error=10", true), ("max-age=1, stale-if-error=1", false), ("max-age=1", false),
            ("max-age=1, stale-if-error=10, must-revalidate", false), ("no-cache, stale-if-error=10", false),
        ])
    func staleResponseIsUsedOnlyAsServerAllows(control: String, allowed: Bool) throws {
        let cached = try #require(
            keep(["Cache-Control": control, "ETag": "\"1\""]))
        #expect(cached.mayStandIn(at: Self.now + 5) == allowed)
    }
}

struct AsyncGateTests {
    @Test(.timeLimit(.minutes(1))) func waitersProceedInOrderWithoutCancelledOnes() async throws {
        let gate = AsyncSemaphore(limit: 1)
        try await gate.enter()
        let order = Lock<[Int]>([])
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<3 {
            tasks.append(
                Task {
                    try await gate.enter()
                    order.withLock { $0.append(number) }
                    gate.leave()
                })
            try await eventually { gate.waiting == number + 1 }
        }
        tasks[1].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[1].value }
        gate.leave()
        try await tasks[0].value
        try await tasks[2].value
        #expect(order.withLock { $0 } == [0, 2])
        try await gate.enter()
    }
}
