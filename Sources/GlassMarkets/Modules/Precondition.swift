public import GlassContainer

/// A named condition that links wait for.
public struct Precondition: Sendable {
    /// The name, as it is written in `waitForPreconditions`.
    public let name: String
    /// A one-line description of the condition.
    package let summary: String
    /// Whether it is satisfied; nil for a precondition that the app satisfies and resets by name.
    private(set) var holds: (@Sendable (Container) -> Bool)?
    /// The types that `holds` takes from the container.
    let requires: [Any.Type]
    /// The position of its declaration.
    let site: (file: StaticString, line: UInt)

    /// Creates a precondition.
    ///
    /// - Parameters:
    ///   - name: The name, which consists of letters and digits and starts with a letter.
    ///   - requires: The services and sections that `holds` takes from the container, as with a ``Service``.
    ///   - summary: A one-line description of the condition.
    ///   - holds: Whether it is satisfied, determined from the market's container. It is called when a link arrives and
    ///     when waiting links are checked. Without it, the precondition is unmet until the app satisfies it.
    ///   - file: The file of the declaration, for messages.
    ///   - line: The line of the declaration.
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

    /// The same precondition, to be satisfied and reset by the app.
    var setByApp: Precondition {
        var result = self
        result.holds = nil
        return result
    }
}
