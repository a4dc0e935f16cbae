package import GlassSchema

/// The rules of a review; the raw value is what output, policies and documentation call it.
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

    /// What tells of the opposite change.
    package enum Inverse: Sendable, Hashable {
        /// Another rule.
        case rule(ChangeRule)
        /// The same rule: there and back are alike.
        case itself
        /// No rule, for a reason.
        case none(String)
    }

    /// How bad it is, unless the case or a policy says otherwise.
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

    /// What tells of the opposite change.
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
        case .keyRequired: .none("a market that lacks a required key does not load, so it is no base to add the key to")
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
        case .overrideSame: .none("an override that says something else again is a change of that key")
        }
    }

    /// What it tells, in a few words.
    package var summary: String {
        switch self {
        case .linkLost: "A link that opened a screen opens nothing."
        case .linkAdded: "Links open something that opened nothing."
        case .linkMoved: "A link opens another routable."
        case .linkParameters: "A link opens the same routable, with a parameter less or of a narrower type."
        case .linkParametersAdded: "A link opens the same routable, with a parameter more or of a wider type."
        case .linkWaits: "Links wait for a precondition more."
        case .linkWaitsLess: "Links wait for a precondition less."
        case .schemeRemoved: "The links of a scheme are no links of the app any more."
        case .schemeAdded: "The app has links of another scheme."
        case .hostRemoved: "The links of a web host are no links of the app any more."
        case .hostAdded: "The app has links of another web host."
        case .domainRemoved: "Links of a domain are not opened outside of the app any more."
        case .domainAdded: "Links of another domain are opened outside of the app."
        case .marketRemoved: "A market is gone."
        case .marketAdded: "There is another market."
        case .routableOff: "A routable was switched off, with all its links."
        case .routableOn: "A routable was switched on."
        case .keyRequired: "The value of a required key is gone."
        case .keyUnset: "The value of a key is gone."
        case .keySet: "A key has a value that had none."
        case .keyNarrowed: "A limit, a timeout or a list of choices that people feel is narrower."
        case .keyWidened: "A limit, a timeout or a list of choices that people feel is wider."
        case .keyChanged: "A key has another value."
        case .preferenceType: "A stored preference has another type or is gone; devices hold values of it."
        case .preferenceAdded: "There is another stored preference."
        case .identityChanged: "The app is another one for its store, its devices or its sites."
        case .siteLost: "The files of a site do not claim a path any more."
        case .siteAdded: "The files of a site claim another path."
        case .secretAdded: "The deployment must have a secret first."
        case .secretRemoved: "The deployment needs a secret no more."
        case .secretRenamed: "A secret has another name: the deployment must have that one first."
        case .permissionAdded: "People are asked for another permission."
        case .permissionRemoved: "People are asked for a permission less."
        case .locationRaised: "People are asked for more of their location."
        case .locationLowered: "People are asked for less of their location."
        case .backgroundOn: "The app knows the location in the background."
        case .backgroundOff: "The app does not know the location in the background any more."
        case .cookieAdded: "Another cookie is set, or accepted."
        case .cookieRemoved: "A cookie less is set, or accepted."
        case .trackingAdded: "More of what people do is tracked."
        case .trackingRemoved: "Less of what people do is tracked."
        case .endpointChanged: "A service is on another host."
        case .endpointCleartext: "A service is asked without encryption."
        case .endpointEncrypted: "A service is asked with encryption that was asked without."
        case .handleChanged: "A function has another text; what that does is not known."
        case .overrideSame: "A market writes the value that it would inherit."
        }
    }

    /// Whether it is about what the app learns about people.
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
    /// Creates a change that a rule of this host found.
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
