/// A description of the members of Swift objects that Lua can use.
///
/// ```swift
/// final class Counter: Sendable { let start = 41 }
/// let counterType = LuaObjectType(
///     name: "Counter",
///     methods: ["next": { _, object, _ in [.integer(Int64((object as? Counter)?.start ?? 0) + 1)] }],
///     properties: ["start": { _, object in .integer(Int64((object as? Counter)?.start ?? 0)) }]
/// )
/// ```
///
/// Typed members are added one by one:
///
/// ```swift
/// let counterType = LuaObjectType(name: "Counter")
///     .method("plus") { (counter: Counter, amount: Int) in counter.start + amount }
///     .property("start") { (counter: Counter) in counter.start }
///     .equals { (left: Counter, right: Counter) in left.start == right.start }
/// ```
///
/// Lua code can then use `counter:next()` and `counter.start`. Using a member that does not exist raises an error that
/// names it and the nearest one that does. A type can be used by many states.
public final class LuaObjectType: Sendable {
    /// A function that Lua calls as `object:name(...)`.
    public typealias Method = @Sendable (LuaContext, any AnyObject & Sendable, [LuaValue]) throws -> [LuaValue]
    /// A function that returns the value of `object.name`.
    public typealias Getter = @Sendable (LuaContext, any AnyObject & Sendable) throws -> LuaValue
    /// A function that performs `object.name = value`.
    public typealias Setter = @Sendable (LuaContext, any AnyObject & Sendable, LuaValue) throws -> Void
    /// A function that returns the text of `tostring(object)`.
    public typealias Text = @Sendable (any AnyObject & Sendable) -> String
    /// A function that compares two values, one of which is such an object.
    public typealias Comparison = @Sendable (LuaValue, LuaValue) -> Bool

    /// The name that Lua shows.
    package let name: String
    /// The names of methods and properties, sorted.
    package let memberNames: [String]

    typealias Member = (kind: Int32, name: String, function: HostFunction)

    private let declared: [Member]
    private let missing: HostFunction

    /// Creates a type.
    ///
    /// - Parameters:
    ///   - name: The name that Lua shows, as in `userdata Counter`.
    ///   - methods: The methods by name.
    ///   - properties: The readable properties by name.
    ///   - setters: The writable properties by name. Without one, assignment is an error.
    ///   - callAsFunction: Called for `object(...)`.
    ///   - toString: Returns the text of `tostring(object)`.
    ///   - equals: Compares two different userdata for `a == b`. Without it they are not equal.
    ///   - lessThan: Compares two values for `a < b`.
    ///   - length: Returns the length, `#object`.
    public convenience init(
        name: String,
        methods: [String: Method] = [:],
        properties: [String: Getter] = [:],
        setters: [String: Setter] = [:],
        callAsFunction: Method? = nil,
        toString: Text? = nil,
        equals: Comparison? = nil,
        lessThan: Comparison? = nil,
        length: Getter? = nil
    ) {
        var members: [Member] = []
        for (name, method) in methods.sorted(by: { $0.key < $1.key }) {
            members.append((MemberKind.method, name, HostFunction(method: method)))
        }
        for (name, getter) in properties.sorted(by: { $0.key < $1.key }) {
            members.append(
                (MemberKind.getter, name, HostFunction(method: { lua, object, _ in try [getter(lua, object)] })))
        }
        for (name, setter) in setters.sorted(by: { $0.key < $1.key }) {
            members.append(
                (
                    MemberKind.setter, name,
                    HostFunction(method: { lua, object, arguments in
                        try setter(lua, object, arguments.first ?? .nil)
                        return []
                    })
                )
            )
        }
        if let callAsFunction { members.append((MemberKind.call, "call", HostFunction(method: callAsFunction))) }
        if let toString {
            members.append(
                (
                    MemberKind.toString, "tostring",
                    HostFunction(method: { _, object, _ in [LuaValue(toString(object))] })
                ))
        }
        if let equals { members.append((MemberKind.equals, "==", Self.comparison(equals))) }
        if let lessThan { members.append((MemberKind.less, "<", Self.comparison(lessThan))) }
        if let length {
            members.append(
                (MemberKind.length, "#", HostFunction(method: { lua, object, _ in try [length(lua, object)] })))
        }
        self.init(name: name, members: members)
    }

    init(name: String, members: [Member]) {
        self.name = name
        let names = Set(
            members.filter { $0.kind == MemberKind.method || $0.kind == MemberKind.getter }.map(\.name)
        ).sorted()
        memberNames = names
        declared = members
        missing = HostFunction(method: { _, _, arguments in
            throw MissingMember(type: name, member: arguments.first ?? .nil, names: names)
        })
    }

    /// All members of the metatable.
    var members: [Member] { declared + [(MemberKind.missing, name, missing)] }

    /// A type with one more member, which replaces a member of the same kind and name.
    func adding(_ kind: Int32, _ name: String, _ function: HostFunction) -> LuaObjectType {
        LuaObjectType(
            name: self.name,
            members: declared.filter { $0.kind != kind || $0.name != name } + [(kind, name, function)])
    }

    private static func comparison(_ compare: @escaping Comparison) -> HostFunction {
        HostFunction(method: { _, _, operands in
            [.boolean(operands.count == 2 && compare(operands[0], operands[1]))]
        })
    }
}
