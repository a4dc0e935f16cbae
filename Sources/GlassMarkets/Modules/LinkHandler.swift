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
    /// A one-line description.
    package let summary: String
    let body: Body
    /// The types that the body takes from the container.
    let requires: [Any.Type]
    /// The position of its declaration.
    let site: (file: StaticString, line: UInt)

    /// Creates a handler.
    ///
    /// - Parameters:
    ///   - name: The name, which consists of letters and digits and starts with a letter.
    ///   - requires: The services and sections that the body takes from the container, as with a ``Service``.
    ///   - summary: A one-line description.
    ///   - file: The file of the declaration, for messages.
    ///   - line: The line of the declaration.
    ///   - body: Handles a link. If it throws an error, the link's outcome is `failed`.
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
