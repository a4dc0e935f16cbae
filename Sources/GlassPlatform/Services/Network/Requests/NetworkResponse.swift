public import Foundation

/// The answer to a request.
public struct NetworkResponse: Sendable, Equatable {
    /// The status (RFC 9110 §15).
    public var status: Int
    /// The header fields.
    public var headers: HTTPFields
    /// The content.
    public var body: Data
    /// Where the content came from, after redirects; with its query.
    public var url: URL
    /// How many attempts it took.
    public var attempts: Int

    /// Creates an answer.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - headers: The header fields.
    ///   - body: The content.
    ///   - url: Where the content came from.
    ///   - attempts: How many attempts it took.
    public init(status: Int, headers: HTTPFields = HTTPFields(), body: Data = Data(), url: URL, attempts: Int = 1) {
        self.status = status
        self.headers = headers
        self.body = body
        self.url = url
        self.attempts = attempts
    }
}

/// Header fields by name; upper and lower case are the same (RFC 9110 §5.1).
public struct HTTPFields: Sendable, Hashable, Codable, ExpressibleByDictionaryLiteral {
    /// The values by lower-case name.
    public private(set) var fields: [String: String] = [:]

    /// Creates header fields.
    ///
    /// - Parameter fields: The values by name.
    public init(_ fields: [String: String] = [:]) {
        for (name, value) in fields { self[name] = value }
    }

    /// Creates header fields; of a repeated name the last value counts.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { self[name] = value }
    }

    /// The value of a field.
    ///
    /// - Parameter name: The name, in any case.
    public subscript(name: String) -> String? {
        get { fields[name.lowercased()] }
        set { fields[name.lowercased()] = newValue }
    }

    /// The elements of a field that is a comma-separated list, trimmed.
    ///
    /// - Parameter name: The name, in any case.
    /// - Returns: The elements; none for a missing field. A comma inside a quoted string does not separate.
    public func list(_ name: String) -> [String] {
        var elements: [String] = []
        var element = ""
        var isQuoted = false
        for character in self[name] ?? "" {
            if character == "\"" { isQuoted.toggle() }
            if character == ",", !isQuoted {
                elements.append(element)
                element = ""
            } else {
                element.append(character)
            }
        }
        return (elements + [element]).map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
}
