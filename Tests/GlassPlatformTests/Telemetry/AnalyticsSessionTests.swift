import Foundation
import Testing

@testable import GlassPlatform

/// When a session ends, and when it does not.
struct AnalyticsSessionTests {
    private let clock = TestClock()
    private var session: AnalyticsSession { AnalyticsSession(timeout: .seconds(100), clock: clock.clock) }

    @Test func activityExtendsSessionButReadingDoesNot() {
        let session = session
        let first = session.session
        #expect(first.number == 1 && first.start == clock.clock.now())
        clock.advance(.seconds(99))
        #expect(session.recordActivity() == first)
        clock.advance(.seconds(99))
        #expect(session.session == first)
        clock.advance(.seconds(1))
        let second = session.session
        #expect(second.number == 2 && second.id != first.id)
        #expect(session.recordActivity() == second)
    }

    @Test func changedDateDoesNotAffectSession() {
        let session = session
        let first = session.session
        clock.setDate(Date(timeIntervalSince1970: 0))
        #expect(session.recordActivity() == first)
        clock.setDate(Date(timeIntervalSince1970: 10_000_000_000))
        #expect(session.recordActivity() == first)
        clock.advance(.seconds(100))
        #expect(session.session.start == Date(timeIntervalSince1970: 10_000_000_000))
    }

    @Test func clockJumpingBackNeitherEndsSessionNorExtendsItForever() {
        let session = session
        let first = session.session
        clock.advance(.seconds(-4_000))
        #expect(session.session == first)
        clock.advance(.seconds(99))
        #expect(session.session == first)
        clock.advance(.seconds(1))
        #expect(session.session.number == 2)
    }

    @Test func newSessionCanBeStarted() {
        let session = session
        let first = session.session
        let second = session.startNewSession()
        #expect(second.number == 2 && second.id != first.id)
        #expect(session.session == second)
    }

    @Test func systemClockIsMonotonic() {
        let clock = TelemetryClock.system
        let first = clock.uptime()
        #expect(first > .zero)
        #expect(clock.uptime() >= first)
    }
}
