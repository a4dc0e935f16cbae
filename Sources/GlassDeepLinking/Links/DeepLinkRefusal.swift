import GlassBase

/// The rules of the gate. The raw values are stable names that scripts and logs may rely on.
public enum DeepLinkRule: String, Sendable, CaseIterable {
    /// Text that isn't a link: it has no scheme, or it is a web link without `//` and host.
    case malformed
    /// A link that is longer, is deeper, or has more query items than ``DeepLinkLimits`` allows.
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
    /// A character that is invalid in host names.
    case hostCharacter
    /// A host label that is empty, is longer than 63 characters, or begins or ends with a hyphen; or a host of more
    /// than 253 characters.
    case hostLabel
    /// A host label that starts with `xn--` but isn't the ASCII form of a name.
    case invalidPunycode
    /// A network address instead of a host name.
    case addressHost
    /// A port other than the scheme's default.
    case port
    /// A `%` that isn't followed by two hexadecimal digits.
    case invalidEscape
    /// Bytes that are not UTF-8, raw or escaped.
    case invalidUTF8
    /// A segment `.` or `..`, raw or escaped.
    case dotSegment
    /// Two slashes with nothing between them.
    case emptySegment
    /// A nested link, in a parameter declared as a link, that must not be opened, or links that are nested too deeply.
    case nestedLink
    /// `http` although the market expects `https`.
    case cleartext
    /// A universal link that the market keeps in the browser (``DeepLinkConfiguration/browser``).
    case browser
    /// In a link that leaves the app, something that triggers an action in another app, such as a phone's service code
    /// or an attached file.
    case sideEffect
}

/// The reason that the gate refused a link.
///
/// ```swift
/// do {
///     _ = try DeepLink("https://www.walmart.com@evil.com/account")
/// } catch {
///     print(error.rule)  // userinfo
/// }
/// ```
public struct DeepLinkRefusal: Error, Equatable, Sendable, CustomStringConvertible {
    /// The rule that the link violates.
    public let rule: DeepLinkRule

    /// The offending part, truncated to 60 characters, with control characters written as `\u{9}`.
    public let part: String

    /// The start of the part, in bytes of the link as written.
    public let offset: Int

    /// Creates a refusal.
    package init(rule: DeepLinkRule, part: String, offset: Int) {
        self.rule = rule
        self.part = DeepLinkRefusal.printable(part)
        self.offset = offset
    }

    /// The refusal of a link with too many bytes.
    static func tooLong(_ count: Int, _ limits: DeepLinkLimits) -> DeepLinkRefusal {
        DeepLinkRefusal(
            rule: .oversize, part: "\(count) bytes, but the limit is \(limits.length)", offset: limits.length)
    }

    /// A description of the problem and its fix.
    public var explanation: String {
        switch rule {
        case .malformed: "\"\(part)\" is not a link; write scheme://path or https://host/path"
        case .oversize: "the link has \(part); shorten it"
        case .controlCharacter: "the link contains the control character \(part); remove it"
        case .whitespace: "the link contains a space; write it as %20"
        case .backslash: "the link contains a backslash, which parsers interpret differently; write it as %5C"
        case .userinfo: "user information \"\(part)\" precedes the host; remove it"
        case .hostEscape: "the host \"\(part)\" contains a percent escape; write it without"
        case .nonASCIIHost: "the host \"\(part)\" contains characters outside ASCII; write its xn-- form"
        case .hostCharacter: "the host \"\(part)\" contains a character that is invalid in host names; remove it"
        case .hostLabel:
            "the host \"\(part)\" has a label that is empty, too long, or begins or ends with a hyphen; write a host name"
        case .invalidPunycode:
            "the host \"\(part)\" has an xn-- label that does not encode a name; use the name's own xn-- form"
        case .addressHost: "the host \"\(part)\" is a network address; write a host name"
        case .port: "the port \"\(part)\" is not the default port; remove it"
        case .invalidEscape: "\"\(part)\" is not a percent escape; write a percent sign as %25"
        case .invalidUTF8: "\"\(part)\" is not valid UTF-8; encode the text as UTF-8 before escaping it"
        case .dotSegment: "the path contains the dot segment \"\(part)\"; write the path without it"
        case .emptySegment: "the path \"\(part)\" contains an empty segment; remove the extra slash"
        case .nestedLink: "the nested link \"\(part)\" may not be opened; use one that this market accepts"
        case .cleartext: "\"\(part)\" is not encrypted; write https"
        case .browser: "the market keeps \"\(part)\" in the browser; open the link there"
        case .sideEffect: "\"\(part)\" triggers an action in the app that opens it; remove it"
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
