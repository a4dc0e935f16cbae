import GlassBase

/// What a client sent, as JSON-RPC 2.0 tells messages apart.
enum ClientMessage {
    /// It wants an answer.
    case request(RequestID, method: String, parameters: StrictJSON)
    /// It tells something.
    case notification(method: String, parameters: StrictJSON)
    /// It answers; what this server asks needs none.
    case response

    /// Reads a body.
    init(reading body: [UInt8]) throws(ResponseError) {
        // A value takes many times its text: [[0],[0],… of 16 MB would become half a gigabyte.
        guard !Self.hasManyValues(body) else {
            throw ResponseError(.invalidRequest, "a message has no more than \(Self.maximumValues.grouped) values")
        }
        let json: StrictJSON
        do throws(StrictJSONError) {
            json = try StrictJSON(reading: body, limit: MessageSplitter.maximumMessageLength, numbers: .all)
        } catch {
            throw ResponseError(.parseError, "the message is no JSON: \(error)")
        }
        guard json.members != nil else { throw ResponseError(.invalidRequest, "a message is an object") }
        let parameters = json["params"] ?? .null
        guard let name = json["method"] else {
            guard json["id"] != nil, json["result"] != nil || json["error"] != nil else {
                throw ResponseError(.invalidRequest, "the message has no method")
            }
            self = .response
            return
        }
        guard let method = name.stringValue else { throw ResponseError(.invalidRequest, "the method is no text") }
        guard let value = json["id"] else {
            self = .notification(method: method, parameters: parameters)
            return
        }
        guard let id = RequestID(value) else {
            throw ResponseError(.invalidRequest, "the id is neither a whole number nor a text")
        }
        self = .request(id, method: method, parameters: parameters)
    }

    /// The most values of a message: ten times those of a checkout that writes 20,000 files.
    static let maximumValues = 1_000_000

    /// Whether a body has more values than are read, whether it is JSON or not.
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

/// What a request and its answer have in common.
enum RequestID: Hashable, Sendable {
    case number(StrictJSON.Integer)
    case text(String)

    /// Reads an id; nil for what can be none.
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

/// Why there is no result.
struct ResponseError: Error, Equatable {
    /// The codes of JSON-RPC and of the protocol.
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

    /// A message that was not kept.
    static func tooLong(_ length: Int) -> ResponseError {
        let most = MessageSplitter.maximumMessageLength.formattedBytes
        return ResponseError(.invalidRequest, "a message of \(length.formattedBytes) is longer than \(most)")
    }

    /// The answer to a request, or to what is no message.
    func response(to id: RequestID?) -> StrictJSON {
        .record([
            "jsonrpc": .string("2.0"), "id": id?.json ?? .null,
            "error": .record(["code": .number(code.rawValue), "message": .string(message)]),
        ])
    }
}
