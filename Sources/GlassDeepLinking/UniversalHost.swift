/// An entry of ``DeepLinkConfiguration/universalLinks``: one host or, with a wildcard such as `*.walmart.ca`, all hosts
/// below another.
///
/// Both systems match one or more labels in place of the asterisk, and never the host behind it. See Apple's "Supporting
/// associated domains", and `android:host` in Android's "`<data>`"; Android would also accept an asterisk without a
/// dot, which would match `evilwalmart.ca`.
package struct UniversalHost: Sendable, Hashable {
    /// The entry as it is written.
    package let text: String

    /// Creates an entry, of which nothing is checked.
    package init(_ text: String) { self.text = text }

    /// Whether the entry is for all hosts below ``fileHost``.
    package var isWildcard: Bool { text.utf8.starts(with: "*.".utf8) }

    /// The host whose association files systems read for the links of this entry: for a wildcard, the one behind it.
    ///
    /// Apple's TN3155 has the file for `applinks:*.example.com` on `example.com`, and so has Android's "Verify Android
    /// App Links" for `*.example.com`.
    package var fileHost: String { isWildcard ? String(text.dropFirst("*.".count)) : text }

    /// A host that the entry covers, for links that are examples.
    package var example: String { isWildcard ? "any.\(fileHost)" : text }

    /// Whether the entry covers a lowercase host.
    ///
    /// Allocates nothing, since it is asked for each universal link.
    package func covers(_ host: String) -> Bool {
        guard isWildcard else { return host.utf8.elementsEqual(text.utf8.lazy.map(ASCII.lowercased)) }
        let end = text.utf8.dropFirst()
        guard host.utf8.count > end.count, host.utf8.first != UInt8(ascii: ".") else { return false }
        return host.utf8.suffix(end.count).elementsEqual(end.lazy.map(ASCII.lowercased))
    }

    /// The precedence among the entries that cover a host: systems prefer the host itself, and this package the longest
    /// wildcard after it.
    package var precedence: Int { isWildcard ? text.utf8.count : .max }
}

extension [String] {
    /// The first universal host that a link can be built with: a wildcard does not name one.
    package var firstHostWithoutWildcard: String? { first { !UniversalHost($0).isWildcard } }

    /// A host of these universal hosts, for links that are only examples.
    package var exampleHost: String? { firstHostWithoutWildcard ?? first.map { UniversalHost($0).example } }
}

extension DeepLinkConfiguration {
    /// Whether a lowercase host is one whose links the app opens.
    package func isUniversal(host: String) -> Bool {
        universalLinks.contains { UniversalHost($0).covers(host) }
    }

    /// The entry of ``universalLinks`` that covers a lowercase host: the host itself, or else the longest wildcard.
    package func universalHost(covering host: String) -> UniversalHost? {
        universalLinks.lazy.map(UniversalHost.init).filter { $0.covers(host) }
            .max { $0.precedence < $1.precedence }
    }
}
