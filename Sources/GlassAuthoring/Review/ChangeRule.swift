package import GlassSchema

/// The rules of a review. The raw value is the name in output, policies, and documentation.
package enum ChangeRule: String, Sendable, Hashable, CaseIterable {
    case linkLost = "link.lost"
    case linkAdded = "link.added"
    case linkMoved = "link.moved"
    case linkParameters = "link.parameters"
    case linkParametersAdded = "link.parametersAdded"
    case linkWaits = "link.waits"
    case linkWaitsLess = "link.waitsLess"
    case schemeRemoved = "scheme.removed"
    case schemeAdded = "scheme.added"
    case hostRemoved = "host.removed"
    case hostAdded = "host.added"
    case browserAdded = "browser.added"
    case browserRemoved = "browser.removed"
    case domainRemoved = "domain.removed"
    case domainAdded = "domain.added"
    case marketRemoved = "market.removed"
    case marketAdded = "market.added"
    case routableOff = "routable.off"
    case routableOn = "routable.on"
    case keyRequired = "key.required"
    case keyUnset = "key.unset"
    case keySet = "key.set"
    case keyNarrowed = "key.narrowed"
    case keyWidened = "key.widened"
    case keyChanged = "key.changed"
    case preferenceType = "preference.type"
    case preferenceAdded = "preference.added"
    case identityChanged = "identity.changed"
    case siteLost = "site.lost"
    case siteAdded = "site.added"
    case secretAdded = "secret.added"
    case secretRemoved = "secret.removed"
    case secretRenamed = "secret.renamed"
    case permissionAdded = "permission.added"
    case permissionRemoved = "permission.removed"
    case locationRaised = "location.raised"
    case locationLowered = "location.lowered"
    case backgroundOn = "background.on"
    case backgroundOff = "background.off"
    case cookieAdded = "cookie.added"
    case cookieRemoved = "cookie.removed"
    case trackingAdded = "tracking.added"
    case trackingRemoved = "tracking.removed"
    case attributeAdded = "attribute.added"
    case attributeRemoved = "attribute.removed"
    case endpointAdded = "endpoint.added"
    case endpointRemoved = "endpoint.removed"
    case endpointChanged = "endpoint.changed"
    case endpointCleartext = "endpoint.cleartext"
    case endpointEncrypted = "endpoint.encrypted"
    case handleChanged = "handle.changed"
    case overrideSame = "override.same"
    case conditionChanged = "condition.changed"
    case overlayRemoved = "overlay.removed"
    case overlayAdded = "overlay.added"
    case flagRemoved = "flag.removed"
    case flagAdded = "flag.added"
    case flagType = "flag.type"
    case flagRebucketed = "flag.rebucketed"
    case flagMoved = "flag.moved"
    case flagDefault = "flag.default"
    case flagRule = "flag.rule"
    case flagExpiresEarlier = "flag.expiresEarlier"
    case flagExpiresLater = "flag.expiresLater"

    /// The rule that reports the opposite change.
    package enum Inverse: Sendable, Hashable {
        /// Another rule.
        case rule(ChangeRule)
        /// The same rule, because both directions are alike.
        case itself
        /// No rule, with the reason.
        case none(String)
    }

    /// The severity, unless the individual change or a policy overrides it.
    package var severity: Change.Severity { declaration.severity }

    /// The rule that reports the opposite change.
    package var mirror: Inverse { declaration.mirror }

    /// A summary in one sentence.
    package var summary: String { declaration.summary }

    private struct Declaration {
        let severity: Change.Severity
        let mirror: Inverse
        let summary: String

        init(_ severity: Change.Severity, _ mirror: Inverse, _ summary: String) {
            self.severity = severity
            self.mirror = mirror
            self.summary = summary
        }
    }

    private var declaration: Declaration {
        switch self {
        case .linkLost: Declaration(.breaking, .rule(.linkAdded), "A link that opened a screen now opens nothing.")
        case .linkAdded: Declaration(.note, .rule(.linkLost), "Links that opened nothing now open something.")
        case .linkMoved: Declaration(.breaking, .itself, "A link opens a different routable.")
        case .linkParameters:
            Declaration(
                .breaking, .rule(.linkParametersAdded),
                "A link opens the same routable with fewer parameters or a parameter of a narrower type.")
        case .linkParametersAdded:
            Declaration(
                .note, .rule(.linkParameters),
                "A link opens the same routable with more parameters or a parameter of a wider type.")
        case .linkWaits: Declaration(.risky, .rule(.linkWaitsLess), "Links wait for additional preconditions.")
        case .linkWaitsLess: Declaration(.note, .rule(.linkWaits), "Links wait for fewer preconditions.")
        case .schemeRemoved: Declaration(.breaking, .rule(.schemeAdded), "The app no longer handles a URL scheme.")
        case .schemeAdded: Declaration(.note, .rule(.schemeRemoved), "The app handles an additional URL scheme.")
        case .hostRemoved: Declaration(.breaking, .rule(.hostAdded), "The app no longer handles links to a web host.")
        case .hostAdded: Declaration(.note, .rule(.hostRemoved), "The app handles links to an additional web host.")
        case .browserAdded:
            Declaration(.breaking, .rule(.browserRemoved), "Links that opened the app now stay in the browser.")
        case .browserRemoved:
            Declaration(.note, .rule(.browserAdded), "Links that stayed in the browser open the app.")
        case .domainRemoved:
            Declaration(.breaking, .rule(.domainAdded), "Links to a domain no longer open outside the app.")
        case .domainAdded:
            Declaration(.note, .rule(.domainRemoved), "Links to an additional domain open outside the app.")
        case .marketRemoved: Declaration(.breaking, .rule(.marketAdded), "A market was removed.")
        case .marketAdded: Declaration(.note, .rule(.marketRemoved), "A market was added.")
        case .routableOff:
            Declaration(
                .breaking, .rule(.routableOn), "A routable was disabled or removed, along with all of its links.")
        case .routableOn: Declaration(.note, .rule(.routableOff), "A routable was enabled or added.")
        case .keyRequired:
            Declaration(
                .breaking, .none("a market that lacks a required key does not load, so it cannot be a base"),
                "A required key no longer has a value.")
        case .keyUnset: Declaration(.risky, .rule(.keySet), "A key no longer has a value.")
        case .keySet: Declaration(.note, .rule(.keyUnset), "A key that had no value now has one.")
        case .keyNarrowed:
            Declaration(
                .risky, .rule(.keyWidened),
                "A limit, timeout, or list of choices that affects users became more restrictive.")
        case .keyWidened:
            Declaration(
                .note, .rule(.keyNarrowed),
                "A limit, timeout, or list of choices that affects users became less restrictive.")
        case .keyChanged: Declaration(.note, .itself, "A key has a different value.")
        case .preferenceType:
            Declaration(
                .breaking, .rule(.preferenceAdded),
                "A stored preference was removed or has a different type; devices have its old values.")
        case .preferenceAdded: Declaration(.note, .rule(.preferenceType), "A stored preference was added.")
        case .identityChanged:
            Declaration(
                .breaking, .itself,
                "An identifier by which stores, devices, or websites recognize the app has changed.")
        case .siteLost: Declaration(.breaking, .rule(.siteAdded), "A site's association files no longer claim a path.")
        case .siteAdded: Declaration(.note, .rule(.siteLost), "A site's association files claim an additional path.")
        case .secretAdded:
            Declaration(.risky, .rule(.secretRemoved), "A secret was added; deploy it before this change.")
        case .secretRemoved: Declaration(.note, .rule(.secretAdded), "A secret is no longer needed.")
        case .secretRenamed:
            Declaration(.risky, .itself, "A secret was renamed; deploy it under its new name before this change.")
        case .permissionAdded:
            Declaration(.risky, .rule(.permissionRemoved), "Users are asked for an additional permission.")
        case .permissionRemoved:
            Declaration(.note, .rule(.permissionAdded), "Users are no longer asked for a permission.")
        case .locationRaised:
            Declaration(.risky, .rule(.locationLowered), "The app asks users for more access to their location.")
        case .locationLowered:
            Declaration(.note, .rule(.locationRaised), "The app asks users for less access to their location.")
        case .backgroundOn:
            Declaration(.risky, .rule(.backgroundOff), "The app uses the user's location in the background.")
        case .backgroundOff:
            Declaration(.note, .rule(.backgroundOn), "The app no longer uses the user's location in the background.")
        case .cookieAdded: Declaration(.risky, .rule(.cookieRemoved), "More cookies are set or accepted.")
        case .cookieRemoved: Declaration(.note, .rule(.cookieAdded), "Fewer cookies are set or accepted.")
        case .trackingAdded: Declaration(.risky, .rule(.trackingRemoved), "The app tracks more of what users do.")
        case .trackingRemoved: Declaration(.note, .rule(.trackingAdded), "The app tracks less of what users do.")
        case .attributeAdded:
            Declaration(
                .risky, .rule(.attributeRemoved), "Values can depend on an additional personal attribute of users.")
        case .attributeRemoved:
            Declaration(
                .note, .rule(.attributeAdded), "Values no longer depend on a personal attribute of users.")
        case .endpointAdded:
            Declaration(.risky, .rule(.endpointRemoved), "The app is given the URL of an additional host.")
        case .endpointRemoved:
            Declaration(.note, .rule(.endpointAdded), "The app is no longer given the URL of a host.")
        case .endpointChanged: Declaration(.risky, .itself, "A service uses a different host.")
        case .endpointCleartext:
            Declaration(.breaking, .rule(.endpointEncrypted), "A service is now contacted without encryption.")
        case .endpointEncrypted:
            Declaration(.note, .rule(.endpointCleartext), "A service is now contacted with encryption.")
        case .handleChanged: Declaration(.risky, .itself, "A function or a destination changed; the effect is unknown.")
        case .overrideSame:
            Declaration(
                .note, .none("an override that gets a different value is a change of its key"),
                "A market sets a key to the value that it would inherit anyway.")
        case .conditionChanged:
            Declaration(.risky, .itself, "A condition holds in different situations, so its values do too.")
        case .overlayRemoved:
            Declaration(
                .note, .rule(.overlayAdded),
                "An overlay was removed. Changes to its values are reported separately.")
        case .overlayAdded:
            Declaration(
                .note, .rule(.overlayRemoved),
                "An overlay was added. Changes to its values are reported separately.")
        case .flagRemoved:
            Declaration(.breaking, .rule(.flagAdded), "A flag was removed. Code that reads it uses its own default.")
        case .flagAdded: Declaration(.note, .rule(.flagRemoved), "A flag was added.")
        case .flagType:
            Declaration(
                .breaking, .itself, "A flag has values of a different type. Code that reads it uses its own default.")
        case .flagRebucketed:
            Declaration(
                .breaking, .itself,
                "The unit, the salt, or the vendor of a flag's shares changed, so everyone is re-bucketed.")
        case .flagMoved:
            Declaration(
                .risky, .itself,
                "The shares of a flag changed, so some people get a different value. "
                    + "It is a note if nobody loses anything."
            )
        case .flagDefault: Declaration(.risky, .itself, "A flag has a different value where no rule matches.")
        case .flagRule: Declaration(.risky, .itself, "A rule or a variant of a flag was added, removed, or changed.")
        case .flagExpiresEarlier:
            Declaration(.risky, .rule(.flagExpiresLater), "A flag expires earlier than before.")
        case .flagExpiresLater: Declaration(.note, .rule(.flagExpiresEarlier), "A flag expires later than before.")
        }
    }

    /// Whether it concerns what the app learns about users.
    package var concernsPrivacy: Bool {
        switch self {
        case .permissionAdded, .permissionRemoved, .locationRaised, .locationLowered, .backgroundOn, .backgroundOff,
            .cookieAdded, .cookieRemoved, .trackingAdded, .trackingRemoved, .attributeAdded, .attributeRemoved,
            .endpointAdded, .endpointRemoved:
            true
        default: false
        }
    }
}

extension Change {
    /// Creates a change that one of this host's rules found.
    package init(
        _ rule: ChangeRule, _ severity: Severity? = nil, market: String, path: ConfigurationPath? = nil,
        subject: String = "", values: [String] = [], _ summary: String, before: SourcePosition? = nil,
        after: SourcePosition? = nil, witness: String? = nil, recorded: SourcePosition? = nil
    ) {
        self.init(
            rule: rule.rawValue, severity: severity ?? rule.severity, market: market, path: path, subject: subject,
            values: values, summary, before: before, after: after, witness: witness, recorded: recorded)
    }
}
