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
    case endpointChanged = "endpoint.changed"
    case endpointCleartext = "endpoint.cleartext"
    case endpointEncrypted = "endpoint.encrypted"
    case handleChanged = "handle.changed"
    case overrideSame = "override.same"

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
    package var severity: Change.Severity {
        switch self {
        case .linkLost, .linkMoved, .linkParameters, .schemeRemoved, .hostRemoved, .domainRemoved, .marketRemoved,
            .keyRequired, .preferenceType, .identityChanged, .siteLost, .endpointCleartext:
            .breaking
        case .linkWaits, .routableOff, .keyUnset, .keyNarrowed, .secretAdded, .secretRenamed, .permissionAdded,
            .locationRaised, .backgroundOn, .cookieAdded, .trackingAdded, .endpointChanged, .handleChanged:
            .risky
        case .linkAdded, .linkParametersAdded, .linkWaitsLess, .schemeAdded, .hostAdded, .domainAdded, .marketAdded,
            .routableOn, .keySet, .keyWidened, .keyChanged, .preferenceAdded, .siteAdded, .secretRemoved,
            .permissionRemoved, .locationLowered, .backgroundOff, .cookieRemoved, .trackingRemoved, .endpointEncrypted,
            .overrideSame:
            .note
        }
    }

    /// The rule that reports the opposite change.
    package var mirror: Inverse {
        switch self {
        case .linkLost: .rule(.linkAdded)
        case .linkAdded: .rule(.linkLost)
        case .linkMoved, .identityChanged, .secretRenamed, .endpointChanged, .handleChanged, .keyChanged: .itself
        case .linkParameters: .rule(.linkParametersAdded)
        case .linkParametersAdded: .rule(.linkParameters)
        case .linkWaits: .rule(.linkWaitsLess)
        case .linkWaitsLess: .rule(.linkWaits)
        case .schemeRemoved: .rule(.schemeAdded)
        case .schemeAdded: .rule(.schemeRemoved)
        case .hostRemoved: .rule(.hostAdded)
        case .hostAdded: .rule(.hostRemoved)
        case .domainRemoved: .rule(.domainAdded)
        case .domainAdded: .rule(.domainRemoved)
        case .marketRemoved: .rule(.marketAdded)
        case .marketAdded: .rule(.marketRemoved)
        case .routableOff: .rule(.routableOn)
        case .routableOn: .rule(.routableOff)
        case .keyRequired: .none("a market that lacks a required key does not load, so it cannot be a base")
        case .keyUnset: .rule(.keySet)
        case .keySet: .rule(.keyUnset)
        case .keyNarrowed: .rule(.keyWidened)
        case .keyWidened: .rule(.keyNarrowed)
        case .preferenceType: .rule(.preferenceAdded)
        case .preferenceAdded: .rule(.preferenceType)
        case .siteLost: .rule(.siteAdded)
        case .siteAdded: .rule(.siteLost)
        case .secretAdded: .rule(.secretRemoved)
        case .secretRemoved: .rule(.secretAdded)
        case .permissionAdded: .rule(.permissionRemoved)
        case .permissionRemoved: .rule(.permissionAdded)
        case .locationRaised: .rule(.locationLowered)
        case .locationLowered: .rule(.locationRaised)
        case .backgroundOn: .rule(.backgroundOff)
        case .backgroundOff: .rule(.backgroundOn)
        case .cookieAdded: .rule(.cookieRemoved)
        case .cookieRemoved: .rule(.cookieAdded)
        case .trackingAdded: .rule(.trackingRemoved)
        case .trackingRemoved: .rule(.trackingAdded)
        case .endpointCleartext: .rule(.endpointEncrypted)
        case .endpointEncrypted: .rule(.endpointCleartext)
        case .overrideSame: .none("an override that gets a different value is a change of its key")
        }
    }

    /// A summary in one sentence.
    package var summary: String {
        switch self {
        case .linkLost: "A link that opened a screen now opens nothing."
        case .linkAdded: "Links that opened nothing now open something."
        case .linkMoved: "A link opens a different routable."
        case .linkParameters: "A link opens the same routable, with one parameter fewer or of a narrower type."
        case .linkParametersAdded: "A link opens the same routable, with one parameter more or of a wider type."
        case .linkWaits: "Links wait for an additional precondition."
        case .linkWaitsLess: "Links wait for one precondition fewer."
        case .schemeRemoved: "The app no longer handles links with a scheme."
        case .schemeAdded: "The app handles links with an additional scheme."
        case .hostRemoved: "The app no longer handles links of a web host."
        case .hostAdded: "The app handles links of an additional web host."
        case .domainRemoved: "Links of a domain are no longer opened outside the app."
        case .domainAdded: "Links of an additional domain are opened outside the app."
        case .marketRemoved: "A market was removed."
        case .marketAdded: "A market was added."
        case .routableOff: "A routable was disabled, with all its links."
        case .routableOn: "A routable was enabled or added."
        case .keyRequired: "A required key no longer has a value."
        case .keyUnset: "A key no longer has a value."
        case .keySet: "A key that had no value now has one."
        case .keyNarrowed: "A limit, timeout, or list of choices that affects users became narrower."
        case .keyWidened: "A limit, timeout, or list of choices that affects users became wider."
        case .keyChanged: "A key has a different value."
        case .preferenceType: "A stored preference has a different type or was removed; devices hold values of it."
        case .preferenceAdded: "A stored preference was added."
        case .identityChanged: "The app has a different identity for its store, its devices, or its sites."
        case .siteLost: "The files of a site no longer claim a path."
        case .siteAdded: "The files of a site claim an additional path."
        case .secretAdded: "A secret was added: deploy it first."
        case .secretRemoved: "The deployment no longer needs a secret."
        case .secretRenamed: "A secret was renamed: deploy the new one first."
        case .permissionAdded: "Users are asked for an additional permission."
        case .permissionRemoved: "Users are asked for one permission fewer."
        case .locationRaised: "Users are asked for more of their location."
        case .locationLowered: "Users are asked for less of their location."
        case .backgroundOn: "The app uses the location in the background."
        case .backgroundOff: "The app no longer uses the location in the background."
        case .cookieAdded: "An additional cookie is set or accepted."
        case .cookieRemoved: "One cookie fewer is set or accepted."
        case .trackingAdded: "More of what users do is tracked."
        case .trackingRemoved: "Less of what users do is tracked."
        case .endpointChanged: "A service is on a different host."
        case .endpointCleartext: "A service is contacted without encryption."
        case .endpointEncrypted: "A service that was contacted without encryption is now contacted with it."
        case .handleChanged: "A function or a destination changed; the effect is unknown."
        case .overrideSame: "A market sets the value that it would inherit."
        }
    }

    /// Whether it concerns what the app learns about users.
    package var concernsPrivacy: Bool {
        switch self {
        case .permissionAdded, .permissionRemoved, .locationRaised, .locationLowered, .backgroundOn, .backgroundOff,
            .cookieAdded, .cookieRemoved, .trackingAdded, .trackingRemoved:
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
