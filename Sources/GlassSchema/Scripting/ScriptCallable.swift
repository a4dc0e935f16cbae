/// A value whose methods a script can call: an object, or a structure.
///
/// An app's service conforms to this protocol so that scripts can call it as `market.container:get("Name"):method(…)`;
/// the platform's services are available without conforming. The service does not depend on the script's language.
public protocol ScriptCallable: Sendable {
    /// The name of the object in errors.
    var scriptTypeName: String { get }
    /// The methods, each with its implementation.
    var scriptMethods: [ScriptMethod] { get }
}

/// A method that a script can call.
public struct ScriptMethod: Sendable {
    /// The name in scripts.
    public let name: String
    /// The parameters for documentation: `key`, `value?`.
    package let parameters: [String]
    /// A summary, in one line.
    package let summary: String
    /// Whether the arguments are kept after the call, for example a value that is stored or a call that is recorded.
    /// They then count toward the script's memory.
    package let keeps: Bool
    /// The implementation.
    package let body: Body

    /// The implementation of a method.
    package enum Body: Sendable {
        /// Returns its result immediately.
        case immediate(@Sendable (ScriptArguments) throws -> ScriptValue)
        /// Waits for something, such as a server. The script waits, too.
        case waiting(@Sendable (ScriptArguments) async throws -> ScriptValue)
    }

    /// Creates a method.
    ///
    /// - Parameters:
    ///   - name: The name in scripts.
    ///   - parameters: The parameters for documentation; `[]` for none.
    ///   - summary: A summary, in one line.
    ///   - keeps: Whether the arguments are kept after the call.
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
    ///   - name: The name in scripts.
    ///   - parameters: The parameters for documentation; `[]` for none.
    ///   - summary: A summary, in one line.
    ///   - keeps: Whether the arguments are kept after the call.
    ///   - waiting: The implementation. It is canceled when the script exceeds its time limit.
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

    /// Calls the method, and waits if the method does.
    ///
    /// - Parameter arguments: The script's arguments, without the object itself.
    /// - Returns: The result.
    /// - Throws: ``ScriptArgumentError`` if an argument has the wrong type, and any error of the implementation.
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

    /// The string at a position.
    ///
    /// - Parameters:
    ///   - index: The position, from 0.
    ///   - name: The parameter's name, for the error message.
    /// - Returns: The string.
    /// - Throws: ``ScriptArgumentError`` if the argument has another type.
    public func string(_ index: Int, _ name: String) throws(ScriptArgumentError) -> String {
        guard case .string(let text) = self[index] else { throw wrong(index, name, "a string") }
        return text
    }

    /// The string at a position, or nil if the argument is absent.
    ///
    /// - Parameters:
    ///   - index: The position, from 0.
    ///   - name: The parameter's name, for the error message.
    /// - Returns: The string, or nil if the argument is absent.
    /// - Throws: ``ScriptArgumentError`` if the argument has another type.
    public func optionalString(_ index: Int, _ name: String) throws(ScriptArgumentError) -> String? {
        if case .nil = self[index] { return nil }
        return try string(index, name)
    }

    /// The integer at a position.
    ///
    /// - Parameters:
    ///   - index: The position, from 0.
    ///   - name: The parameter's name, for the error message.
    /// - Returns: The number; `3.0` counts as 3.
    /// - Throws: ``ScriptArgumentError`` if the argument has another type.
    public func integer(_ index: Int, _ name: String) throws(ScriptArgumentError) -> Int {
        switch self[index] {
        case .integer(let number): return number
        case .number(let number):
            guard let exact = Int(exactly: number) else { throw wrong(index, name, "an integer") }
            return exact
        default: throw wrong(index, name, "an integer")
        }
    }

    /// The number at a position, integer or not.
    ///
    /// - Parameters:
    ///   - index: The position, from 0.
    ///   - name: The parameter's name, for the error message.
    /// - Returns: The number.
    /// - Throws: ``ScriptArgumentError`` if the argument has another type.
    public func number(_ index: Int, _ name: String) throws(ScriptArgumentError) -> Double {
        switch self[index] {
        case .integer(let number): return Double(number)
        case .number(let number): return number
        default: throw wrong(index, name, "a number")
        }
    }

    /// The strings by key at a position; an absent argument is an empty map.
    ///
    /// - Parameters:
    ///   - index: The position, from 0.
    ///   - name: The parameter's name, for the error message.
    /// - Returns: The strings by key, with numbers and booleans converted to strings.
    /// - Throws: ``ScriptArgumentError`` if the argument has another type.
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
                        method: method, parameter: "\(name).\(key)", expected: "a string", found: value.found)
                }
            }
            return texts
        case .list(let values) where values.isEmpty: return [:]
        default: throw wrong(index, name, "a table of strings")
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
    /// The parameter.
    package let parameter: String
    /// The expected value.
    package let expected: String
    /// The actual value.
    package let found: String

    /// Creates an error.
    package init(method: String, parameter: String, expected: String, found: String) {
        self.method = method
        self.parameter = parameter
        self.expected = expected
        self.found = found
    }

    /// `set: expected a string for key, got 3`.
    public var description: String { "\(method): expected \(expected) for \(parameter), got \(found)" }
}
