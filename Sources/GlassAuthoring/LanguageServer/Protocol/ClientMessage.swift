import GlassBase

/// A message from the client, classified as in JSON-RPC 2.0.
enum ClientMessage {
    /// A message that requires a response.
    case request(RequestID, method: String, parameters: StrictJSON)
    /// A message that requires no response.
    case notification(method: String, parameters: StrictJSON)
    /// A response; the server's own requests ignore their results.
    case response

    /// Parses a message body.
    init(reading body: [UInt8]) throws(ResponseError) {
        // A parsed value takes many times the memory of its text: 16 MB of `[[0],[0],…` would take 500 MB.
        guard !Self.hasManyValues(body) else {
            throw ResponseError(.invalidRequest, "a message may have at most \(Self.maximumValues.grouped) values")
        }
        let json: StrictJSON
        do throws(StrictJSONError) {
            json = try StrictJSON(reading: body, limit: MessageSplitter.maximumMessageLength, numbers: .all)
        } catch {
            throw ResponseError(.parseError, "the message is not valid JSON: \(error)")
        }
        guard json.members != nil else { throw ResponseError(.invalidRequest, "a message must be an object") }
        let parameters = json["params"] ?? .null
        guard let name = json["method"] else {
            guard json["id"] != nil, json["result"] != nil || json["error"] != nil else {
                throw ResponseError(.invalidRequest, "the message has no method")
            }
            self = .response
            return
        }
        guard let method = name.stringValue else { throw ResponseError(.invalidRequest, "the method is not a string") }
        guard let value = json["id"] else {
            self = .notification(method: method, parameters: parameters)
            return
        }
        guard let id = RequestID(value) else {
            throw ResponseError(.invalidRequest, "the id is neither an integer nor a string")
        }
        self = .request(id, method: method, parameters: parameters)
    }

    /// The maximum number of values in a message: ten times what a checkout of 20,000 files sends.
    static let maximumValues = 1_000_000

    /// Whether a body has more values than allowed. The body need not be valid JSON.
    private static func hasManyValues(_ body: [UInt8]) -> Bool {
        guard body.count > maximumValues else { return false }
        var (values, isInText, isEscaped) = (0, false, false)
        for byte in body {
            if isInText {
                isInText = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            } else {
                switch byte {
                case UInt8(ascii: "\""): isInText = true
                case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "{"): values += 1
                default: continue
                }
            }
        }
        return values > maximumValues
    }
}

/// The id that a request shares with its response.
enum RequestID: Hashable, Sendable {
    case number(StrictJSON.Integer)
    case text(String)

    /// Parses an id; nil if the value isn't valid as one.
    init?(_ json: StrictJSON) {
        switch json {
        case .integer(let number): self = .number(number)
        case .string(let text): self = .text(text)
        default: return nil
        }
    }

    var json: StrictJSON {
        switch self {
        case .number(let number): .integer(number)
        case .text(let text): .string(text)
        }
    }
}

/// An error response.
struct ResponseError: Error, Equatable {
    /// The error codes of JSON-RPC and of the Language Server Protocol.
    enum Code: Int {
        case parseError = -32700
        case invalidRequest = -32600
        case methodNotFound = -32601
        case invalidParams = -32602
        case internalError = -32603
        case serverNotInitialized = -32002
        case requestCancelled = -32800
        case requestFailed = -32803
    }

    let code: Code
    let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The error for a message that exceeds the maximum length.
    static func tooLong(_ length: Int) -> ResponseError {
        let most = MessageSplitter.maximumMessageLength.formattedBytes
        return ResponseError(.invalidRequest, "a message of \(length.formattedBytes) is longer than \(most)")
    }

    /// The response to a request; without an id for a malformed message.
    func response(to id: RequestID?) -> StrictJSON {
        .record([
            "jsonrpc": .string("2.0"), "id": id?.json ?? .null,
            "error": .record(["code": .number(code.rawValue), "message": .string(message)]),
        ])
    }
}
