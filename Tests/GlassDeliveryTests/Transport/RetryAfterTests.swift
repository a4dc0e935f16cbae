import Foundation
@testable import GlassDelivery
import Testing

/// RFC 9110, section 10.2.3.
@Suite struct RetryAfterTests {
    /// Wed, 21 Oct 2026 07:28:00 GMT.
    private static let now = Date(timeIntervalSince1970: 1_792_567_680)

    @Test(arguments: [
        ("0", Duration.zero), ("7", .seconds(7)), ("86401", .seconds(86400)),
        ("99999999999999999999999999", .seconds(86400)),
        ("Wed, 21 Oct 2026 07:28:30 GMT", .seconds(30)), ("Wed, 21 Oct 2026 07:27:00 GMT", .zero),
        ("Wed, 21 Oct 2099 07:28:00 GMT", .seconds(86400)),
    ])
    func secondsAndDatesAreParsed(field: String, duration: Duration) {
        #expect(RetryAfter.duration(field, now: Self.now) == duration)
    }

    @Test(arguments: ["", "-1", "1.5", "7 s", "tomorrow", "21 Oct 2026", "2026-10-21T07:28:00Z", "Wed, 21 Oct 2026"])
    func invalidValuesAreIgnored(field: String) {
        #expect(RetryAfter.duration(field, now: Self.now) == nil)
    }
}
