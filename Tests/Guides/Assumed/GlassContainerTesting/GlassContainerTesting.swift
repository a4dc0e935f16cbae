import GlassContainer

protocol Clock: Sendable {}
struct SystemClock: Clock {}
struct FixedClock: Clock {}

protocol Greeting: Sendable { func greet(_ name: String) -> String }
struct EnglishGreeting: Greeting {
    func greet(_ name: String) -> String { "Hello, \(name)!" }
}

struct Session {
    let begin = 0

    init(clock: any Clock) {}
}

extension Container {
    var clock: Factory<any Clock> { self { SystemClock() } }
    var greeting: Factory<any Greeting> { registered() }
}

final class PaymentContainer: SharedContainer {
    @TaskLocal static var shared = PaymentContainer()
    let manager = ContainerManager()

    var ledger: Factory<Session> { self { Session(clock: SystemClock()) } }
}
