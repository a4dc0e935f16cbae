@testable import GlassDelivery
import Testing

@Suite struct UpdateTimeTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:01Z", 1), ("1969-12-31T23:59:59Z", -1),
        ("2000-02-29T12:34:56Z", 951_827_696), ("2026-06-01T12:00:00Z", 1_780_315_200),
        ("2026-12-31T23:59:59Z", 1_798_761_599), ("2100-03-01T00:00:00Z", 4_107_542_400),
        ("9999-12-31T23:59:59Z", 253_402_300_799), ("0001-01-01T00:00:00Z", -62_135_596_800),
    ])
    func timesRoundTrip(_ text: String, _ seconds: Int) {
        #expect(UpdateTime(text)?.secondsSince1970 == seconds)
        #expect(UpdateTime(secondsSince1970: seconds).description == text)
    }

    @Test func everyDayOfFourCenturiesRoundTrips() {
        let first = UpdateTime("1900-01-01T00:00:00Z")?.secondsSince1970 ?? 0
        for day in 0..<146_097 {
            let time = UpdateTime(secondsSince1970: first + day * 86_400 + day % 86_400)
            if UpdateTime(time.description) != time { Issue.record("\(time)") }
        }
        #expect(UpdateTime("2300-01-01T00:00:00Z")?.secondsSince1970 == first + 146_097 * 86_400)
    }

    @Test(arguments: [
        "", "2026-06-01", "2026-06-01T12:00:00", "2026-06-01T12:00:00z", "2026-06-01 12:00:00Z",
        "2026-06-01T12:00:00.0Z",
        "2026-06-01T12:00:00+00:00", "2026-13-01T12:00:00Z", "2026-00-01T12:00:00Z", "2026-06-31T12:00:00Z",
        "2026-02-29T12:00:00Z", "2100-02-29T12:00:00Z", "2026-06-00T12:00:00Z", "2026-06-01T24:00:00Z",
        "2026-06-01T12:60:00Z", "2026-06-01T12:00:60Z", "0000-01-01T00:00:00Z", "12026-06-01T12:00:00Z",
        "2026-6-1T12:00:00Z", "２026-06-01T12:00:00Z", " 2026-06-01T12:00:00Z", "-026-06-01T12:00:00Z",
    ])
    func invalidTimesAreRejected(_ text: String) {
        #expect(UpdateTime(text) == nil)
    }
}
