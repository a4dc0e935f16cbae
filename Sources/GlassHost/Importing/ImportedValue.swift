import GlassAuthoring
import GlassBase
import GlassSchema

/// A value of a market, and what became of the file's.
struct ConvertedValue {
    let value: ConfigurationValue
    /// The names of the secrets that replaced values, in order.
    let secrets: [String]
    /// The fields that are left out.
    let lost: [ValueConversion.LostField]
}

/// Converts the values of files to values of a market.
struct ValueConversion {
    /// A field of a table that is left out, because its key does not exist or does not take the value.
    struct LostField {
        let path: ConfigurationPath
        let message: String
    }

    /// Why a value does not fit a key.
    struct Mismatch: Error {
        let message: String

        init(_ message: String) { self.message = message }
    }

    /// Whether strings may be numbers and Booleans.
    let isUntyped: Bool
    /// Gives the value that is not written a name; nil if the market can name no secrets.
    let secretName: (ConfigurationPath) -> String?
    /// The names of the secrets that replaced values, in order.
    private(set) var secrets: [String] = []
    /// The fields that are left out so far.
    private(set) var lostFields: [LostField] = []
    /// Whether a table may lose optional fields, instead of being lost as a whole.
    private var leavesOutFields: Bool
    /// Whether a value of another type counts if it can mean only one thing, such as a number in quotes.
    private var isLenient: Bool

    init(
        isUntyped: Bool, isLenient: Bool = true, leavesOutFields: Bool = false,
        secretName: @escaping (ConfigurationPath) -> String?
    ) {
        self.isUntyped = isUntyped
        self.isLenient = isLenient
        self.leavesOutFields = leavesOutFields
        self.secretName = secretName
    }

    /// Whether a type can hold a value of the kind, regardless of the details.
    static func accepts(_ type: ValueType, _ json: StrictJSON, isUntyped: Bool, isLenient: Bool) -> Bool {
        var conversion = ValueConversion(isUntyped: isUntyped, isLenient: isLenient) { _ in "X" }
        do throws(Mismatch) {
            _ = try conversion.value(json, as: type, at: ConfigurationPath())
            return true
        } catch {
            return false
        }
    }

    /// The value as one of a type.
    mutating func value(
        _ json: StrictJSON, as type: ValueType, at path: ConfigurationPath
    ) throws(Mismatch) -> ConfigurationValue {
        if case .either(let types) = type {
            // A credential goes where a secret may stand.
            if case .string(let text) = json, Credential.kind(of: text, at: path) != nil, type.allowsSecret {
                return try secret(at: path)
            }
            var first: Mismatch?
            // The type that the value has wins over one that it can mean.
            let (wasLenient, leftOutFields) = (isLenient, leavesOutFields)
            // Whether a type takes the value decides between the types, so that none may lose a part of it.
            leavesOutFields = false
            defer { (isLenient, leavesOutFields) = (wasLenient, leftOutFields) }
            for lenient in wasLenient ? [false, true] : [false] {
                isLenient = lenient
                for type in types {
                    if case .secret = type { continue }
                    do throws(Mismatch) {
                        return try value(json, as: type, at: path)
                    } catch {
                        first = first ?? error
                    }
                }
            }
            if type.allowsSecret, case .string = json { return try secret(at: path) }
            throw first ?? mismatch(type, json)
        }
        if case .secret = type {
            guard case .string = json else { throw mismatch(type, json) }
            return try secret(at: path)
        }
        if case .string(let text) = json, let kind = Credential.kind(of: text, at: path) {
            throw Mismatch(
                "the value looks like \(kind), and the key takes no secret: let a service of the app provide it")
        }
        switch (type, json) {
        case (.boolean, .boolean(let flag)), (.scalar, .boolean(let flag)): return .boolean(flag)
        case (.boolean, .string(let text)) where isUntyped:
            switch text.lowercased() {
            case "true", "yes": return .boolean(true)
            case "false", "no": return .boolean(false)
            default: throw mismatch(type, json)
            }
        case (.integer, .integer(let integer)), (.scalar, .integer(let integer)):
            guard let number = integer.value else { throw Mismatch("the number is too large") }
            return .integer(number)
        case (.integer, .number(let number)):
            guard let integer = Int(exactly: number) else { throw mismatch(type, json) }
            return .integer(integer)
        case (.integer, .string(let text)) where isUntyped || isLenient:
            guard let number = Int(text) else { throw mismatch(type, json) }
            return .integer(number)
        case (.number, .integer(let integer)):
            guard let number = integer.value else { throw Mismatch("the number is too large") }
            return .integer(number)
        case (.number, .number(let number)), (.scalar, .number(let number)): return .number(number)
        case (.number, .string(let text)) where isUntyped || isLenient:
            if let number = Int(text) { return .integer(number) }
            guard let number = Double(text), number.isFinite else { throw mismatch(type, json) }
            return .number(number)
        case (.string(let format), .string(let text)):
            if format.matches(text) { return .string(text) }
            guard let meant = format.respelled(text) else { throw Mismatch("expected \(format.expectation)") }
            return .string(meant)
        case (.string(let format), .integer(let integer)) where isLenient && format.matches(integer.digits):
            // A format that also takes letters, such as a name, does not say that digits are meant.
            guard !format.matches("a") else { throw quoted(type, json) }
            return .string(integer.digits)
        case (.string, .integer), (.string, .number): throw quoted(type, json)
        case (.scalar, .string(let text)): return .string(text)
        case (.choice(let names), .string(let text)):
            let same = names.filter { ImportKeys.word($0) == ImportKeys.word(text) }
            guard let name = names.contains(text) ? text : same.first, same.count == 1 else {
                throw Mismatch("expected \(type.expectation)")
            }
            return .string(name)
        case (.list(let element, let count, _), .array(let values)):
            guard count.contains(values.count) else { throw Mismatch("a list of \(values.count) has the wrong length") }
            if values.isEmpty { return .emptyTable }
            var nodes: [ConfigurationNode] = []
            for (index, value) in values.enumerated() {
                nodes.append(
                    ConfigurationNode(try self.value(value, as: element, at: path.appending(index: index + 1))))
            }
            return .list(nodes)
        case (.list(let element, _, _), .string(let text)) where isLenient && element.takesStrings:
            // Build settings divide their lists by spaces.
            let parts = isUntyped ? text.split(separator: " ").map(String.init) : [text]
            return try value(.array(parts.map { .string($0) }), as: type, at: path)
        case (.map(let element, let keys, _), .object(let members)):
            if members.isEmpty { return .emptyTable }
            var entries: [String: ConfigurationNode] = [:]
            for member in members {
                guard keys.matches(member.key) else {
                    throw Mismatch("the name \(member.key.quotedForMessage) is not \(keys.expectation)")
                }
                entries[member.key] = ConfigurationNode(
                    try value(member.value, as: element, at: path.appending(member.key)))
            }
            return .map(entries)
        case (.section(let section), .object(let members)):
            if members.isEmpty { return .emptyTable }
            return try fields(of: section, members, at: path)
        case (.data, _): return try data(json, at: path)
        default: throw mismatch(type, json)
        }
    }

