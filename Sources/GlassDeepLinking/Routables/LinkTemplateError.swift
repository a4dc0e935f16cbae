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

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - template: The template as written.
    ///   - offset: Where the problem starts, in bytes.
    ///   - length: How many bytes it covers.
    ///   - message: What is wrong, and what to do about it.
    package init(template: String, offset: Int, length: Int, message: String) {
        self.template = template
        self.offset = offset
        self.length = length
        self.message = message
    }

    /// The message with the template.
    public var description: String {
        "template \(template.quotedForMessage): \(message)"
    }
}
