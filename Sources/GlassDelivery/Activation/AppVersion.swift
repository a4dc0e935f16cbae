/// The version of an app, as numbers between dots: `24.2`.
package struct AppVersion: Sendable, Hashable, CustomStringConvertible {
    /// Its numbers.
    package let components: [Int]

    /// Reads a version.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil }
        guard (1...4).contains(parts.count), numbers.count == parts.count else { return nil }
        components = numbers
    }

    /// The numbers between dots.
    package var description: String {
        // `map` and `joined` would make types that the runtime has to look up in a first load.
        var text = ""
        for component in components { text += text.isEmpty ? "\(component)" : ".\(component)" }
        return text
    }

    /// Whether the version is this one or a later one. `24.2.0` and `24.2` are the same.
    package func isAtLeast(_ minimum: AppVersion) -> Bool {
        !padded(4).lexicographicallyPrecedes(minimum.padded(4))
    }

    /// Whether the version is this one, an earlier one or a part of it: `25` covers `25.3`.
    package func isAtMost(_ maximum: AppVersion) -> Bool {
        let count = maximum.components.count
        return !maximum.components.lexicographicallyPrecedes(padded(4).prefix(count))
    }

    private func padded(_ count: Int) -> [Int] {
        components + Array(repeating: 0, count: max(0, count - components.count))
    }
}
