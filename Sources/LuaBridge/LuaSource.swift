/// The text of a chunk, and its name for errors.
///
/// ```swift
/// let source = LuaSource("return { id = 'ca' }", chunkName: "markets/ca.lua")
/// ```
public struct LuaSource: Sendable, Equatable {
    /// The bytes of the text.
    public let bytes: [UInt8]
    /// The name that positions show; a file's path as the user knows it.
    public let chunkName: String

    /// Creates a source from bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the text.
    ///   - chunkName: The name that positions show. A zero character ends it.
    public init(bytes: [UInt8], chunkName: String) {
        self.bytes = bytes
        self.chunkName = chunkName
    }

    /// Creates a source from text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - chunkName: The name that positions show.
    public init(_ text: String, chunkName: String) {
        self.init(bytes: Array(text.utf8), chunkName: chunkName)
    }
}
