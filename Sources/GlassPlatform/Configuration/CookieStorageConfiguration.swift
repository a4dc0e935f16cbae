public import GlassSchema

/// The policy for accepting cookies. The names are Foundation's.
public enum CookieAcceptPolicy: String, ConfigurationChoice {
    /// All cookies.
    case always
    /// No cookies.
    case never
    /// Cookies of the main document's domain.
    case onlyFromMainDocumentDomain
}

/// The cookie storage and its initial cookies.
public struct CookieStorageConfiguration: ConfigurationSection {
    /// The policy for accepting cookies.
    public var acceptPolicy = CookieAcceptPolicy.onlyFromMainDocumentDomain
    /// The initial cookies.
    public var cookies: [Cookie] = []
    /// The app group whose extensions share the storage.
    public var sharedGroup: String?

    /// An initial cookie.
    public struct Cookie: ConfigurationSection {
        /// The cookie's name.
        public var name = ""
        /// The cookie's value.
        public var value = ""
        /// The domain that receives it; with a leading dot, also its subdomains.
        public var domain = ""
        /// The path below which it is sent.
        public var path = "/"
        /// Whether it is sent only over https.
        public var secure = true
        /// The lifetime in seconds. Without one, the cookie ends with the session.
        public var lifetimeSeconds: Int?

        /// The keys of the section.
        public static let keys: [ConfigurationKey<Self>] = [
            .init("name", \.name, .string(.headerName), required: true, "The cookie's name.").role(.cookieName),
            .init("value", \.value, .string(.headerValue), required: true, "The cookie's value.").role(.cookieValue),
            .init(
                "domain", \.domain, .string(.cookieDomain), required: true,
                "The domain that receives it; with a leading dot, also its subdomains."
            ).role(.cookieDomain),
            .init("path", \.path, .string(.absolutePath), "The path below which it is sent."),
            .init("secure", \.secure, "Whether it is sent only over https."),
            .init(
                "lifetimeSeconds", \.lifetimeSeconds, .integer(1...34_560_000),
                "Its lifetime; without one, the cookie ends with the session."),
        ]

        /// A cookie of a few seconds is gone before it matters. Its number is probably one of days.
        public static let rules: [ConfigurationRule<Self>] = [
            .init(reads: ["lifetimeSeconds"], severity: .warning, code: .numbersDisagree) { cookie in
                guard let lifetime = cookie.lifetimeSeconds, lifetime <= 400 else { return [] }
                return [
                    Inconsistency(
                        "lifetimeSeconds",
                        "a lifetime of \(lifetime == 1 ? "1 second looks like 1 day" : "\(lifetime) seconds looks like \(lifetime) days")",
                        hint: "write \(lifetime * 86_400), or remove it for a session cookie")
                ]
            }
        ]

        /// Creates an empty cookie.
        public init() {}
    }

    /// The keys of the section.
    public static let keys: [ConfigurationKey<Self>] = [
        .init("acceptPolicy", \.acceptPolicy, "The policy for accepting cookies.").role(.cookiePolicy),
        // Foundation's storage compares each new cookie with every stored one, so the time is quadratic.
        .init(
            "cookies", \.cookies, .list(of: Cookie.valueType, count: 0...200),
            "The initial cookies."
        ).role(.cookies),
        .init(
            "sharedGroup", \.sharedGroup, .string(.nonEmpty), appliesOn: .apple,
            "The app group whose extensions share the storage."
        ).identifying(.appGroup),
    ]

    /// A storage holds one cookie per name, domain, and path (RFC 6265 §5.3), so the first of two would be lost.
    public static let rules: [ConfigurationRule<Self>] = [
        .init(reads: ["cookies"]) { storage in
            Inconsistency.repeated(in: storage.cookies, "cookies", at: "name", by: { [$0.name, $0.domain, $0.path] }) {
                "cookie \"\($0.name)\" of \($0.domain)"
            }
        }
    ]

    /// Creates the configuration with every default.
    public init() {}
}

extension StringFormat {
    /// A host name, optionally with a leading dot to include its subdomains (RFC 6265 §5.2.3).
    static let cookieDomain = StringFormat(
        name: "cookieDomain", expectation: "a lowercase domain, such as \".walmart.ca\"",
        matches: { StringFormat.host.matches($0.hasPrefix(".") ? String($0.dropFirst()) : $0) }
    ) { text in
        HostSpelling(text).map { $0.hasWildcard || text.hasPrefix(".") ? ".\($0.host)" : $0.host }
    }
}
