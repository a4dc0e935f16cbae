/// An object whose methods a script can call.
///
/// An app's service conforms to be reachable as `market.container:get("Name"):method(…)`; those of the platform are
/// reachable without conforming. It never sees the language of the script.
public protocol ScriptCallable: AnyObject, Sendable {
    /// The name under which errors speak of the object.
    var scriptTypeName: String { get }
    /// The methods, each with its implementation.
    var scriptMethods: [ScriptMethod] { get }
}

/// A method that a script can call.
public struct ScriptMethod: Sendable {
    /// The name a script uses.
    public let name: String
    /// The parameters as documentation writes them: `key`, `value?`.
    package let parameters: [String]
    /// What it does, in one line.
    package let summary: String
    /// Whether what is passed is kept after the call, such as a value that is stored or a call that is recorded. It then
    /// counts as memory of the script.
    package let keeps: Bool
    /// The implementation.
    package let body: Body

    /// How a method works.
    package enum Body: Sendable {
        /// It has its result when it returns.
        case immediate(@Sendable (ScriptArguments) throws -> ScriptValue)
        /// It waits for something, such as a server. The script waits with it.
        case waiting(@Sendable (ScriptArguments) async throws -> ScriptValue)
    }

    /// Creates a method.
    ///
    /// - Parameters:
    ///   - name: The name a script uses.
    ///   - parameters: The parameters as documentation writes them; `[]` for none.
    ///   - summary: What it does, in one line.
    ///   - keeps: Whether what is passed is kept after the call.
    ///   - body: The implementation.
    public init(
        _ name: String, _ parameters: [String], _ summary: String, keeps: Bool = false,
        body: @escaping @Sendable (ScriptArguments) throws -> ScriptValue
    ) {
        self.name = name
        self.parameters = parameters
        self.summary = summary
        self.keeps = keeps
        self.body = .immediate(body)
    }

    /// Creates a method that waits for something.
    ///
    /// - Parameters:
    ///   - name: The name a script uses.
    ///   - parameters: The parameters as documentation writes them; `[]` for none.
    ///   - summary: What it does, in one line.
    ///   - keeps: Whether what is passed is kept after the call.
    ///   - waiting: The implementation; it is cancelled when the script's time is over.
    public init(
        _ name: String, _ parameters: [String], _ summary: String, keeps: Bool = false,
        waiting: @escaping @Sendable (ScriptArguments) async throws -> ScriptValue
    ) {
        self.name = name
        self.parameters = parameters
        self.summary = summary
        self.keeps = keeps
        self.body = .waiting(waiting)
    }

    /// Calls the method and waits where it waits.
    ///
    /// - Parameter arguments: What the script passed, without the object itself.
    /// - Returns: The result.
    /// - Throws: ``ScriptArgumentError`` when an argument is of the wrong type; what the implementation throws.
    public func callAsFunction(_ arguments: [ScriptValue]) async throws -> ScriptValue {
        let arguments = ScriptArguments(arguments, method: name)
        return switch body {
        case .immediate(let body): try body(arguments)
        case .waiting(let body): try await body(arguments)
        }
    }
}

/// The arguments of a call, read by position and type.
public struct ScriptArguments: Sendable {
    private let values: [ScriptValue]
    private let method: String

    /// Wraps the arguments of a call.
    package init(_ values: [ScriptValue], method: String) {
        self.values = values
        self.method = method
    }

    /// The argument at a position.
    ///
    /// - Parameter index: The position, from 0.
    /// - Returns: The value; ``ScriptValue/nil`` past the end.
    public subscript(index: Int) -> ScriptValue {
        values.indices.contains(index) ? values[index] : .nil
    }

    /// The text at a position.
    ///
    /// - Parameters:
    ///   - index: The position, from 0.
    ///   - name: The parameter's name, for the error message.
    /// - Returns: The text.
    /// - Throws: ``ScriptArgumentError`` when the argument is something else.
    public func string(_ index: Int, _ name: String) throws(ScriptArgumentError) -> String {
        guard case .string(let text) = self[index] else { throw wrong(index, name, "text") }
        return text
    }

    /// The text at a position, or nil where there is none.
    ///
    /// - Parameters:
    ///   - index: The position, from 0.
    ///   - name: The parameter's name, for the error message.
    /// - Returns: The text, or nil when the argument is absent.
    /// - Throws: ``ScriptArgumentError`` when the argument is something else.
    public func optionalString(_ index: Int, _ name: String) throws(ScriptArgumentError) -> String? {
        if case .nil = self[index] { return nil }
        return try string(index, name)
    }

    /// The whole number at a position.
    ///
    /// - Parameters:
    ///   - index: The position, from 0.
    ///   - name: The parameter's name, for the error message.
    /// - Returns: The number; `3.0` counts as 3.
    /// - Throws: ``ScriptArgumentError`` when the argument is something else.
    public func integer(_ index: Int, _ name: String) throws(ScriptArgumentError) -> Int {
        switch self[index] {
        case .integer(let number): return number
        case .number(let number):
            guard let exact = Int(exactly: number) else { throw wrong(index, name, "a whole number") }
            return exact
        default: throw wrong(index, name, "a whole number")
        }
    }

    /// The number at a position, whole or not.
    ///
    /// - Parameters:
    ///   - index: The position, from 0.
    ///   - name: The parameter's name, for the error message.
    /// - Returns: The number.
    /// - Throws: ``ScriptArgumentError`` when the argument is something else.
    public func number(_ index: Int, _ name: String) throws(ScriptArgumentError) -> Double {
        switch self[index] {
        case .integer(let number): return Double(number)
        case .number(let number): return number
        default: throw wrong(index, name, "a number")
        }
    }

    /// The texts by key at a position; an absent argument is an empty map.
    ///
    /// - Parameters:
    ///   - index: The position, from 0.
    ///   - name: The parameter's name, for the error message.
    /// - Returns: The texts by key; numbers and booleans are written out.
    /// - Throws: ``ScriptArgumentError`` when the argument is something else.
    public func strings(_ index: Int, _ name: String) throws(ScriptArgumentError) -> [String: String] {
        switch self[index] {
        case .nil: return [:]
        case .map(let values):
            var texts: [String: String] = [:]
            for (key, value) in values {
                switch value {
                case .string(let text): texts[key] = text
                case .integer(let number): texts[key] = "\(number)"
                case .number(let number): texts[key] = "\(number)"
                case .boolean(let flag): texts[key] = "\(flag)"
                default:
                    throw ScriptArgumentError(
                        method: method, parameter: "\(name).\(key)", expected: "text", found: value.found)
                }
            }
            return texts
        case .list(let values) where values.isEmpty: return [:]
        default: throw wrong(index, name, "a table of texts")
        }
    }

    private func wrong(_ index: Int, _ name: String, _ expected: String) -> ScriptArgumentError {
        ScriptArgumentError(method: method, parameter: name, expected: expected, found: self[index].found)
    }
}

/// An argument of the wrong type.
public struct ScriptArgumentError: Error, Equatable, CustomStringConvertible {
    /// The method that was called.
    package let method: String
    /// The parameter concerned.
    package let parameter: String
    /// What it takes.
    package let expected: String
    /// What it got.
    package let found: String

    /// Creates an error.
    package init(method: String, parameter: String, expected: String, found: String) {
        self.method = method
        self.parameter = parameter
        self.expected = expected
        self.found = found
    }

    /// `set: expected text for key, got 3`.
    public var description: String { "\(method): expected \(expected) for \(parameter), got \(found)" }
}
