import GlassContainer

let container: Container = assumed()

protocol FieldValidator: AnyObject, Sendable {
    func accepts(_ text: String) -> Bool
}

extension Container {
    var fieldValidator: Factory<any FieldValidator> { registered() }
}

final class Coupons {
    init(basket: Basket) {}
}
