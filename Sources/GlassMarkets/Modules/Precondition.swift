public import GlassContainer

/// A named condition that links wait for.
public struct Precondition: Sendable {
    /// The name, as `waitForPreconditions` writes it.
    public let name: String
    /// What is true when it holds, in one line.
    package let summary: String
    /// Whether it holds; nil for a precondition that the app satisfies and resets by name.
    private(set) var holds: (@Sendable (Container) -> Bool)?
    /// What `holds` takes from the container.
    let requires: [Any.Type]
    /// Where it was declared.
    let site: (file: StaticString, line: UInt)

    /// Describes a precondition.
    ///
    /// - Parameters:
    ///   - name: The name: letters and digits, the first one a letter.
    ///   - requires: The services and sections that `holds` takes from the container, as with a ``Service``.
    ///   - summary: What is true when it holds, in one line.
    ///   - holds: Whether it holds, from the market's container. It is called when a link arrives and when waiting links
    ///     are checked. Without it the precondition is unmet until the app satisfies it.
    ///   - file: Where it is declared, for messages.
    ///   - line: The line.
    public init(
        _ name: String, requires: [Any.Type] = [], _ summary: String,
        file: StaticString = #fileID, line: UInt = #line,
        holds: (@Sendable (Container) -> Bool)? = nil
    ) {
        self.name = name
        self.summary = summary
        self.holds = holds
        self.requires = requires
        site = (file, line)
    }

    /// The same, but for the app to satisfy and reset.
    var setByApp: Precondition {
        var result = self
        result.holds = nil
        return result
    }
}
