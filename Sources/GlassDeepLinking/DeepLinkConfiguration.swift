import GlassSchema

/// The links that a market accepts: its schemes, its universal hosts, and the domains that may open outside the app.
public struct DeepLinkConfiguration: Sendable, Equatable {
    /// A domain whose links may open outside the app if no route matches them.
    public struct AllowedDomain: Sendable, Equatable {
        /// The domain, such as `walmart.ca`.
        public var name: String

        /// Whether subdomains such as `help.walmart.ca` are also allowed. The boundary is a dot: `evilwalmart.ca` is
        /// never allowed.
        public var allowSubdomains: Bool

        /// Creates an allowed domain.
        ///
        /// - Parameters:
        ///   - name: The domain.
        ///   - allowSubdomains: Whether its subdomains are allowed too.
        public init(name: String, allowSubdomains: Bool = false) {
            self.name = name
            self.allowSubdomains = allowSubdomains
        }

        /// Whether a host belongs to the domain.
        package func contains(host: String) -> Bool {
            let name = name.utf8.asciiFolded
            if host.utf8.elementsEqual(name) { return true }
            guard allowSubdomains, host.utf8.count > name.count + 1 else { return false }
            let suffix = host.utf8.suffix(name.count + 1)
            return suffix.first == UInt8(ascii: ".") && suffix.dropFirst().elementsEqual(name)
        }
    }

    /// A query value that turns a routed link into an analytics event.
    ///
    /// If a routed link has an item whose *value* is ``value`` (`utm_medium=email`), and ``qualifiesTracking`` is true,
    /// all items of the link are tracked as ``eventName``, once regardless of how often the event's values occur.
    public struct TrackedQueryParameter: Sendable, Equatable {
        /// The value to look for, compared byte by byte.
        public var value: String

        /// The name of the event.
        public var eventName: String

        /// Whether the event is sent; `false` declares the value without tracking it.
        public var qualifiesTracking: Bool

        /// Creates a tracked parameter.
        ///
        /// - Parameters:
        ///   - value: The value to look for.
        ///   - eventName: The name of the event.
        ///   - qualifiesTracking: Whether the event is sent.
        public init(value: String, eventName: String, qualifiesTracking: Bool) {
            self.value = value
            self.eventName = eventName
            self.qualifiesTracking = qualifiesTracking
        }
    }

    /// The custom schemes, without `://`.
    public var schemes: [String]

    /// The https hosts whose links are app links: full names such as `www.walmart.ca`, or `*.walmart.ca` for all hosts
    /// below `walmart.ca`, which does not include `walmart.ca` itself.
    public var universalLinks: [String]

    /// The paths of the universal hosts whose links stay in the browser, although a route may match them: a path such
    /// as `store-finder`, or `help/*` for `help` and everything below it. The gate refuses such links, by the rule
    /// ``DeepLinkRule/browser``.
    public var browser: [String]

    /// The domains whose links may open outside the app.
    public var allowedDomains: [AllowedDomain]

    /// The schemes of other apps whose links the app may open, such as `tel`. The app never receives such links.
    public var outboundSchemes: [String]

    /// The default of ``outboundSchemes``: calls, mail, messages, maps, the App Store and the app's page in the system
    /// settings.
    public static let usualOutboundSchemes = ["tel", "mailto", "sms", "maps", "itms-apps", "app-settings"]

    /// The query values that are tracked.
    public var queryParameters: [TrackedQueryParameter]

    /// The names of path parameters and query items whose values are links: each must pass the gate and belong to this
    /// market or an allowed domain, or the whole link is refused. Case-insensitive; `url` also covers `url[]` and
    /// `url[0]`.
    public var linkParameters: [String]

    /// Whether every scheme that an app can claim belongs to the app: for a program whose links nobody else receives.
    package var acceptsEveryScheme = false

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - schemes: The custom schemes.
    ///   - universalLinks: The https hosts whose links are app links.
    ///   - browser: The paths of these hosts whose links stay in the browser.
    ///   - allowedDomains: The domains whose links may open outside the app.
    ///   - outboundSchemes: The schemes of other apps whose links the app may open.
    ///   - queryParameters: The query values that are tracked.
    ///   - linkParameters: The names of parameters and query items whose values are links.
    public init(
        schemes: [String] = [], universalLinks: [String] = [], browser: [String] = [],
        allowedDomains: [AllowedDomain] = [],
        outboundSchemes: [String] = Self.usualOutboundSchemes, queryParameters: [TrackedQueryParameter] = [],
        linkParameters: [String] = []
    ) {
        self.schemes = schemes
        self.universalLinks = universalLinks
        self.browser = browser
        self.allowedDomains = allowedDomains
        self.outboundSchemes = outboundSchemes
        self.queryParameters = queryParameters
        self.linkParameters = linkParameters
    }

    /// Whether a lowercase scheme belongs to the app.
    package func hasScheme(_ scheme: String) -> Bool {
        schemes.contains { scheme.utf8.elementsEqual($0.utf8.asciiFolded) }
            || acceptsEveryScheme && !outboundSchemes.contains(scheme) && StringFormat.scheme.matches(scheme)
    }

    /// Whether links of a lowercase host may leave the app.
    package func isAllowed(host: String) -> Bool {
        allowedDomains.contains { $0.contains(host: host) }
    }
}
