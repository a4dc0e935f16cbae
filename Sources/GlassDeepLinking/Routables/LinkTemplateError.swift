import GlassSchema

/// Why a text is no template, with the place for a caret.
public struct LinkTemplateError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The template as written.
    public let template: String

    /// Where the problem starts, in UTF-8 bytes of ``template``.
    public let offset: Int

    /// How many bytes it covers.
    public let length: Int

    /// What is wrong, and what to do about it.
    public let message: String

    /// The message with the template.
    public var description: String {
        "template \(template.quotedForMessage): \(message)"
    }
}
