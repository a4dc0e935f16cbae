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

/// The senders over real connections, checked against the same claims.
@Suite(.timeLimit(.minutes(3)))
struct TransferContractTests {
    #if canImport(FoundationNetworking)
        /// Claims that FoundationNetworking violates; the test fails when it starts to satisfy one.
        static let broken: [String: Comment] = [
            "a redirect is followed before its content arrives":
                "it reports a redirect only after its content has arrived",
            "connections per host are limited, and waiting transfers can be cancelled":
                "it opens one connection per request",
        ]
        /// The ones that can pass by chance when requests happen to run one after the other.
        static let unsteady: Set = [
            "connections per host are limited, and waiting transfers can be cancelled"
        ]
        /// Claims that can't even be tested with FoundationNetworking.
        static let harmful: [String: String] = [
            "trailer fields are ignored": "it traps; see below",
            "endless trailer fields are cut off": "it traps",
            "an endless head is cut off": "it buffers everything",
            "endless interim responses are cut off": "it buffers everything",
            "endless content is cut off at the limit": "it only reads, and buffers everything",
            "endless data that adds no content is cut off": "it only reads",
            "endless transfers do not block others": "it only reads",
        ]
    #else
        static let broken: [String: Comment] = [:]
        static let unsteady: Set<String> = []
        static let harmful: [String: String] = [:]
    #endif

    /// The library that apps use; with all rounds, also the one that on Linux only tests use.
    static let libraries = runsAllRounds || Sanitizer.name != nil ? TransferLibrary.allCases : [.standard]

    @Test(arguments: libraries, TransferRow.all)
    func contractHolds(library: TransferLibrary, row: TransferRow) async throws {
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

    /// If each part caused a copy of the content before it, this would take minutes.
    @Test func contentInManyPartsIsReceivedInLinearTime() throws {
        var intake = try Self.intake(limit: 8 << 20)
        let part = [UInt8](repeating: 0x20, count: 16)
        for _ in 0..<200_000 { part.withUnsafeBytes { _ = intake.receive($0) } }
        #expect(intake.outcome.response?.body.count == 3_200_000)
    }

    /// Content that arrives one byte at a time costs seconds of work, however short it is.
    @Test func contentInTooManyPartsIsCutOff() throws {
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

    @Test func exceptionsNameExistingClaims() {
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
    func redirectFollowsPolicy(old: String, new: String, number: Int, refusal: RedirectRefusal?, keeps: Bool) throws {
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
        @Test func silentServerCostsNoCPUTime() async {
            await #expect(processExitsWith: .success) {
                let server = try RawServer { $0.waitForEnd() }
                let before = clock()
                let silence = Duration.seconds(rounds(all: 3, few: 1))
                let outcome = await send(server.url, .curl, silence: silence)
                #expect(outcome.error == .silent(silence))
                #expect(Double(clock() - before) / Double(CLOCKS_PER_SEC) < 0.3)
            }
        }

        /// If this fails, remove the row from `harmful`.
        @Test func foundationNetworkingTrapsOnTrailerFields() async {
            await #expect(processExitsWith: .failure) {
                let row = TransferRow.answers.first { $0.claim == "trailer fields are ignored" }
                try await row?.check(.urlSession)
            }
        }

        @Test func environmentProxiesAreUsedUnlessDisabled() async {
            await #expect(processExitsWith: .success) {
                // Nothing else in this process reads the environment yet.
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
