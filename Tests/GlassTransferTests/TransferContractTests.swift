import Foundation
import TestSupport
import Testing

@testable import GlassTransfer

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif
#if canImport(Glibc)
    import Glibc
#endif

/// Both senders over real connections, with the same claims.
@Suite(.timeLimit(.minutes(3)))
struct TransferContractTests {
    #if canImport(FoundationNetworking)
        /// The claims that FoundationNetworking does not keep; the test fails when it begins to keep one.
        static let broken: [String: Comment] = [
            "a redirect whose page never comes is followed": "it tells of a redirect when its page has come",
            "no more connections to a host than are allowed, and those that wait can be cancelled":
                "it opens as many as there are requests",
        ]
        /// Those of them that it seems to keep where requests happen to come one after the other.
        static let unsteady: Set = [
            "no more connections to a host than are allowed, and those that wait can be cancelled"
        ]
        /// The claims that cannot even be tested with FoundationNetworking.
        static let harmful: [String: String] = [
            "fields behind the content change nothing": "it stops the process; see below",
            "fields behind the content without end are cut": "it stops the process",
            "a head that never ends is cut": "it keeps all that comes",
            "interim answers without end are cut": "it keeps all that comes",
            "content without end is cut at the limit": "it does nothing but read, and keeps all that comes",
            "what adds nothing to the content is cut too": "it does nothing but read",
            "servers that send without end hold up nobody": "it does nothing but read",
        ]
    #else
        static let broken: [String: Comment] = [:]
        static let unsteady: Set<String> = []
        static let harmful: [String: String] = [:]
    #endif

    @Test(arguments: TransferLibrary.allCases, TransferRow.all)
    func theContractHolds(library: TransferLibrary, row: TransferRow) async throws {
        guard library == .urlSession else { return try await row.check(library) }
        if Self.harmful[row.claim] != nil { return }
        if let comment = Self.broken[row.claim] {
            await withKnownIssue(comment, isIntermittent: Self.unsteady.contains(row.claim)) {
                try await row.check(library)
            }
        } else {
            try await row.check(library)
        }
    }

    /// If each part made the content before it be copied, this would take minutes.
    @Test func contentInManyPartsIsTakenInLinearTime() throws {
        var intake = try Self.intake(limit: 8 << 20)
        let part = [UInt8](repeating: 0x20, count: 16)
        for _ in 0..<200_000 { part.withUnsafeBytes { _ = intake.receive($0) } }
        #expect(intake.outcome.response?.body.count == 3_200_000)
    }

    /// Content of one byte a part is the work of seconds, however short it is.
    @Test func contentInTooManyPartsIsCut() throws {
        var intake = try Self.intake(limit: 8 << 20)
        var count = 0
        taking: while count < 100_000 {
            count += 1
            switch [UInt8(0x20)].withUnsafeBytes({ intake.receive($0) }) {
            case .more: continue
            case .over(let error):
                #expect(error == .bodyTooLarge(limit: 8 << 20))
                break taking
            case .enough: break taking
            }
        }
        #expect((16_384..<20_000).contains(count))
    }

    private static func intake(limit: Int) throws -> TransferIntake {
        let url = try #require(URL(string: "https://a.org/1"))
        let request = TransferRequest(url, limits: TransferLimits(bodyBytes: limit))
        var intake = TransferIntake(request, silence: .seconds(1))
        intake.receive(status: 200, fields: [:], cookies: [], from: url)
        return intake
    }

    @Test func everyExceptionIsAClaim() {
        let claims = TransferRow.all.map(\.claim)
        #expect(Set(claims).count == claims.count)
        #expect(Set(Self.broken.keys).union(Self.harmful.keys).isSubset(of: claims))
        #expect(Set(Self.broken.keys).isDisjoint(with: Self.harmful.keys))
    }

    @Test(
        arguments: [
            ("https://a.org/1", "https://a.org/2", 1, nil, true),
            ("https://a.org/1", "https://a.org:443/2", 10, nil, true),
            ("https://a.org/1", "https://a.org:8443/2", 1, nil, false),
            ("https://a.org/1", "https://b.org/1", 1, nil, false),
            ("http://a.org/1", "https://a.org/1", 1, nil, false),
            ("https://a.org/1", "http://a.org/1", 1, .insecure, false),
            ("https://a.org/1", "HTTPS://A.org/2", 11, .tooMany(limit: 10), false),
        ] as [(String, String, Int, RedirectRefusal?, Bool)])
    func aRedirectIsJudged(old: String, new: String, number: Int, refusal: RedirectRefusal?, keeps: Bool) throws {
        var request = TransferRequest(try #require(URL(string: old)), limits: TransferLimits(bodyBytes: 1))
        request.fields = ["Authorization": "Bearer t", "Accept": "text/plain"]
        let target = try #require(URL(string: new))
        do throws(TransferError) {
            let next = try RedirectPolicy().next(request, to: target, status: 302, number: number)
            #expect(refusal == nil)
            #expect(next.url == target && next.fields["Accept"] == "text/plain")
            #expect(next.fields["Authorization"] == (keeps ? "Bearer t" : nil))
        } catch {
            #expect(error == refusal.map { .redirect($0, to: target) })
        }
    }

    #if os(Linux)
        @Test func aSilentServerCostsNoProcessorTime() async {
            await #expect(processExitsWith: .success) {
                let server = try RawServer { $0.waitForEnd() }
                let before = clock()
                let outcome = await send(server.url, .curl, silence: .seconds(3))
                #expect(outcome.error == .silent(.seconds(3)))
                #expect(Double(clock() - before) / Double(CLOCKS_PER_SEC) < 0.3)
            }
        }

        /// When this fails, `harmful` has a row too many.
        @Test func foundationNetworkingStopsAtFieldsBehindTheContent() async {
            await #expect(processExitsWith: .failure) {
                let row = TransferRow.answers.first { $0.claim == "fields behind the content change nothing" }
                try await row?.check(.urlSession)
            }
        }

        @Test func proxiesOfTheEnvironmentAreAskedUnlessTheyAreOff() async {
            await #expect(processExitsWith: .success) {
                // No other thread of this process reads it yet.
                for name in ["http_proxy", "no_proxy", "NO_PROXY"] { unsetenv(name) }
                let proxy = try RawServer { $0.answer(502, [:], "proxy") }
                setenv("http_proxy", proxy.url.absoluteString, 1)
                let server = try RawServer { $0.answer(200, [:], "server") }
                let request = TransferRequest(server.url, limits: TransferLimits(bodyBytes: 10))
                #expect(await transfer(.curl).send(request).response?.status == 502)
                let direct = transfer(.curl) { $0.connectionProxyDictionary = [:] }
                #expect(await direct.send(request).response?.status == 200)
            }
        }
    #endif
}
