extension DeepLinkConfiguration {
    /// The refusal of the first nested link that must not be opened, in a parameter, a query item or the fragment.
    func nestedRefusal(in link: DeepLink, limits: DeepLinkLimits, depth: Int = 1) -> DeepLinkRefusal? {
        nestedRefusal(inParametersOf: link, limits: limits, depth: depth)
            ?? nestedRefusal(inQueryOf: link, limits: limits, depth: depth)
            ?? nestedRefusal(inFragmentOf: link, limits: limits, depth: depth)
    }

    /// The refusal of the first nested link in the path parameters of the matched route.
    func nestedRefusal(inParametersOf link: DeepLink, limits: DeepLinkLimits, depth: Int = 1) -> DeepLinkRefusal? {
        guard !linkParameters.isEmpty else { return nil }
        return firstRefusal(of: link.parameters.elements.map { ($0.name, $0.value) }, limits, depth)
    }

    private func nestedRefusal(
        inQueryOf link: DeepLink, limits: DeepLinkLimits, depth: Int
    ) -> DeepLinkRefusal? {
        guard !linkParameters.isEmpty else { return nil }
        return firstRefusal(of: link.queryItems.map { ($0.name, $0.value ?? "") }, limits, depth)
    }

    /// The handler interprets the fragment, and its purpose is unknown. So it is checked as a whole if it looks like a
    /// link, and as a query, the form that sign-in links use.
    private func nestedRefusal(
        inFragmentOf link: DeepLink, limits: DeepLinkLimits, depth: Int
    ) -> DeepLinkRefusal? {
        guard let fragment = link.fragment, !fragment.isEmpty else { return nil }
        if DeepLinkConfiguration.looksLikeLink(fragment), !mayOpen(fragment, limits, depth) {
            return DeepLinkRefusal(rule: .nestedLink, part: "#\(fragment)", offset: 0)
        }
        guard !linkParameters.isEmpty else { return nil }
        let items = fragment.split { $0 == "?" || $0 == "&" }.map {
            $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        }
        return firstRefusal(of: items.filter { $0.count == 2 }.map { ($0[0], $0[1]) }, limits, depth)
    }

    private func firstRefusal(
        of items: [(name: String, value: String)], _ limits: DeepLinkLimits, _ depth: Int
    ) -> DeepLinkRefusal? {
        let names = Set(linkParameters.map(DeepLinkConfiguration.plainName))
        for (name, value) in items where !value.isEmpty && names.contains(DeepLinkConfiguration.plainName(name)) {
            if !mayOpen(value, limits, depth) {
                return DeepLinkRefusal(rule: .nestedLink, part: "\(name)=\(value)", offset: 0)
            }
        }
        return nil
    }

    /// Whether a nested link passes the gate, belongs to this market or an allowed domain, and contains no nested link
    /// that must not be opened.
    private func mayOpen(_ text: String, _ limits: DeepLinkLimits, _ depth: Int) -> Bool {
        guard depth <= limits.nestedLinks else { return false }
        do {
            let nested = try DeepLink(text, limits: limits)
            let isKnown =
                nested.isWebLink
                ? nested.scheme == "https" && (isUniversal(host: nested.host) || isAllowed(host: nested.host))
                : hasScheme(nested.scheme)
            return isKnown && nestedRefusal(in: nested, limits: limits, depth: depth + 1) == nil
        } catch {
            return false
        }
    }

    /// The name of an item as servers and web forms interpret it: case-insensitive, and without list brackets.
    private static func plainName(_ name: String) -> String {
        var bytes = name.utf8.drop { $0 == UInt8(ascii: " ") }.prefix { $0 != UInt8(ascii: "[") }
        while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
        return Substring(bytes).lowercased()
    }

    /// Whether text begins like a link: with a scheme and a colon that isn't followed by a number, as in `step:2`, or
    /// with two slashes.
    private static func looksLikeLink(_ text: String) -> Bool {
        let bytes = Array(text.utf8).drop { $0 == UInt8(ascii: " ") }
        if bytes.starts(with: "//".utf8) { return true }
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), let first = bytes.first, ASCII.isLetter(first),
            bytes[..<colon].allSatisfy({ ASCII.isAlphanumeric($0) || "+-.".utf8.contains($0) })
        else { return false }
        return colon + 1 < bytes.endIndex && !ASCII.isDigit(bytes[colon + 1])
    }
}
