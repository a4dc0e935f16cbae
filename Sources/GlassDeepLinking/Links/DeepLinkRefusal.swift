import GlassBase

/// The rules of the gate. A raw value is a stable name that scripts and logs may rely on.
public enum DeepLinkRule: String, Sendable, CaseIterable {
    /// Not a link: no scheme, or a web link without `//` and host.
    case malformed
    /// Longer, deeper or with more query items than ``DeepLinkLimits`` allow.
    case oversize
    /// A control character, raw or escaped.
    case controlCharacter
    /// A raw space.
    case whitespace
    /// A raw backslash, which some parsers read as a slash.
    case backslash
    /// `user@` or `user:password@` before the host.
    case userinfo
    /// A percent escape in the host.
    case hostEscape
    /// A byte outside ASCII in the host.
    case nonASCIIHost
    /// A character in the host that no host name has.
    case hostCharacter
    /// A label of the host that is empty, longer than 63 characters, or begins or ends with a hyphen; or a host of more
    /// than 253 characters.
    case hostLabel
    /// A label of the host that starts with `xn--` and is no name's ASCII form.
    case invalidPunycode
    /// A network address instead of a host name.
    case addressHost
    /// A port other than the scheme's own.
    case port
    /// A `%` that two hexadecimal digits do not follow.
    case invalidEscape
    /// Bytes that are not UTF-8, raw or escaped.
    case invalidUTF8
    /// A segment `.` or `..`, raw or escaped.
    case dotSegment
    /// Two slashes with nothing between them.
    case emptySegment
    /// A nested link, in a parameter declared as a link, that may not be opened, or links nested too deep.
    case nestedLink
    /// `http` where the market expects `https`.
    case cleartext
    /// In a link that leaves the app: what makes the other program act by itself, such as a phone's service codes or a
    /// file to attach.
    case sideEffect
}

/// Why the gate refused a link.
///
/// ```swift
/// do {
///     _ = try DeepLink("https://www.walmart.com@evil.com/account")
/// } catch {
///     print(error.rule)  // userinfo
/// }
/// ```
public struct DeepLinkRefusal: Error, Equatable, Sendable, CustomStringConvertible {
    /// The rule that the link breaks.
    public let rule: DeepLinkRule

    /// The offending part: cut to 60 characters, with control characters written as `\u{9}`.
    public let part: String

    /// Where the part starts, in bytes of the link as written.
    public let offset: Int

    /// Creates a refusal.
    package init(rule: DeepLinkRule, part: String, offset: Int) {
        self.rule = rule
        self.part = DeepLinkRefusal.printable(part)
        self.offset = offset
    }

    /// What is wrong, and what to do about it.
    public var explanation: String {
        switch rule {
        case .malformed: "\"\(part)\" is not a link; write scheme://path or https://host/path"
        case .oversize: "the link has \(part); shorten it"
        case .controlCharacter: "the link contains the control character \(part); remove it"
        case .whitespace: "the link contains a space; write it as %20"
        case .backslash: "the link contains a backslash, which parsers read differently; write it as %5C"
        case .userinfo: "user information \"\(part)\" stands before the host; remove it"
        case .hostEscape: "the host \"\(part)\" contains a percent escape; write it without"
        case .nonASCIIHost: "the host \"\(part)\" contains characters outside ASCII; write its xn-- form"
        case .hostCharacter: "the host \"\(part)\" contains a character that no host has; remove it"
        case .hostLabel:
            "the host \"\(part)\" has a label that is empty, too long, or begins or ends with a hyphen; write a host name"
        case .invalidPunycode:
            "the host \"\(part)\" has an xn-- label that encodes no name; write the name's own xn-- form"
        case .addressHost: "the host \"\(part)\" is a network address; write a host name"
        case .port: "the port \"\(part)\" is not the scheme's own; leave it out"
        case .invalidEscape: "\"\(part)\" is not a percent escape; write a percent sign as %25"
        case .invalidUTF8: "\"\(part)\" is not valid UTF-8; write the text as UTF-8 and escape that"
        case .dotSegment: "the path contains the dot segment \"\(part)\"; write the path without it"
        case .emptySegment: "the path \"\(part)\" contains an empty segment; remove the extra slash"
        case .nestedLink: "the nested link \"\(part)\" may not be opened; use one that this market takes"
        case .cleartext: "\"\(part)\" is not encrypted; write https"
        case .sideEffect: "\"\(part)\" makes the program that opens it act by itself; remove it"
        }
    }

    /// The rule's name, the position and the ``explanation`` in one line.
    public var description: String {
        "link refused (\(rule.rawValue)) at byte \(offset): \(explanation)"
    }

    private static func printable(_ part: String) -> String {
        let scalars = part.unicodeScalars.prefix(61)
        return DisplayText(String(String.UnicodeScalarView(scalars.prefix(60)))).plain + (scalars.count > 60 ? "…" : "")
    }
}
