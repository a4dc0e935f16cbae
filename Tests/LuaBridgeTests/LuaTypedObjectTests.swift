import LuaBridge
import Synchronization
import Testing

private final class Store: Sendable {
    let name: String
    let stock = Atomic<Int>(3)

    init(_ name: String) { self.name = name }

    static let type = LuaObjectType(name: "Store")
        .method("greet") { (store: Store, guest: String, polite: Bool?) in
            (polite ?? false) ? "Welcome to \(store.name), \(guest)" : "Hi \(guest)"
        }
        .method("order") { (store: Store, count: Int) in
            guard count <= store.stock.load(ordering: .relaxed) else { throw Refused() }
            store.stock.subtract(count, ordering: .relaxed)
        }
        .method("all") { (_: Store, values: LuaVariadic) in values }
        .method("isNextTo") { (store: Store, other: LuaObject<Store>) in store.name != other.object.name }
        .property("name") { (store: Store) in store.name }
        .property(
            "stock", get: { (store: Store) in store.stock.load(ordering: .relaxed) },
            set: { (store: Store, count: Int) in store.stock.store(count, ordering: .relaxed) }
        )
        .call { (store: Store, item: String) in "\(store.name) sells \(item)" }
        .toString { (store: Store) in "Store \(store.name)" }
        .length { (store: Store) in store.name.utf8.count }
        .equals { (left: Store, right: Store) in left.name == right.name }
        .lessThan { (left: Store, right: Store) in left.name < right.name }
}

private final class Other: Sendable {
    static let type = LuaObjectType(name: "Other").lessThan { (_: Other, _: Other) in true }
}

@Suite(.timeLimit(.minutes(5)))
struct LuaTypedObjectTests {
    private func use(_ text: String, profile: LuaProfile = .config) throws -> [LuaValue] {
        try run(text, profile: profile) { lua in
            [
                "store": try lua.object(Store("Ajax"), Store.type), "same": try lua.object(Store("Ajax"), Store.type),
                "next_": try lua.object(Store("Bay"), Store.type), "other": try lua.object(Other(), Other.type),
            ]
        }
    }

    static let uses: [(String, [LuaValue])] = [
        ("return store:greet('Ann')", ["Hi Ann"]), ("return store:greet('Ann', true)", ["Welcome to Ajax, Ann"]),
        ("return store:order(2), store.stock", [1]), ("return store:all(1, nil, 'x')", [1, .nil, "x"]),
        ("return store:isNextTo(next_), store:isNextTo(same)", [true, false]), ("return store.name", ["Ajax"]),
        ("store.stock = 7 return store.stock", [7]), ("return store('tea')", ["Ajax sells tea"]),
        ("return tostring(store)", ["Store Ajax"]), ("return #store", [4]),
        ("return store == same, store == next_, store ~= next_", [true, false, true]),
        ("return store < next_, next_ < store, store > next_", [true, false, false]),
        ("return store == other, store == 1", [false, false]),
    ]

    @Test(arguments: uses)
    func typedMembersReturnValues(_ text: String, _ results: [LuaValue]) throws {
        // A call without a result returns nothing, which in the middle of a list becomes nil.
        let expected = text.contains("order(2),") ? [.nil] + results : results
        #expect(try use(text) == expected)
        #expect(try use(text, profile: .script) == expected)
    }

    static let misuses: [(String, String)] = [
        ("store:greet(5)", "argument 1: expected a string, got 5"),
        ("store:greet()", "argument 1: expected a string, got nil"), ("store:order(9)", "no such thing"),
        ("store:isNextTo(other)", "argument 1: expected an object of Store, got an object of type Other"),
        ("store:isNextTo(1)", "argument 1: expected an object of Store, got 1"),
        ("store.name = 'Bay'", "'name' of Store cannot be assigned"),
        ("store.stock = 'many'", "argument 1: expected an integer, got \"many\""),
        ("store.size = 1", "'size' of Store cannot be assigned"),
        ("return store.stok", "Store has no member 'stok'; did you mean 'stock'?"),
        ("return store < 1", "argument 2: expected an object of Store, got 1"),
        ("return 1 < store", "argument 1: expected an object of Store, got 1"),
        ("return store < other", "argument 2: expected an object of Store, got an object of type Other"),
        ("return other()", "attempt to call a Other value (global 'other')"),
        ("return #other", "attempt to get length of a Other value (global 'other')"),
    ]

    @Test(arguments: misuses)
    func misuseOfTypedMemberIsReported(_ text: String, _ message: String) throws {
        do {
            _ = try use(text)
            Issue.record("expected a failure")
        } catch {
            #expect("\(error)" == "test.lua:1: " + message)
        }
    }

    @Test func redeclaredMemberReplacesFirst() throws {
        let type = Store.type.method("greet") { (_: Store) in "Hello" }
        #expect(type.memberNames == ["all", "greet", "isNextTo", "name", "order", "stock"])
        let results = try run("return store:greet()") { ["store": try $0.object(Store("Ajax"), type)] }
        #expect(results == [["Hello"]].flatMap(\.self))
    }

    @Test func objectOfAnotherClassTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let state = try LuaState(profile: .config, limits: .config)
            try state.perform { lua in
                try lua.setGlobal("store", try lua.object(Other(), Store.type))
                _ = try lua.call(lua.load(LuaSource("return store.name", chunkName: "x")))
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("LuaBridge: 'name' is written for Store, but its object is of another class"))
    }
}
