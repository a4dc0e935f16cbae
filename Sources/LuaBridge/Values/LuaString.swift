/// A Lua string: any bytes, usually UTF-8 text.
///
/// Equality and hashing look at the bytes, as Lua does, not at Unicode equivalence.
///
/// ```swift
/// let name: LuaString = "Québec"
/// name.text   // "Québec"
/// name.count  // 7
/// LuaString(bytes: [0xff]).text  // nil
/// ```
public struct LuaString: Sendable, Hashable {
    private enum Storage: Sendable {
        case text(String)
        /// Bytes that are not UTF-8.
        case bytes([UInt8])
    }

    private let storage: Storage

    /// Creates a string from text.
    ///
    /// - Parameter text: The text; its UTF-8 bytes are what Lua sees.
    public init(_ text: String) {
        storage = .text(text)
    }

    /// Creates a string from bytes.
    ///
    /// - Parameter bytes: Any bytes.
    public init(bytes: [UInt8]) {
        self = bytes.withUnsafeBytes { LuaString($0) }
    }

    init(_ bytes: UnsafeRawBufferPointer) {
        if let text = String(validating: bytes, as: UTF8.self) {
            storage = .text(text)
        } else {
            storage = .bytes(Array(bytes))
        }
    }

    /// The text, or nil when the bytes are not UTF-8.
    public var text: String? {
        guard case .text(let text) = storage else { return nil }
        return text
    }

    /// The bytes.
    ///
    /// - Complexity: O(*n*): the bytes are copied.
    public var bytes: [UInt8] {
        switch storage {
        case .text(let text): return Array(text.utf8)
        case .bytes(let bytes): return bytes
        }
    }

    /// The number of bytes.
    public var count: Int {
        switch storage {
        case .text(let text): return text.utf8.count
        case .bytes(let bytes): return bytes.count
        }
    }

    func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
        switch storage {
        case .text(var text): text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
        case .bytes(let bytes): bytes.withUnsafeBytes(body)
        }
    }

    /// Says whether two strings have the same bytes.
    ///
    /// - Parameters:
    ///   - left: A string.
    ///   - right: Another string.
    /// - Returns: True when the bytes are the same.
    public static func == (left: LuaString, right: LuaString) -> Bool {
        switch (left.storage, right.storage) {
        case (.text(let left), .text(let right)): return equal(left, right)
        case (.bytes(let left), .bytes(let right)): return left == right
        default: return false
        }
    }

    /// Says whether the string has the bytes of the text.
    ///
    /// - Parameter text: Some text.
    /// - Returns: True when the bytes are the same.
    public func equals(_ text: String) -> Bool {
        guard case .text(let own) = storage else { return false }
        return Self.equal(own, text)
    }

    private static func equal(_ left: String, _ right: String) -> Bool {
        // Same bytes are always equal text, and that comparison is the fast one; equal text may differ in bytes.
        left == right && left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
    }

    /// Feeds the string to a hasher.
    ///
    /// - Parameter hasher: The hasher.
    public func hash(into hasher: inout Hasher) {
        switch storage {
        case .text(let text): hasher.combine(text)
        case .bytes(let bytes): hasher.combine(bytes)
        }
    }
}

extension LuaString: ExpressibleByStringLiteral {
    /// Creates a string from a literal.
    ///
    /// - Parameter value: The text.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension LuaString: CustomStringConvertible {
    /// The text, with U+FFFD where the bytes are not UTF-8.
    public var description: String {
        switch storage {
        case .text(let text): return text
        case .bytes(let bytes): return String(decoding: bytes, as: UTF8.self)
        }
    }
}
