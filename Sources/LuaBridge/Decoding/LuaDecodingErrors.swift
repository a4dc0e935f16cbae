/// All that is wrong with a value, from ``LuaDecoder/decodeReportingAll(_:from:)``.
public struct LuaDecodingErrors: Error, Equatable, Sendable, CustomStringConvertible {
    /// The errors, each with its key path; at least one.
    public let errors: [LuaError]

    /// One error per line.
    public var description: String { errors.map(\.description).joined(separator: "\n") }
}

/// Notes errors while decoding goes on.
final class ErrorCollector {
    /// Thrown where decoding cannot go on; its reason is collected already.
    struct Stopped: Error {}

    private(set) var errors: [LuaError] = []

    func add(_ error: LuaError) {
        errors.append(error)
    }
}
