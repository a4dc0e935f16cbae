@testable import GlassAuthoring

/// A change that a rule reports, and one that it must not report.
struct RuleFixture: Sendable {
    let rule: ChangeRule
    /// The text of the real `us.lua` that the other texts replace.
    let anchor: String
    let base: String
    let head: String
    /// A change that the rule does not report; `nil` if the reverse change serves as one.
    let harmless: String?

    init(_ rule: ChangeRule, _ anchor: String, _ base: String, _ head: String, harmless: String? = nil) {
        self.rule = rule
        self.anchor = anchor
        self.base = base
        self.head = head
        self.harmless = harmless
    }

    /// The same, for additional routables.
    private static func routables(
        _ rule: ChangeRule, _ base: String, _ head: String, harmless: String? = nil
    ) -> RuleFixture {
        let anchor = "home = {},"
        return RuleFixture(
            rule, anchor, "\(anchor)\n\(base)", "\(anchor)\n\(head)", harmless: harmless.map { "\(anchor)\n\($0)" })
    }

    private static let show = "show = { screen = \"promo\" }"

    static let all: [RuleFixture] = values + flags

    private static let values: [RuleFixture] = [
        routables(
            .linkLost, "promo = { paths = { \"promo\", \"sale\" }, \(show) },",
            "promo = { paths = { \"promo\" }, \(show) },"
        ),
        routables(
            .linkMoved,
            "one = { paths = { \"promo\", \"one\" }, \(show) }, two = { paths = { \"two\" }, \(show) },",
            "one = { paths = { \"one\" }, \(show) }, two = { paths = { \"two\", \"promo\" }, \(show) },",
            harmless:
                "one = { paths = { \"one\", \"promo\", \"more\" }, \(show) }, two = { paths = { \"two\" }, \(show) },"
        ),
        routables(
            .linkParameters, "promo = { paths = { \"promo/:kind(new|old)\" }, \(show) },",
            "promo = { paths = { \"promo/new\", \"promo/old\" }, \(show) },"),
        routables(
            .linkWaits, "promo = { paths = { \"promo\" }, waitForPreconditions = false, \(show) },",
            "promo = { paths = { \"promo\" }, waitForPreconditions = { \"signedIn\" }, \(show) },"),
        RuleFixture(
            .schemeRemoved, "schemes = { \"walmart\" },", "schemes = { \"walmart\", \"wm\" },",
            "schemes = { \"walmart\" },"),
        RuleFixture(
            .hostRemoved, "universalLinks = { \"www.walmart.com\" },",
            "universalLinks = { \"www.walmart.com\", \"go.walmart.com\" },",
            "universalLinks = { \"www.walmart.com\" },",
            harmless: "universalLinks = { \"*.walmart.com\" },"
        ),
        RuleFixture(
            .browserAdded, "browser = {},", "browser = {},", "browser = { \"account\" },"),
        RuleFixture(
            .domainRemoved, "{ name = \"walmartlabs.com\", allowSubdomains = false },",
            "{ name = \"walmartlabs.com\", allowSubdomains = false },", ""),
        RuleFixture(.routableOff, "pharmacy = {},", "pharmacy = {},", "pharmacy = false,"),
        RuleFixture(
            .keyUnset, "sharedGroup = \"group.com.walmart.electronics\",",
            "sharedGroup = \"group.com.walmart.electronics\",", ""),
        RuleFixture(.keyNarrowed, "maxRetries = 3,", "maxRetries = 3,", "maxRetries = 0,"),
        RuleFixture(
            .keyChanged, "currency = \"USD\",", "currency = \"USD\",", "currency = \"CAD\",",
            harmless: "currency = \"USD\", -- dollars"),
        RuleFixture(.preferenceType, "lastSearch = { type = \"string\" },", "lastSearch = { type = \"string\" },", ""),
        RuleFixture(
            .identityChanged, "bundleIdentifier = \"com.walmart.electronics\",",
            "bundleIdentifier = \"com.walmart.electronics\",", "bundleIdentifier = \"com.walmart.other\",",
            harmless: "bundleIdentifier = \"com.walmart.\" .. \"electronics\","),
        RuleFixture(
            .siteLost, "teamIdentifier = \"US7W4LMART\",", "teamIdentifier = \"US7W4LMART\",",
            "teamIdentifier = \"XX7W4LMART\",", harmless: "teamIdentifier = \"US7W4LMART\", -- ours"),
        RuleFixture(
            .secretAdded, "writeKey = secret \"GLASS_US_ANIVIA_WRITE_KEY\",", "",
            "writeKey = secret \"GLASS_US_ANIVIA_WRITE_KEY\","),
        RuleFixture(
            .secretRenamed, "writeKey = secret \"GLASS_US_ANIVIA_WRITE_KEY\",",
            "writeKey = secret \"GLASS_US_ANIVIA_WRITE_KEY\",", "writeKey = secret \"GLASS_US_OTHER_KEY\",",
            harmless: "writeKey = secret (\"GLASS_US_\" .. \"ANIVIA_WRITE_KEY\"),"),
        RuleFixture(
            .permissionAdded, "notificationOptions = { \"alert\", \"sound\", \"badge\" },",
            "notificationOptions = { \"alert\", \"sound\", \"badge\" },",
            "notificationOptions = { \"alert\", \"sound\", \"badge\", \"carPlay\" },"),
        RuleFixture(
            .locationRaised, "locationLevel = \"whenInUse\",", "locationLevel = \"whenInUse\",",
            "locationLevel = \"always\","),
        RuleFixture(
            .backgroundOn, "locationLevel = \"whenInUse\",\n      allowsBackgroundLocationUpdates = false,",
            "locationLevel = \"always\",\n      allowsBackgroundLocationUpdates = false,",
            "locationLevel = \"always\",\n      allowsBackgroundLocationUpdates = true,"),
        RuleFixture(
            .cookieAdded, "{ name = \"hasLocData\", value = \"0\", domain = \".walmart.com\" },", "",
            "{ name = \"hasLocData\", value = \"0\", domain = \".walmart.com\" },"),
        RuleFixture(.trackingAdded, "tracking = true,", "tracking = false,", "tracking = true,"),
        RuleFixture(
            .attributeAdded, "currency = \"USD\",", "currency = \"USD\",",
            "currency = \"USD\", attributes = { plan = { type = \"text\", personal = true } },",
            harmless: "currency = \"USD\", attributes = { plan = { type = \"text\" } },"),
        RuleFixture(
            .endpointAdded, "onboardingVersion = 4,", "onboardingVersion = 4,",
            "onboardingVersion = 4, partner = \"https://api.partner.com/v1\",",
            harmless: "onboardingVersion = 4, images = \"https://i5.walmartimages.com/2\","),
        RuleFixture(
            .endpointChanged, "media = \"https://i5.walmartimages.com\",", "media = \"https://i5.walmartimages.com\",",
            "media = \"https://i6.walmartimages.com\",", harmless: "media = \"https://i5.walmartimages.com/v2\","),
        RuleFixture(
            .endpointCleartext, "media = \"https://i5.walmartimages.com\",", "media = \"https://localhost\",",
            "media = \"http://localhost\","),
        routables(
            .handleChanged,
            "promo = { paths = { \"promo\" }, handle = function(link, state) state:show(\"a\") return true end },",
            "promo = { paths = { \"promo\" }, handle = function(link, state) state:show(\"b\") return true end },",
            harmless:
                "promo = { paths = { \"promo\" }, handle = function(link, state) -- shows it\n state:show(\"a\") return true end },"
        ),
    ]

