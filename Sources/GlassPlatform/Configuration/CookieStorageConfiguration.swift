public import GlassSchema

/// Whose cookies are taken; the names are Foundation's.
public enum CookieAcceptPolicy: String, ConfigurationChoice {
    /// All cookies.
    case always
    /// No cookies.
    case never
    /// Cookies of the main document's domain.
    case onlyFromMainDocumentDomain
}

/// The cookie storage and what it starts with.
public struct CookieStorageConfiguration: ConfigurationSection {
    /// Whose cookies are taken.
    public var acceptPolicy = CookieAcceptPolicy.onlyFromMainDocumentDomain
    /// The cookies that the storage starts with.
    public var cookies: [Cookie] = []
    /// The app group whose extensions share the storage.
    public var sharedGroup: String?

    /// A cookie that the storage starts with.
    public struct Cookie: ConfigurationSection {
        /// The cookie's name.
        public var name = ""
        /// The cookie's value.
        public var value = ""
        /// The domain that receives it; with a leading dot its subdomains too.
        public var domain = ""
        /// The path below which it is sent.
        public var path = "/"
        /// Whether it is sent over https only.
        public var secure = true
        /// How long it lives; a cookie without a lifetime ends with the session.
        public var lifetimeSeconds: Int?

        /// The keys of the section.
        public static let keys: [ConfigurationKey<Self>] = [
            .init("name", \.name, .string(.headerName), required: true, "The cookie's name."),
            .init("value", \.value, .string(.headerValue), required: true, "The cookie's value."),
            .init(
                "domain", \.domain, .string(.cookieDomain), required: true,
                "The domain that receives it; with a leading dot its subdomains too."),
            .init("path", \.path, .string(.absolutePath), "The path below which it is sent."),
            .init("secure", \.secure, "Whether it is sent over https only."),
            .init(
                "lifetimeSeconds", \.lifetimeSeconds, .integer(1...34_560_000),
                "How long it lives; a cookie without a lifetime ends with the session."),
        ]

        /// Creates a cookie to be filled in.
        public init() {}

        /// Creates the configuration.
        ///
        /// - Parameters:
        ///   - name: The cookie's name.
        ///   - value: The cookie's value.
        ///   - domain: The domain that receives it; with a leading dot its subdomains too.
        ///   - path: The path below which it is sent.
        ///   - secure: Whether it is sent over https only.
        ///   - lifetimeSeconds: How long it lives; a cookie without a lifetime ends with the session.
        public init(
            name: String, value: String, domain: String, path: String = "/", secure: Bool = true,
            lifetimeSeconds: Int? = nil
        ) {
            self.name = name
            self.value = value
            self.domain = domain
            self.path = path
            self.secure = secure
            self.lifetimeSeconds = lifetimeSeconds
        }
    }

    /// The keys of the section.
    public static let keys: [ConfigurationKey<Self>] = [
        .init("acceptPolicy", \.acceptPolicy, "Whose cookies are taken."),
        // Foundation's storages look at each cookie for each that they take.
        .init(
            "cookies", \.cookies, .list(of: Cookie.valueType, count: 0...200),
            "The cookies that the storage starts with."),
        .init(
            "sharedGroup", \.sharedGroup, .string(.nonEmpty), appliesOn: .apple,
            "The app group whose extensions share the storage."
        ).identifying(.appGroup),
    ]

    /// Creates the configuration with every default.
    public init() {}

    /// Creates the configuration.
    ///
    /// - Parameters:
    ///   - acceptPolicy: Whose cookies are taken.
    ///   - cookies: The cookies that the storage starts with.
    ///   - sharedGroup: The app group whose extensions share the storage.
    public init(
        acceptPolicy: CookieAcceptPolicy = .onlyFromMainDocumentDomain, cookies: [Cookie] = [],
        sharedGroup: String? = nil
    ) {
        self.acceptPolicy = acceptPolicy
        self.cookies = cookies
        self.sharedGroup = sharedGroup
    }

    /// A storage holds one cookie of a name, a domain and a path (RFC 6265 §5.3): of two, the first is lost.
    public func inconsistencies() -> [Inconsistency] {
        Inconsistency.repeated(in: cookies, "cookies", at: "name", by: { [$0.name, $0.domain, $0.path] }) {
            "cookie \"\($0.name)\" of \($0.domain)"
        }
    }
}

extension StringFormat {
    /// A host name, with a leading dot for its subdomains too (RFC 6265 §5.2.3).
    static let cookieDomain = StringFormat(
        name: "cookieDomain", expectation: "a lower-case domain, such as \".walmart.ca\""
    ) { text in
        StringFormat.host.matches(text.hasPrefix(".") ? String(text.dropFirst()) : text)
    }
}
