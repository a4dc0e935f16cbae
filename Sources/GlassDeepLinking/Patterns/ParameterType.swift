/// The type of a parameter.
package enum ParameterType: Sendable, Equatable, CustomStringConvertible {
    /// A type with a name.
    case named(NamedParameterType)
    /// One of these words, ignoring ASCII case.
    case oneOf([String])

    /// The type with a name; nil for a list.
    package var named: NamedParameterType? { if case .named(let type) = self { type } else { nil } }

    /// The type as written in a pattern.
    package var description: String {
        switch self {
        case .named(let type): type.declaration.name
        case .oneOf(let words): words.joined(separator: "|")
        }
    }

    /// Whether a value belongs to the type.
    package func accepts(_ value: String) -> Bool {
        accepts(bytes: Array(value.utf8))
    }

    func accepts(bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer(accepts)
    }

    func accepts(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        switch self {
        case .named(let type): return type.accepts(bytes)
        case .oneOf(let words):
            return words.contains { word in
                word.utf8.count == bytes.count
                    && zip(word.utf8, bytes).allSatisfy { ASCII.lowercased($0) == ASCII.lowercased($1) }
            }
        }
    }

    /// A value that both types accept; nil if they share none. O(words).
    func sharedValue(with other: ParameterType) -> String? {
        switch (self, other) {
        case (.named(let type), .named(let other)): return type.sharedValue(with: other)
        case (.oneOf(let words), .named): return words.first { other.accepts($0) }
        case (.named, .oneOf(let words)): return words.first { accepts($0) }
        case (.oneOf(let words), .oneOf(let others)):
            let known = Set(others.map { $0.utf8.asciiFolded })
            return words.first { known.contains($0.utf8.asciiFolded) }
        }
    }
}
