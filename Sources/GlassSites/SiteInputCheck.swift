import GlassDeepLinking

/// Validates the input before any file is generated.
enum SiteInputCheck {
    static func lowercased(_ text: String) -> String {
        String(decoding: text.utf8.asciiFolded, as: UTF8.self)
    }

    /// A digest as 32 pairs of uppercase digits with colons; `nil` if the text is not a digest.
    static func digest(_ text: String) -> String? {
        let digits = text.utf8.filter { $0 != UInt8(ascii: ":") }
        guard digits.count == 64, digits.allSatisfy(ASCII.isHexDigit) else { return nil }
        let upper = digits.map { ASCII.isLetter($0) ? $0 & ~0x20 : $0 }
        return stride(from: 0, to: 64, by: 2).map { String(decoding: upper[$0..<$0 + 2], as: UTF8.self) }
            .joined(separator: ":")
    }

    static func issues(of input: SiteInput) -> [SiteFilesError.Issue] {
        var issues: [SiteFilesError.Issue] = []
        var ids: Set<String> = []
        for market in input.markets {
            if !ids.insert(market.id).inserted { issues.append(.duplicateMarket(market.id)) }
            issues += values(of: market)
        }
        issues += differences(input, key: "appInfo.android.certificateDigests", app: \.androidPackage) { app in
            app.certificateDigests.compactMap(digest).sorted()
        }
        issues += differences(input, key: "appInfo.teamIdentifier", app: \.bundleIdentifier) { app in
            app.teamIdentifier.isEmpty ? [] : [app.teamIdentifier]
        }
        return issues
    }

    private static func values(of market: SiteInput.Market) -> [SiteFilesError.Issue] {
        var issues: [SiteFilesError.Issue] = []
        func check(_ key: String, _ value: String, _ expected: String, _ isValid: Bool) {
            if !isValid { issues.append(.invalid(market: market.id, key: key, value: value, expected: expected)) }
        }
        func consists(_ text: String, _ others: String) -> Bool {
            text.utf8.allSatisfy { ASCII.isAlphanumeric($0) || others.utf8.contains($0) }
        }
        for host in market.universalHosts {
            let host = UniversalHost(host).fileHost
            let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            check(
                "deepLinking.universalLinks", host, "a host name such as \"www.walmart.com\"",
                consists(host, ".-") && labels.allSatisfy { !$0.isEmpty })
        }
        for path in market.browser {
            check("deepLinking.browser", path.text, "a path such as \"help/*\"", BrowserPath.isValid(path.text))
        }
        for scheme in market.schemes {
            let isLetterFirst = scheme.utf8.first.map(ASCII.isLetter) ?? false
            check(
                "deepLinking.schemes", scheme, "a scheme of letters, digits, \"+\", \"-\", and \".\"",
                isLetterFirst && consists(scheme, "+-."))
        }
        let app = market.app
        check("appInfo.teamIdentifier", app.teamIdentifier, "letters and digits", consists(app.teamIdentifier, ""))
        check(
            "appInfo.bundleIdentifier", app.bundleIdentifier, "letters, digits, \"-\", and \".\"",
            consists(app.bundleIdentifier, "-."))
        check(
            "appInfo.android.package", app.androidPackage, "letters, digits, \"_\", and \".\"",
            consists(app.androidPackage, "_."))
        for text in app.certificateDigests {
            check(
                "appInfo.android.certificateDigests", text, "32 pairs of hexadecimal digits (SHA-256)",
                digest(text) != nil)
        }
        return issues
    }

    /// The apps whose markets set different values. A market without a value is compatible with all.
    private static func differences(
        _ input: SiteInput, key: String, app: (SiteInput.App) -> String, value: (SiteInput.App) -> [String]
    ) -> [SiteFilesError.Issue] {
        var first: [String: (market: String, value: [String])] = [:]
        var issues: [SiteFilesError.Issue] = []
        for market in input.markets {
            let name = app(market.app)
            let own = value(market.app)
            guard !name.isEmpty, !own.isEmpty else { continue }
            if let known = first[name] {
                if known.value != own {
                    issues.append(.differs(app: name, key: key, markets: [known.market, market.id]))
                }
            } else {
                first[name] = (market.id, own)
            }
        }
        return issues
    }
}
