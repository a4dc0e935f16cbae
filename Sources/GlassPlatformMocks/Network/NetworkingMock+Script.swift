import Foundation
public import GlassMarkets
import GlassPlatform
public import GlassSchema

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A response that a test defines for some requests to a mock.
struct ScriptedResponse: Sendable {
    /// The method; `nil` matches any method.
    let method: String?
    /// The path below a service, or a URL. With a trailing `*`, it matches everything that starts with it.
    let target: String
    let result: Result<(status: Int, headers: [String: String], body: Data), URLError>
    /// The number of times that it is returned; `nil` is unlimited.
    var times: Int?

    private static let problems: [String: URLError.Code] = [
        "offline": .notConnectedToInternet, "timeout": .timedOut, "lost": .networkConnectionLost,
        "unknownHost": .cannotFindHost,
    ]

    /// Parses the arguments of `answer`.
    init(_ arguments: ScriptArguments) throws(ScriptArgumentError) {
        let name = try arguments.string(0, "method")
        guard name == "*" || NetworkRequest.Method(rawValue: name.uppercased()) != nil else {
            throw Self.wrong("method", "an HTTP method or \"*\"", name.quotedForMessage)
        }
        method = name == "*" ? nil : name.uppercased()
        target = try arguments.string(1, "target")
        let fields: [String: ScriptValue]
        switch arguments[2] {
        case .map(let map): fields = map
        case .integer(let status): fields = ["status": .integer(status)]
        default: throw Self.wrong("answer", "a status or a table", arguments[2].found)
        }
        let known = ["status", "headers", "body", "json", "problem", "times"]
        if let other = fields.keys.sorted().first(where: { !known.contains($0) }) {
            throw Self.wrong("answer", "the fields \(known.joined(separator: ", "))", other.quotedForMessage)
        }
        if let value = fields["times"] {
            guard case .integer(let count) = value, count > 0 else {
                throw Self.wrong("times", "1 or more", value.found)
            }
            times = count
        }
        if let value = fields["problem"] {
            guard case .string(let name) = value, let code = Self.problems[name] else {
                throw Self.wrong("problem", Self.problems.keys.sorted().joined(separator: ", "), value.found)
            }
            result = .failure(URLError(code))
            return
        }
        var status = 200
        if let value = fields["status"] {
            guard case .integer(let code) = value, (100...599).contains(code) else {
                throw Self.wrong("status", "100 to 599", value.found)
            }
            status = code
        }
        var headers = try Self.texts(fields["headers"])
        var body = Data()
        switch (fields["body"], fields["json"]) {
        case (.string(let text)?, nil): body = Data(text.utf8)
        case (nil, let value?):
            body = try Self.json(value)
            if HTTPFields(headers)["Content-Type"] == nil { headers["Content-Type"] = "application/json" }
        case (nil, nil): break
        case (let value?, _): throw Self.wrong("body", "a string, without json", value.found)
        }
        result = .success((status, headers, body))
    }

    /// Converts header fields.
    private static func texts(_ value: ScriptValue?) throws(ScriptArgumentError) -> [String: String] {
        switch value {
        case nil: return [:]
        case .map(let fields)?:
            var texts: [String: String] = [:]
            for (name, value) in fields {
                guard case .string(let text) = value else { throw wrong("headers.\(name)", "a string", value.found) }
                texts[name] = text
            }
            return texts
        case let other?: throw wrong("headers", "a table of strings", other.found)
        }
    }

    /// Encodes a script's value as JSON. An empty table becomes an object.
    private static func json(_ value: ScriptValue) throws(ScriptArgumentError) -> Data {
        do {
            return try JSONEncoder().encode(value)
        } catch EncodingError.invalidValue(let object as String, _) {
            throw wrong("json", "strings, numbers, booleans and tables", object)
        } catch {
            throw wrong("json", "a value that JSON can represent", value.found)
        }
    }

    private static func wrong(_ parameter: String, _ expected: String, _ found: String) -> ScriptArgumentError {
        ScriptArgumentError(method: "answer", parameter: parameter, expected: expected, found: found)
    }

    /// Whether the response applies to a request.
    func answers(_ request: NetworkRequest, url: URL?) -> Bool {
        guard method == nil || method == request.method.rawValue else { return false }
        var names = [url?.absoluteString].compactMap(\.self)
        if case .service(_, let path) = request.target { names += [path, "/" + path] }
        guard target.hasSuffix("*") else { return names.contains(target) }
        return names.contains { $0.hasPrefix(target.dropLast()) }
    }
}

extension NetworkingMock: ScriptedMock {
    /// The mock methods `answer` and `requests`.
    public var mockMethods: [ScriptMethod] {
        [
            ScriptMethod(
                "answer", ["method", "target", "answer"],
                "Answers requests with a status, or a table: status, headers, body or json, problem, times. "
                    + "The last match applies.",
                keeps: true
            ) { arguments in
                self.script(try ScriptedResponse(arguments))
                return .nil
            },
            ScriptMethod("requests", [], "The requests so far, each with method, target, service, headers and body.") {
                _ in
                .list(self.requests.map(\.scriptValue))
            },
        ]
    }
}

extension NetworkRequest {
    fileprivate var scriptValue: ScriptValue {
        var value: [String: ScriptValue] = [
            "method": .string(method.rawValue), "headers": .map(headers.mapValues { .string($0) }),
        ]
        switch target {
        case .service(let service, let path):
            value["target"] = .string(path)
            if let service { value["service"] = .string(service) }
        case .url(let url): value["target"] = .string(url.absoluteString)
        }
        if let body { value["body"] = .string(String(decoding: body, as: UTF8.self)) }
        return .map(value)
    }
}
