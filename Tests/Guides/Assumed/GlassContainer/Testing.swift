import GlassContainer

protocol Clock: Sendable {}
struct FixedClock: Clock {}

struct Session {
    let begin = 0
}

extension Container {
    var clock: Factory<any Clock> { self { FixedClock() } }
    var session: Factory<Session> { self { Session() }.cached }
}
