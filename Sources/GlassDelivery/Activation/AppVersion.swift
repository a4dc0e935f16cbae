/// The version of an app: numbers separated by dots, such as `24.2`.
package struct AppVersion: Sendable, Hashable, CustomStringConvertible {
    /// The numbers between the dots.
    package let components: [Int]

    /// Parses a version of one to four numbers. Returns `nil` for any other text.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil }
        guard (1...4).contains(parts.count), numbers.count == parts.count else { return nil }
        components = numbers
    }

    /// The numbers, separated by dots.
    package var description: String {
        // `map` and `joined` would instantiate generic types that the runtime has to look up during the first load.
        var text = ""
        for component in components { text += text.isEmpty ? "\(component)" : ".\(component)" }
        return text
    }

    /// Whether this version equals `minimum` or is later. `24.2.0` and `24.2` are equal.
    package func isAtLeast(_ minimum: AppVersion) -> Bool {
        !padded(4).lexicographicallyPrecedes(minimum.padded(4))
    }

    /// Whether this version equals `maximum`, is earlier, or is a part of it: `25` covers `25.3`.
    package func isAtMost(_ maximum: AppVersion) -> Bool {
        let count = maximum.components.count
        return !maximum.components.lexicographicallyPrecedes(padded(4).prefix(count))
    }

    private func padded(_ count: Int) -> [Int] {
        components + Array(repeating: 0, count: max(0, count - components.count))
    }
}
