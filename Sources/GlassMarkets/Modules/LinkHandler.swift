public import GlassContainer
public import GlassDeepLinking

/// A function of the app that markets name with `handler = "…"`.
///
/// ```swift
/// LinkHandler("openBadge", "Shows the badge.") { link, state, container in
///     state.show("badge", parameters: link.parameters.dictionary)
///     return true
/// }
/// ```
public struct LinkHandler: Sendable {
    /// Handles a link, given the navigation to change and the market's container; returns false to decline the link.
    public typealias Body = @Sendable (DeepLink, DeepLinkNavigationState, Container) throws -> Bool

    /// The name.
    public let name: String
    /// What it does, in one line.
    package let summary: String
    let body: Body
    /// What the body takes from the container.
    let requires: [Any.Type]
    /// Where it was declared.
    let site: (file: StaticString, line: UInt)

    /// Describes a handler.
    ///
    /// - Parameters:
    ///   - name: The name: letters and digits, the first one a letter.
    ///   - requires: The services and sections that the body takes from the container, as with a ``Service``.
    ///   - summary: What it does, in one line.
    ///   - file: Where it is declared, for messages.
    ///   - line: The line.
    ///   - body: Handles a link. An error makes the link's outcome `failed`.
    public init(
        _ name: String, requires: [Any.Type] = [], _ summary: String,
        file: StaticString = #fileID, line: UInt = #line, body: @escaping Body
    ) {
        self.name = name
        self.summary = summary
        self.body = body
        self.requires = requires
        site = (file, line)
    }
}
