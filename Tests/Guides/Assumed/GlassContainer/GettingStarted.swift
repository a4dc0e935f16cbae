import GlassContainer

protocol Greeting {}
protocol Doorman {}
struct EnglishGreeting: Greeting {}

final class HotelDoorman: Doorman {
    init(container: Container) {}
}

protocol Clock: Sendable {}
struct SystemClock: Clock {}

final class Session: Sendable {
    init(clock: any Clock) {}
}
