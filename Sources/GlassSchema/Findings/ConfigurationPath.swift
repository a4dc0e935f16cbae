/// The path from the root of a configuration to one of its values: `platform.networking.retry.statuses[2]`.
public struct ConfigurationPath: Sendable, Hashable {
    /// One step of a path.
    public enum Element: Sendable, Hashable {
        /// A key of a map.
        case key(String)
        /// An element of a list, counted from 1 as in Lua.
        case index(Int)
    }

    /// The steps, outermost first.
    public var elements: [Element]

    /// Creates a path from its steps.
    ///
    /// - Parameter elements: The steps, outermost first; empty for the root.
    public init(_ elements: [Element] = []) {
        self.elements = elements
    }

    /// Parses the written form, `a.b[2].c`.
    package init?(parsing text: String) {
        var elements: [Element] = []
        var rest = Substring(text)
        while !rest.isEmpty {
            if rest.hasPrefix("[\"") {
                guard let end = rest.dropFirst(2).firstIndex(of: "\"") else { return nil }
                elements.append(.key(String(rest[rest.index(rest.startIndex, offsetBy: 2)..<end])))
                rest = rest[rest.index(after: end)...]
                guard rest.first == "]" else { return nil }
                rest = rest.dropFirst()
            } else if rest.first == "[" {
                guard let end = rest.firstIndex(of: "]"), let index = Int(rest[rest.startIndex..<end].dropFirst())
                else {
                    return nil
                }
                elements.append(.index(index))
                rest = rest[rest.index(after: end)...]
            } else {
                let name = rest.prefix { $0 != "." && $0 != "[" }
                if name.isEmpty { return nil }
                elements.append(.key(String(name)))
                rest = rest.dropFirst(name.count)
            }
            if rest.first == "." {
                rest = rest.dropFirst()
                if rest.isEmpty { return nil }
            }
        }
        self.elements = elements
    }

    /// The last key of the path; nil if the path ends with a list index.
    package var lastKey: String? {
        if case .key(let key)? = elements.last { key } else { nil }
    }

    /// This path followed by a key.
    package func appending(_ key: String) -> ConfigurationPath {
        ConfigurationPath(elements + [.key(key)])
    }

    /// This path followed by a list index.
    package func appending(index: Int) -> ConfigurationPath {
        ConfigurationPath(elements + [.index(index)])
    }
}

extension ConfigurationPath: CustomStringConvertible {
    /// The written form: `a.b[2].c`; a key that is not a Lua name is quoted.
    public var description: String {
        var text = ""
        for element in elements {
            switch element {
            case .index(let index):
                text += "[\(index)]"
            case .key(let key) where key.followsDot:
                text += text.isEmpty ? key : ".\(key)"
            case .key(let key):
                text += "[\"\(key)\"]"
            }
        }
        return text
    }
}

extension ConfigurationPath: ExpressibleByStringLiteral {
    /// Creates a path from a literal. A literal that does not parse is a single key.
    ///
    /// - Parameter value: The written form.
    public init(stringLiteral value: String) {
        self = ConfigurationPath(parsing: value) ?? ConfigurationPath([.key(value)])
    }
}

extension String {
    /// Whether the text can follow a dot in Lua: letters, digits and underscores, not starting with a digit (manual
    /// §3.1). Keywords are not excluded, because they read well in a printed path.
    var followsDot: Bool {
        guard let first = utf8.first, !(0x30...0x39).contains(first) else { return false }
        return utf8.allSatisfy { byte in
            byte == 0x5F || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        }
    }
}
