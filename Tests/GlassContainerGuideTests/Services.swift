import GlassContainer

// Declarations that the examples assume.

protocol Clock: Sendable {
    var now: Int { get }
}

struct SystemClock: Clock {
    let now = 1
}

struct FixedClock: Clock {
    let now = 0
}

final class Session: Sendable {
    let begin: Int

    init(clock: any Clock) {
        begin = clock.now
    }
}

protocol Networking: Sendable {
    func connect()
}

final class LiveNetworking: Networking {
    init(container: Container) {}

    func connect() {}
}

protocol Tracking: Sendable {}
protocol Analytics: Tracking {}

final class LiveAnalytics: Analytics {}

protocol Plugin: Sendable {
    func start()
}

struct SearchPlugin: Plugin {
    func start() {}
}

struct CartPlugin: Plugin {
    func start() {}
}

struct SetupError: Error {
    let text: String

    init(_ text: String) {
        self.text = text
    }
}

protocol User: Sendable {
    var token: String { get }
}

struct SignedInUser: User {
    let token: String

    init(_ token: String) {
        self.token = token
    }
}

final class Cart: Sendable {
    let user: any User

    init(container: Container) {
        user = container.get()
    }
}

struct Credentials {}

protocol Shop: Sendable {
    var hasCredentials: Bool { get }
}

final class LiveShop: Shop {
    let hasCredentials: Bool

    init(container: Container) {
        hasCredentials = container.isRegistered(Credentials.self)
    }
}

struct Account {
    let id: Int
}

final class Visit: Sendable {}
