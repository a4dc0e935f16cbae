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
    /// Returns a secret's name for a value that must not be written; nil if the module has no secret prefixes.
    let secretName: (ConfigurationPath) -> String?
    /// The names of the secrets that replaced values, in order.
    private(set) var secrets: [String] = []
    /// The fields that are left out so far.
    private(set) var lostFields: [LostField] = []

    /// How strictly values are converted.
    struct Mode {
        /// Whether a value of another type counts if it can mean only one thing, such as a number in quotes.
        var isLenient = true
        /// Whether a table may lose optional fields, instead of being lost as a whole.
        var leavesOutFields = false
    }

    init(isUntyped: Bool, secretName: @escaping (ConfigurationPath) -> String?) {
        self.isUntyped = isUntyped
        self.secretName = secretName
    }

    /// Whether a type can hold a value of the kind, regardless of the details.
    static func accepts(_ type: ValueType, _ json: StrictJSON, isUntyped: Bool, isLenient: Bool) -> Bool {
        var conversion = ValueConversion(isUntyped: isUntyped) { _ in "X" }
        do throws(Mismatch) {
            _ = try conversion.value(json, as: type, at: ConfigurationPath(), Mode(isLenient: isLenient))
            return true
        } catch {
            return false
        }
    }

    /// The value as one of a type.
    mutating func value(
        _ json: StrictJSON, as type: ValueType, at path: ConfigurationPath, _ mode: Mode = Mode()
    ) throws(Mismatch) -> ConfigurationValue {
        if case .either(let types) = type { return try value(json, asOneOf: types, of: type, at: path, mode) }
        if case .secret = type {
            guard case .string = json else { throw mismatch(type, json) }
            return try secret(at: path)
        }
        if case .string(let text) = json, let kind = Credential.kind(of: text, at: path) {
            throw Mismatch(
                "the value looks like \(kind), and the key takes no secret: let a service of the app provide it")
        }
        switch type {
        case .boolean: return .boolean(try boolean(json))
        case .integer: return .integer(try integer(json, type, mode))
        case .number: return try number(json, type, mode)
        case .scalar:
            guard json.members == nil, json.arrayValue == nil, json != .null else { throw mismatch(type, json) }
            return try data(json, at: path)
        case .string(let format): return .string(try string(json, format, mode))
        case .choice(let names): return .string(try choice(json, names, type))
        case .list(let element, let count, _): return try list(json, of: element, count, type, at: path, mode)
        case .map(let element, let keys, _): return try map(json, of: element, keys, type, at: path, mode)
        case .section(let section): return try table(json, section, at: path, mode)
        case .data: return try data(json, at: path)
        default: throw mismatch(type, json)
        }
    }

    /// The value as one of the first type that takes it. The type that the value has wins over one that it can mean.
    private mutating func value(
        _ json: StrictJSON, asOneOf types: [ValueType], of whole: ValueType, at path: ConfigurationPath, _ mode: Mode
    ) throws(Mismatch) -> ConfigurationValue {
        // A credential goes where a secret may stand.
        if case .string(let text) = json, Credential.kind(of: text, at: path) != nil, whole.allowsSecret {
            return try secret(at: path)
        }
        var first: Mismatch?
        for isLenient in mode.isLenient ? [false, true] : [false] {
            for type in types {
                if case .secret = type { continue }
                let before = secrets
                do throws(Mismatch) {
                    // Whether a type takes the value decides between the types, so that none may lose a part of it.
                    return try value(json, as: type, at: path, Mode(isLenient: isLenient))
                } catch {
                    secrets = before
                    first = first ?? error
                }
            }
        }
        if whole.allowsSecret, case .string = json { return try secret(at: path) }
        throw first ?? mismatch(whole, json)
    }

    // MARK: Scalars

    private func boolean(_ json: StrictJSON) throws(Mismatch) -> Bool {
        switch json {
        case .boolean(let flag): return flag
        case .string(let text) where isUntyped && ["true", "yes"].contains(text.lowercased()): return true
        case .string(let text) where isUntyped && ["false", "no"].contains(text.lowercased()): return false
        default: throw mismatch(.boolean, json)
        }
    }

    private func integer(_ json: StrictJSON, _ type: ValueType, _ mode: Mode) throws(Mismatch) -> Int {
        switch json {
        case .integer(let integer): return try whole(integer)
        case .number(let number):
            if let integer = Int(exactly: number) { return integer }
        case .string(let text) where isUntyped || mode.isLenient:
            if let number = Int(text) { return number }
        default: break
        }
        throw mismatch(type, json)
    }

    private func number(_ json: StrictJSON, _ type: ValueType, _ mode: Mode) throws(Mismatch) -> ConfigurationValue {
        switch json {
        case .integer(let integer): return .integer(try whole(integer))
        case .number(let number): return .number(number)
        case .string(let text) where isUntyped || mode.isLenient:
            if let number = Int(text) { return .integer(number) }
            if let number = Double(text), number.isFinite { return .number(number) }
        default: break
        }
        throw mismatch(type, json)
    }

    private func whole(_ integer: StrictJSON.Integer) throws(Mismatch) -> Int {
        guard let number = integer.value else { throw Mismatch("the number is too large") }
        return number
    }

    private func string(_ json: StrictJSON, _ format: StringFormat, _ mode: Mode) throws(Mismatch) -> String {
        switch json {
        case .string(let text):
            if format.matches(text) { return text }
            guard let meant = format.respelled(text) else { throw Mismatch("expected \(format.expectation)") }
            return meant
        // A format that also takes letters, such as a name, does not say that digits are meant.
        case .integer(let integer)
        where mode.isLenient && format.matches(integer.digits) && !format.matches("a"):
            return integer.digits
        case .integer, .number:
            throw Mismatch(
                "\(mismatch(.string(format), json).message): write it in quotes, because a number loses leading and trailing zeros"
            )
        default: throw mismatch(.string(format), json)
        }
    }

    private func choice(_ json: StrictJSON, _ names: [String], _ type: ValueType) throws(Mismatch) -> String {
        guard case .string(let text) = json else { throw mismatch(type, json) }
        if names.contains(text) { return text }
        let same = names.filter { ImportKeys.word($0) == ImportKeys.word(text) }
        guard let name = same.first, same.count == 1 else { throw Mismatch("expected \(type.expectation)") }
        return name
    }

    // MARK: Tables

    private mutating func list(
        _ json: StrictJSON, of element: ValueType, _ count: ClosedRange<Int>, _ type: ValueType,
        at path: ConfigurationPath, _ mode: Mode
    ) throws(Mismatch) -> ConfigurationValue {
        let values: [StrictJSON]
        switch json {
        case .array(let elements): values = elements
        case .string(let text) where mode.isLenient && element.takesStrings:
            // Build settings divide their lists by spaces.
            values = (isUntyped ? text.split(separator: " ").map(String.init) : [text]).map { .string($0) }
        default: throw mismatch(type, json)
        }
        guard count.contains(values.count) else { throw Mismatch("a list of \(values.count) has the wrong length") }
        if values.isEmpty { return .emptyTable }
        var nodes: [ConfigurationNode] = []
        for (index, value) in values.enumerated() {
            nodes.append(
                ConfigurationNode(try self.value(value, as: element, at: path.appending(index: index + 1), mode)))
        }
        return .list(nodes)
    }

    private mutating func map(
        _ json: StrictJSON, of element: ValueType, _ keys: StringFormat, _ type: ValueType,
        at path: ConfigurationPath, _ mode: Mode
    ) throws(Mismatch) -> ConfigurationValue {
        guard case .object(let members) = json else { throw mismatch(type, json) }
        if members.isEmpty { return .emptyTable }
        var entries: [String: ConfigurationNode] = [:]
        for member in members {
            guard keys.matches(member.key) else {
                throw Mismatch("the name \(member.key.quotedForMessage) is not \(keys.expectation)")
            }
            entries[member.key] = ConfigurationNode(
                try value(member.value, as: element, at: path.appending(member.key), mode))
        }
        return .map(entries)
    }

    private mutating func table(
        _ json: StrictJSON, _ section: SectionDeclaration, at path: ConfigurationPath, _ mode: Mode
    ) throws(Mismatch) -> ConfigurationValue {
        guard case .object(let members) = json else { throw mismatch(.section(section), json) }
        if members.isEmpty { return .emptyTable }
        var entries: [String: ConfigurationNode] = [:]
        var first: Mismatch?
        for member in members {
            let word = ImportKeys.word(member.key)
            let key = section.keys.first { ImportKeys.word($0.name) == word }
            do throws(Mismatch) {
                guard let key else { throw Mismatch("it has no key \(member.key.quotedForMessage)") }
                entries[key.name] = ConfigurationNode(
                    try value(member.value, as: key.type, at: path.appending(key.name), mode))
            } catch {
                guard mode.leavesOutFields, key?.isRequired != true else { throw error }
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
        case .null: throw Mismatch("null is not allowed in a market")
        case .boolean(let flag): return .boolean(flag)
        case .integer(let integer): return .integer(try whole(integer))
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
        guard let name = secretName(path) else { throw Mismatch("the module has no secret prefixes") }
        secrets.append(name)
        return .secret(Secret(name: name))
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
