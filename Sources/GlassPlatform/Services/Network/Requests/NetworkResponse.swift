public import Foundation

/// The response to a request.
public struct NetworkResponse: Sendable, Equatable {
    /// The status (RFC 9110 §15).
    public var status: Int
    /// The header fields.
    public var headers: HTTPFields
    /// The content.
    public var body: Data
    /// The URL of the content, after redirects and with its query.
    public var url: URL
    /// The number of attempts.
    public var attempts: Int

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - headers: The header fields.
    ///   - body: The content.
    ///   - url: The URL of the content.
    ///   - attempts: The number of attempts.
    public init(status: Int, headers: HTTPFields = HTTPFields(), body: Data = Data(), url: URL, attempts: Int = 1) {
        self.status = status
        self.headers = headers
        self.body = body
        self.url = url
        self.attempts = attempts
    }
}

/// Header fields by name. Names are case-insensitive (RFC 9110 §5.1).
public struct HTTPFields: Sendable, Hashable, Codable, ExpressibleByDictionaryLiteral {
    /// The values by lowercase name.
    public private(set) var fields: [String: String] = [:]

    /// Creates header fields.
    ///
    /// - Parameter fields: The values by name.
    public init(_ fields: [String: String] = [:]) {
        for (name, value) in fields { self[name] = value }
    }

    /// Creates header fields. The last value of a repeated name applies.
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

    /// The trimmed elements of a field that is a comma-separated list.
    ///
    /// - Parameter name: The name, in any case.
    /// - Returns: The elements; empty for a missing field. A comma inside a quoted string is not a separator.
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
