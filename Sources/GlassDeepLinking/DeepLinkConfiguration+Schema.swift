public import GlassSchema

extension DeepLinkConfiguration: ConfigurationSection {
    /// The keys of the section. The schemes and hosts of the app are in its property lists and on its sites, and so are
    /// the schemes of other apps that it may query.
    public static let keys: [ConfigurationKey<Self>] = [
        .init(
            "schemes", \.schemes, .set(of: .string(.scheme), count: 1...20), required: true,
            "The custom schemes of the app, without \"://\"."
        ).identifying(.app),
        .init(
            "universalLinks", \.universalLinks, .set(of: .string(.universalHost), count: 0...50),
            "The https hosts whose links the app opens. \"*.walmart.ca\" stands for all hosts below walmart.ca."
        ).identifying(.app),
        .init(
            "browser", \.browser, .set(of: .string(.browserPath), count: 0...200),
            "The paths whose https links stay in the browser. \"help/*\" stands for help and everything below it."
        ).varying(.build),
        .init(
            "allowedDomains", \.allowedDomains, .list(of: AllowedDomain.valueType, count: 0...200),
            "The domains whose links may open outside the app."),
        .init(
            "outboundSchemes", \.outboundSchemes, .set(of: .string(.outboundScheme), count: 0...50),
            sense: .higherIsLooser,
            "The schemes of other apps whose links the app may open, such as \"tel\"."
        ).varying(.build),
        .init(
            "queryParameters", \.queryParameters, .list(of: TrackedQueryParameter.valueType, count: 0...200),
            "Query items that are tracked if a routed link contains them."),
        .init(
            "linkParameters", \.linkParameters, .set(of: .string(.nonEmpty), count: 0...50),
            "Parameters and query items whose values are links, which must also pass the gate."),
    ]

    /// A domain may be listed only once, and an event may be tracked only once per value.
    public static let rules: [ConfigurationRule<Self>] = [
        .init(reads: ["allowedDomains"]) { links in
            Inconsistency.repeated(in: links.allowedDomains, "allowedDomains", at: "name", by: \.name) {
                "\"\($0.name)\""
            }
        },
        .init(reads: ["queryParameters"]) { links in
            Inconsistency.repeated(
                in: links.queryParameters, "queryParameters", at: "value", by: { [$0.value, $0.eventName] }
            ) { "\"\($0.eventName)\" for \"\($0.value)\"" }
        },
    ]

    /// Creates a configuration that claims no link.
    public init() {
        self.init(schemes: [])
    }
}

extension StringFormat {
    /// A ``BrowserPath``.
    static let browserPath = StringFormat(
        name: "browserPath",
        expectation: "a path of literal segments, with \"*\" at most as the last one, such as \"help/*\"",
        matches: BrowserPath.isValid
    ) { text in
        // A URL, the catch-all of a route, or a glob.
        let path = text.firstRange(of: "://").map { text[$0.upperBound...].drop { $0 != "/" } } ?? text[...]
        // A path without its query or file type would keep more links in the browser.
        guard !path.contains(where: { "?#".contains($0) }) else { return nil }
        var segments = path.split(separator: "/").map(String.init)
        if let last = segments.last, last.hasPrefix("*"), last.dropFirst().allSatisfy({ $0 == "*" || $0.isLetter }) {
            segments[segments.count - 1] = "*"
        }
        return segments.joined(separator: "/")
    }
}

extension DeepLinkConfiguration.AllowedDomain: ConfigurationSection {
    /// The keys of the section.
    public static let keys: [ConfigurationKey<Self>] = [
        .init("name", \.name, .string(.domain), required: true, "The domain."),
        .init("allowSubdomains", \.allowSubdomains, "Whether its subdomains may also open."),
    ]

    /// Creates an empty domain.
    public init() {
        self.init(name: "")
    }
}

extension DeepLinkConfiguration.TrackedQueryParameter: ConfigurationSection {
    /// The keys of the section.
    public static let keys: [ConfigurationKey<Self>] = [
        .init("value", \.value, .string(.nonEmpty), required: true, "The value that a query item must have."),
        .init("eventName", \.eventName, .string(.identifier), required: true, "The event that is tracked."),
        .init("qualifiesTracking", \.qualifiesTracking, "Whether the event is tracked."),
    ]

    /// Creates an empty parameter.
    public init() {
        self.init(value: "", eventName: "", qualifiesTracking: true)
    }
}
