import GlassContainer
import Synchronization
import Testing

protocol FieldValidator: AnyObject, Sendable {
    func accepts(_ text: String) -> Bool
}

final class NonEmptyValidator: FieldValidator {
    func accepts(_ text: String) -> Bool { !text.isEmpty }
}

/// Counts the validators that a factory creates.
final class Count: Sendable {
    private let count = Atomic(0)
    var value: Int { count.load(ordering: .relaxed) }

    func add() -> NonEmptyValidator {
        count.add(1, ordering: .relaxed)
        return NonEmptyValidator()
    }
}

extension Container {
    var fieldValidator: Factory<any FieldValidator> { self { NonEmptyValidator() }.cached }
}

@MainActor
final class AddressForm {
    private let container: Container
    private lazy var fieldValidator: any FieldValidator = container.get()

    init(container: Container) {
        self.container = container
    }

    func accepts(_ text: String) -> Bool { fieldValidator.accepts(text) }
    var usedValidator: any FieldValidator { fieldValidator }
}

/// Nothing replaces the property, and reading it is safe on any thread.
final class AddressBook: @unchecked Sendable {
    @LazyInjected(\.fieldValidator) private var validator

    func accepts(_ text: String) -> Bool { validator.accepts(text) }
}

final class Basket {
    private weak var container: Container?
    lazy var coupons: Coupons? = container?.get()

    init(container: Container) {
        self.container = container
    }
}

final class Coupons {
    let basket: Basket

    init(basket: Basket) {
        self.basket = basket
    }
}

@Suite(.timeLimit(.minutes(1))) struct LazyInitializationTests {
    @Test @MainActor func lazyPropertyIsResolvedOnFirstUseAndCached() {
        let container = Container()
        let form = AddressForm(container: container)
        container.register((any FieldValidator).self) { NonEmptyValidator() }
        #expect(form.accepts("1 Main St") && !form.accepts(""))
        let first = form.usedValidator
        #expect(first === container.get((any FieldValidator).self))

        container.register((any FieldValidator).self) { NonEmptyValidator() }
        #expect(form.usedValidator === first)
        #expect(container.get((any FieldValidator).self) !== first)
    }

    @Test func concurrentReadsResolveOnce() async {
        await Container.$shared.withValue(Container()) {
            let made = Count()
            Container.shared.fieldValidator.register { made.add() }
            let book = AddressBook()
            #expect(made.value == 0)
            let accepted = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<8 { group.addTask { book.accepts("1 Main St") } }
                return await group.reduce(true) { $0 && $1 }
            }
            #expect(accepted)
            #expect(made.value == 1)
        }
    }

    @Test func mutuallyDependentServicesAreFreedWithContainer() {
        weak var gone: Container?
        do {
            let container = Container()
            container.register(Basket.self) { c in Basket(container: c) }
            container.register(Coupons.self) { c in Coupons(basket: c.get()) }
            let coupons: Coupons = container.get()
            #expect(coupons.basket.coupons === coupons)
            gone = container
            coupons.basket.coupons = nil
        }
        #expect(gone == nil)
    }

    @Test func lazilyReadServicesAreValidatedAtLaunch() {
        let report = Container().validate(requiring: [(any FieldValidator).self])
        #expect(!report.isValid)
    }
}
