/// All errors of a value, from ``LuaDecoder/decodeReportingAll(_:from:)``.
public struct LuaDecodingErrors: Error, Equatable, Sendable, CustomStringConvertible {
    /// The errors, each with its key path; at least one.
    public let errors: [LuaError]

    /// One error per line.
    public var description: String { errors.map(\.description).joined(separator: "\n") }
}

/// Collects errors while decoding continues.
final class ErrorCollector {
    /// Thrown if decoding cannot continue; its cause has already been collected.
    struct Stopped: Error {}

    private(set) var errors: [LuaError] = []

    func add(_ error: LuaError) {
        errors.append(error)
    }
}