    private mutating func fields(
        of section: SectionDeclaration, _ members: [StrictJSON.Member], at path: ConfigurationPath
    ) throws(Mismatch) -> ConfigurationValue {
        var entries: [String: ConfigurationNode] = [:]
        var first: Mismatch?
        for member in members {
            let word = ImportKeys.word(member.key)
            let key = section.keys.first { ImportKeys.word($0.name) == word }
            do throws(Mismatch) {
                guard let key else { throw Mismatch("it has no key \(member.key.quotedForMessage)") }
                entries[key.name] = ConfigurationNode(
                    try value(member.value, as: key.type, at: path.appending(key.name)))
            } catch {
                guard leavesOutFields, key?.isRequired != true else { throw error }
                first = first ?? error
                let message = key == nil ? "no key has this name" : error.message
                lostFields.append(LostField(path: path.appending(member.key), message: message))
            }
        }
        if entries.isEmpty, let first { throw first }
        return .map(entries)
    }

    /// A value whose type something else decides.
    private mutating func data(_ json: StrictJSON, at path: ConfigurationPath) throws(Mismatch) -> ConfigurationValue {
        switch json {
        case .null: throw Mismatch("a market has no null")
        case .boolean(let flag): return .boolean(flag)
        case .integer(let integer):
            guard let number = integer.value else { throw Mismatch("the number is too large") }
            return .integer(number)
        case .number(let number): return .number(number)
        case .string(let text):
            if let kind = Credential.kind(of: text, at: path) {
                throw Mismatch("the value looks like \(kind): let a service of the app provide it")
            }
            return .string(text)
        case .array(let values):
            if values.isEmpty { return .emptyTable }
            var nodes: [ConfigurationNode] = []
            for (index, value) in values.enumerated() {
                nodes.append(ConfigurationNode(try data(value, at: path.appending(index: index + 1))))
            }
            return .list(nodes)
        case .object(let members):
            if members.isEmpty { return .emptyTable }
            var entries: [String: ConfigurationNode] = [:]
            for member in members {
                entries[member.key] = ConfigurationNode(try data(member.value, at: path.appending(member.key)))
            }
            return .map(entries)
        }
    }

    private mutating func secret(at path: ConfigurationPath) throws(Mismatch) -> ConfigurationValue {
        guard let name = secretName(path) else { throw Mismatch("the module names no secrets") }
        secrets.append(name)
        return .secret(Secret(name: name))
    }

    private func quoted(_ type: ValueType, _ json: StrictJSON) -> Mismatch {
        Mismatch("\(mismatch(type, json).message): write it in quotes, because a number loses zeros at its ends")
    }

    private func mismatch(_ type: ValueType, _ json: StrictJSON) -> Mismatch {
        Mismatch("expected \(type.expectation), got \(json.kind)")
    }
}

extension ValueType {
    fileprivate var takesStrings: Bool {
        switch self {
        case .string, .choice: true
        case .either(let types): types.contains(where: \.takesStrings)
        default: false
        }
    }
}

extension StrictJSON {
    /// The kind of the value, with an article. Messages never show the value itself, which may be a secret.
    var kind: String {
        switch self {
        case .null: "nothing"
        case .boolean: "true or false"
        case .integer: "an integer"
        case .number: "a number"
        case .string: "a string"
        case .array: "a list"
        case .object: "a table"
        }
    }
}
