import GlassBase
import Foundation
import GRDB
import GlassDeepLinking
import GlassPlatformMocks
import GlassSchema
import Testing

@testable import GlassPlatform

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The meaning of errors for the user, and their reports.
struct ErrorCoordinatorManagerTests {
    private let tracking = AnalyticsTrackingMock()

    private func coordinator(secrets: [Secret] = []) -> ErrorCoordinatorManager {
        ErrorCoordinatorManager(tracking: tracking, secrets: secrets)
    }

    /// An error from another part of the app.
    private enum Wrapped: Error {
        case request(url: String, underlying: any Error)
        case plain
    }

    private struct Advising: ErrorAdviceProviding {
        var errorKind: ErrorKind?
        var underlying: any Error
    }

    private static let full = DatabaseError(resultCode: .SQLITE_FULL)

    @Test(
        arguments: [
            (URLError(.notConnectedToInternet), .offline), (URLError(.timedOut), .timeout),
            (URLError(.cannotConnectToHost), .serverUnavailable),
            (URLError(.secureConnectionFailed), .insecureConnection),
            (URLError(.cancelled), .cancelled), (CancellationError(), .cancelled),
            (URLError(.badServerResponse), .unexpectedAnswer), (URLError(.badURL), .misconfigured),
            (DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "?")), .unexpectedAnswer),
            (StorageError.unavailable("write", cause: full), .storageFull),
            (StorageError.unavailable("write", cause: TestFailure()), .storageUnavailable),
            (AnalyticsError.notKept(cause: StorageError.unavailable("keep", cause: full)), .storageFull),
            (Wrapped.request(url: "u", underlying: URLError(.timedOut)), .timeout), (Wrapped.plain, .unknown),
            (Advising(errorKind: .signInRequired, underlying: URLError(.timedOut)), .signInRequired),
            (Advising(errorKind: nil, underlying: URLError(.timedOut)), .timeout),
            (SecretError.unset(name: "K"), .misconfigured),
            (EnvironmentError.unknownService("x", environment: "e", services: []), .misconfigured),
            (POSIXError(.ENOSPC), .storageFull), (CocoaError(.fileWriteOutOfSpace), .storageFull),
            (
                NSError(
                    domain: "d", code: 1,
                    userInfo: [NSUnderlyingErrorKey: NSError(domain: "e", code: 2), NSLocalizedDescriptionKey: "outer"]),
                .unknown
            ),
        ] as [(any Error, ErrorKind)])
    func errorsAreClassified(error: any Error, kind: ErrorKind) {
        let coordinated = coordinator().coordinate(error, feature: "cart")
        #expect(coordinated.kind == kind)
        #expect(coordinated.text == kind.text)
        #expect(tracking.events.count == (kind == .cancelled ? 0 : 1))
    }

    @Test func causeIsKeptAndReportNamesAllCauses() throws {
        let inner = URLError(.timedOut)
        let error = Wrapped.request(url: "https://u:p@h.example/path?token=1#f", underlying: inner)
        let coordinated = coordinator().coordinate(error, feature: "cart")
        guard case .request(_, let cause)? = coordinated.cause as? Wrapped else {
            Issue.record("\(coordinated.cause)")
            return
        }
        #expect((cause as? URLError)?.code == .timedOut)
        #expect(coordinated.details.count == 2)
        let event = try #require(tracking.events.first)
        #expect(event.name == "error")
        #expect(event.attributes["feature"] == .string("cart"))
        #expect(event.attributes["kind"] == .string("timeout"))
        #expect(event.attributes["type"] == .string("Wrapped"))
        #expect(event.attributes["reference"] == .string(coordinated.reference))
        guard case .string(let details)? = event.attributes["details"] else {
            Issue.record("\(event)")
            return
        }
        #expect(details.contains("https://<redacted>@h.example/path?<redacted>"))
        #expect(!details.contains("u:p") && !details.contains("token=1"))
        #expect(details.contains("; caused by "))
        #expect("\(coordinated)" == "cart: That took too long [\(coordinated.reference)]: \(details)")
    }

    @Test func sameErrorIsNotReportedTwice() {
        let coordinator = coordinator()
        let first = coordinator.coordinate(TestFailure(), feature: "cart")
        let second = coordinator.coordinate(first, feature: "app")
        #expect(second.reference == first.reference && second.feature == "cart")
        #expect(tracking.events.count == 1)
    }

    @Test func retryIsOfferedWhereUseful() async throws {
        let calls = Lock(0)
        let coordinator = coordinator()
        let offline = coordinator.coordinate(URLError(.notConnectedToInternet), feature: "cart") {
            calls.withLock { $0 += 1 }
        }
        #expect(offline.recovery == .checkConnection)
        try await offline.retry?()
        #expect(calls.withLock { $0 } == 1)
        let wrong = coordinator.coordinate(SecretError.unset(name: "K"), feature: "cart") {}
        #expect(wrong.recovery == .contactSupport && wrong.retry == nil)
    }

    @Test func unstorableReportIsMentionedAndErrorKept() throws {
        let folder = try TestFolder()
        try Data().write(to: folder.url.appending(path: "analytics"))
        let analytics = AsyncAnalyticsManager(outboxFile: folder.outbox)
        let coordinated = ErrorCoordinatorManager(tracking: analytics).coordinate(TestFailure(), feature: "cart")
        guard case .notKept? = coordinated.reportFailure else {
            Issue.record("\(String(describing: coordinated.reportFailure))")
            return
        }
        #expect(coordinated.cause as? TestFailure == TestFailure())
    }

    @Test func textOfHostTakesPrecedenceOverEnglish() {
        let coordinator = ErrorCoordinatorManager(tracking: tracking) { kind in
            kind == .offline ? ErrorText("Sin conexión", "Revisa tu conexión.") : nil
        }
        #expect(coordinator.text(for: .offline) == ErrorText("Sin conexión", "Revisa tu conexión."))
        #expect(coordinator.coordinate(URLError(.timedOut), feature: "x").text == ErrorKind.timeout.text)
    }

    @Test(arguments: [
        ("plain words", "plain words"),
        ("GET https://h.example/a?b=c failed", "GET https://h.example/a?<redacted> failed"),
        ("wss://h/a#frag", "wss://h/a#<redacted>"),
        ("see <http://me:pw@h.example>", "see <http://<redacted>@h.example>"),
        ("http://h/a@b", "http://h/a@b"),
        ("mail://a@b@c/d?x", "mail://<redacted>@c/d?<redacted>"),
        ("Authorization: Bearer abc.def-123", "Authorization: <redacted> <redacted>"),
        ("bearer abcdef", "bearer <redacted>"),
        ("{\"access_token\":\"xyz\",\"n\":1}", "{\"access_token\":\"<redacted>\",\"n\":1}"),
        ("password = hunter2; next", "password = <redacted>; next"),
        ("key s3cr3t here", "key <secret K> here"),
        ("https://h/s3cr3t?q=s3cr3t", "https://h/<secret K>?<redacted>"),
    ])
    func confidentialTextIsRedacted(text: String, redacted: String) {
        let redactor = Redactor(secrets: [Secret(name: "K", value: "s3cr3t"), Secret(name: "UNSET")])
        #expect(redactor.redact(text) == redacted)
    }

    @Test func longTextIsTruncatedWithoutPartialSecrets() {
        let redactor = Redactor(secrets: [Secret(name: "K", value: "s3cr3t")])
        for length in Redactor.maximumLength - 8...Redactor.maximumLength + 2 {
            let redacted = redactor.redact(String(repeating: "x", count: length) + "s3cr3t" + "yyy")
            #expect(!redacted.contains("s3"), "\(length)")
            #expect(redacted.count < Redactor.maximumLength + 20)
        }
    }

    @Test func everyKindHasText() {
        for kind in ErrorKind.allCases { #expect(!kind.text.title.isEmpty) }
    }
}
