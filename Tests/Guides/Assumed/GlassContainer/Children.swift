import GlassContainer

let app: Container = assumed()
let token: String = assumed()

protocol Networking: Sendable {}
protocol User: Sendable {}

struct SignedInUser: User {
    init(_ token: String) {}
}

final class Cart: Sendable {
    init(container: Container) {}
}

struct Credentials {}
protocol Shop: Sendable {}

final class LiveShop: Shop {
    init(container: Container) {}
}
