import GlassSchema

/// The reason that text is not a valid template, with a position for a caret.
package struct LinkTemplateError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The template as written.
    package let template: String

    /// The start of the problem, in UTF-8 bytes of ``template``.
    package let offset: Int

    /// The length of the problem in bytes.
    package let length: Int

    /// A description of the problem and its fix.
    package let message: String

    /// The message with the template.
    package var description: String {
        "template \(template.quotedForMessage): \(message)"
    }
}