    /// A flag with a share, above the real ones.
    private static func flag(
        _ rule: ChangeRule, _ base: String, _ head: String, harmless: String? = nil
    ) -> RuleFixture {
        func market(_ flag: String) -> String { "flags = { \(flag.isEmpty ? "" : flag + ",")" }
        return RuleFixture(rule, "flags = {", market(base), market(head), harmless: harmless.map(market))
    }

    private static func ramp(
        _ rollout: String, type value: String = "true", fallback: String = "false", expires: String = "2099-01-01",
        more: String = ""
    ) -> String {
        "a = { kind = \"release\", owner = \"x\", expires = \"\(expires)\", default = \(fallback), rules = { "
            + "{ name = \"ramp\", rollout = { \(rollout) }, value = \(value) }\(more) } }"
    }

    private static let tenth = "percent = 10, by = \"installID\""

    static let flags: [RuleFixture] = [
        flag(.flagRemoved, ramp(tenth), ""),
        flag(
            .flagType, ramp(tenth), ramp(tenth, type: "1", fallback: "0"), harmless: ramp(tenth, fallback: "true")),
        flag(
            .flagRebucketed, ramp(tenth), ramp(tenth + ", salt = \"b\""),
            harmless: ramp("percent = 20, by = \"installID\"")),
        flag(
            .flagMoved, ramp("percent = 20, by = \"installID\""), ramp(tenth),
            harmless: ramp("percent = 20, by = \"installID\", salt = \"b\"")),
        flag(.flagDefault, ramp(tenth), ramp(tenth, fallback: "true"), harmless: ramp(tenth + ", salt = \"b\"")),
        flag(
            .flagRule, ramp(tenth),
            ramp(tenth, more: ", { name = \"beta\", when = { build = \"beta\" }, value = true }"),
            harmless: ramp(tenth, fallback: "true")),
        flag(.flagExpiresEarlier, ramp(tenth), ramp(tenth, expires: "2098-12-31")),
    ]

    /// Rules whose fixtures need more than one text in one market.
    static let elsewhere: Set<ChangeRule> = [
        .marketRemoved, .marketAdded, .keyRequired, .overrideSame, .conditionChanged, .overlayRemoved,
    ]
}
