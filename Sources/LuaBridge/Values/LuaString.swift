/// A Lua string: any bytes, usually UTF-8 text.
///
/// Equality and hashing use the bytes, as in Lua, not Unicode equivalence.
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
        // `String(validating:as:)` is generic in the library, which costs more than creating the string. This
        // initializer repairs invalid UTF-8, so a text that comes out unchanged was valid.
        let text = String(decoding: bytes, as: UTF8.self)
        if Self.isASCII(bytes) || text.utf8.elementsEqual(bytes) {
            storage = .text(text)
        } else {
            storage = .bytes(Array(bytes))
        }
    }

    private static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let count = bytes.count
        guard let start = bytes.baseAddress, count > 0 else { return true }
        if count <= 16 {
            // Two overlapping words.
            if count >= 8 {
                let words =
                    start.loadUnaligned(as: UInt64.self)
                    | start.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
                return words & 0x8080_8080_8080_8080 == 0
            }
            return prefix(bytes) & 0x8080_8080_8080_8080 == 0
        }
        var offset = 0
        while bytes.count - offset >= 8 {
            if bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 {
                return false
            }
            offset += 8
        }
        while offset < bytes.count {
            if bytes[offset] >= 0x80 { return false }
            offset += 1
        }
        return true
    }

    /// The first bytes as a number. Two strings with different prefixes differ. Two strings of up to eight bytes with
    /// different lengths have different prefixes, unless one of them contains zeros.
    @inline(__always)
    static func prefix(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        let count = bytes.count
        guard let start = bytes.baseAddress, count > 0 else { return 0 }
        if count >= 8 { return start.loadUnaligned(as: UInt64.self) }
        // Two overlapping loads: which bytes are loaded twice depends only on the length.
        if count >= 4 {
            let low = UInt64(start.loadUnaligned(as: UInt32.self))
            return low | UInt64(start.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
                &<< UInt64(8 &* (count &- 4))
        }
        let low = UInt64(start.load(as: UInt8.self))
        let middle = UInt64(start.load(fromByteOffset: count &>> 1, as: UInt8.self)) &<< UInt64(8 &* (count &>> 1))
        return low | middle | UInt64(start.load(fromByteOffset: count &- 1, as: UInt8.self))
            &<< UInt64(8 &* (count &- 1))
    }

    /// Whether the bytes are UTF-8.
    var isText: Bool {
        if case .text = storage { true } else { false }
    }

    /// The text, or nil if the bytes are not UTF-8.
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

    /// Returns whether two strings have the same bytes.
    ///
    /// - Parameters:
    ///   - left: A string.
    ///   - right: Another string.
    /// - Returns: True if the bytes are the same.
    public static func == (left: LuaString, right: LuaString) -> Bool {
        switch (left.storage, right.storage) {
        case (.text(let left), .text(let right)): return equal(left, right)
        case (.bytes(let left), .bytes(let right)): return left == right
        default: return false
        }
    }

    /// Returns whether the string has the bytes of the text.
    package func equals(_ text: String) -> Bool {
        guard case .text(let own) = storage else { return false }
        return Self.equal(own, text)
    }

    private static func equal(_ left: String, _ right: String) -> Bool {
        // Not `left == right`, because equal strings may have different bytes.
        guard left.utf8.count == right.utf8.count else { return false }
        var left = left
        var right = right
        return left.withUTF8 { left in
            right.withUTF8 { right in
                let (left, right) = (UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
                var offset = 0
                while left.count - offset >= 8 {
                    let word = left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                    guard word == right.loadUnaligned(fromByteOffset: offset, as: UInt64.self) else { return false }
                    offset += 8
                }
                while offset < left.count {
                    guard left[offset] == right[offset] else { return false }
                    offset += 1
                }
                return true
            }
        }
    }

    /// Compares the bytes: negative if the string comes before the text.
    func compare(_ text: String) -> Int {
        var text = text
        return text.withUTF8 { right in
            var order = 0
            withBytes { left in
                for index in 0..<min(left.count, right.count) where left[index] != right[index] {
                    order = Int(left[index]) - Int(right[index])
                    return
                }
                order = left.count - right.count
            }
            return order
        }
    }

    /// Hashes the string.
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
