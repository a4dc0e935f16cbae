import LuaBridge
import Synchronization
import Testing

private final class Account: Sendable {
    let owner: String
    let balance: Atomic<Int>

    init(_ owner: String, _ balance: Int) {
        self.owner = owner
        self.balance = Atomic(balance)
    }

    static let type = LuaObjectType(
        name: "Account",
        methods: [
            "deposit": { _, object, arguments in
                guard let account = object as? Account, let amount = arguments.first?.integerValue else { return [] }
                account.balance.add(amount, ordering: .relaxed)
                return [.integer(Int64(account.balance.load(ordering: .relaxed)))]
            }
        ],
        properties: ["owner": { _, object in LuaValue((object as? Account)?.owner ?? "") }],
        callAsFunction: { _, _, arguments in arguments },
        toString: { "Account of \(($0 as? Account)?.owner ?? "")" },
        equals: { $0.object(as: Account.self)?.owner == $1.object(as: Account.self)?.owner },
        length: { _, object in .integer(Int64((object as? Account)?.owner.count ?? 0)) }
    )
}

@Suite(.timeLimit(.minutes(5)))
struct LuaObjectTests {
    private func use(_ text: String, profile: LuaProfile = .config) throws -> [LuaValue] {
        try run(text, profile: profile) { lua in
            [
                "account": try lua.object(Account("Ann", 5), Account.type),
                "other": try lua.object(Account("Ann", 9), Account.type),
            ]
        }
    }

    static let uses: [(String, [LuaValue])] = [
        ("return account:deposit(3)", [8]), ("return account.owner", ["Ann"]),
        ("return tostring(account)", ["Account of Ann"]), ("return account(1, 'x')", [1, "x"]),
        ("return account == other, account ~= other", [true, false]), ("return #account", [3]),
        ("return type(account)", ["userdata"]), ("return string.format('%s', account)", ["Account of Ann"]),
    ]

    @Test(arguments: uses)
    func objectMembersReturnValues(_ text: String, _ results: [LuaValue]) throws {
        #expect(try use(text) == results)
        #expect(try use(text, profile: .script) == results)
    }

    static let misuses: [(String, String)] = [
        ("account:depsoit(3)", "test.lua:1: Account has no member 'depsoit'; did you mean 'deposit'?"),
        ("return account.xyzzy", "test.lua:1: Account has no member 'xyzzy'; it has deposit, owner"),
        ("account.deposit(3)", "test.lua:1: 'deposit' must be called on its object: write object:deposit(...)"),
        ("account.owner = 'Bob'", "test.lua:1: 'owner' of Account cannot be assigned"),
        ("return account[1]", "test.lua:1: Account has no member for a key of type number"),
    ]

    @Test(arguments: misuses)
    func misuseNamesMember(_ text: String, _ message: String) {
        #expect(throws: LuaError.self) { try use(text) }
        do {
            _ = try use(text)
        } catch {
            #expect("\(error)" == message)
        }
    }

    @Test func objectKeepsIdentity() throws {
        let state = try LuaState(profile: .config, limits: .config)
        let account = Account("Zoe", 1)
        try state.perform { lua in
            let value = try lua.object(account, Account.type)
            let results = try lua.call(lua.load(LuaSource("local a = ... return a, a == ...", chunkName: "o")), [value])
            #expect(results == [value, true])
            #expect(results[0].object(as: Account.self) === account)
            #expect(results[0].object(as: Counter.self) == nil)
        }
    }

    @Test func objectsAreReleasedWithTheState() throws {
        let counter = Counter()
        let type = LuaObjectType(name: "Counted")
        var kept: LuaValue = .nil
        do {
            let state = try LuaState(profile: .config, limits: .config)
            kept = try state.perform { lua in
                for index in 0..<10 {
                    try lua.setGlobal("o\(index)", try lua.object(Counted(counter), type))
                }
                return try lua.global("o3")
            }
            #expect(counter.value == 10)
            state.close()
        }
        #expect(counter.value == 1)
        #expect(kept.object(as: Counted.self) != nil)
        kept = .nil
        #expect(counter.value == 0)
    }
}
