import GlassSchema

/// Why a text is no template, with the place for a caret.
package struct LinkTemplateError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The template as written.
    package let template: String

    /// Where the problem starts, in UTF-8 bytes of ``template``.
    package let offset: Int

    /// How many bytes it covers.
    package let length: Int

    /// What is wrong, and what to do about it.
    package let message: String

    /// The message with the template.
    package var description: String {
        "template \(template.quotedForMessage): \(message)"
    }
}
