public import GlassContainer

/// A named thing that must be true before a link that waits for it runs.
public struct Precondition: Sendable {
    /// The name, as `waitForPreconditions` writes it.
    public let name: String
    /// What it means that it holds, in one line.
    public let summary: String
    /// Says whether it holds; nil for one that the app satisfies and resets by name.
    let holds: (@Sendable (Container) -> Bool)?
    /// Where it was declared.
    let site: (file: StaticString, line: UInt)

    /// Describes a precondition.
    ///
    /// - Parameters:
    ///   - name: The name: letters and digits, the first one a letter.
    ///   - summary: What it means that it holds, in one line.
    ///   - holds: Says whether it holds, from the market's container. It is asked whenever a link comes or waiting links
    ///     are looked at. Without it the precondition is unmet until somebody satisfies it.
    ///   - file: Where it is declared, for messages.
    ///   - line: The line.
    public init(
        _ name: String, _ summary: String, file: StaticString = #fileID, line: UInt = #line,
        holds: (@Sendable (Container) -> Bool)? = nil
    ) {
        self.name = name
        self.summary = summary
        self.holds = holds
        site = (file, line)
    }
}
