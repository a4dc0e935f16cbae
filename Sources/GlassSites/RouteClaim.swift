/// The file that makes a claim, and the system that reads it. Earlier systems are not assessed.
package enum SiteTarget: String, Sendable, CaseIterable {
    /// `apple-app-site-association`, on iOS 14, macOS 11 and later.
    case siteAssociation = "aasa"
    /// The intent filters, narrowed by the dynamic rules of `assetlinks.json`, on API 35 and later with Google's
    /// services.
    case androidDynamic = "android-35"
    /// The intent filters alone, on API 31 and later.
    case android = "android-31"
    /// The URL types of `Info.plist`, for custom schemes.
    case urlTypes = "url-types"
}

/// An assessment of how well a file's rules match one route.
///
/// Only links in normal spelling count: they escape only what must be escaped, no segment contains an escaped slash or
/// control character, and they are within the gate's limits. For Apple's file, segments aren't empty either. Apple
/// doesn't document how it compares other spellings, and Android matches the decoded path, in which an escaped slash is
/// a slash.
package struct RouteClaim: Sendable, Equatable {
    /// The relation between the claimed links and the routed ones.
    package enum Coverage: String, Sendable, CaseIterable {
        /// Exactly the links that the market routes.
        case exact
        /// Also links that the market does not route: they open the app to no effect.
        case over
        /// Not all of the route's links; the others stay in the browser.
        case under
        /// None of the route's links.
        case impossible
    }

    /// A rule of the format that prevents an exact claim, with a link that demonstrates it.
    package struct Reason: Sendable, Equatable {
        /// The effect of the rule on the claim; never `exact`.
        package let label: Coverage
        /// A description of the rule.
        package let rule: String
        /// A link that is claimed but not routed (`over`), or routed but not claimed.
        package let witness: String
    }

    /// The market.
    package let market: String

    /// The routable.
    package let routableID: String

    /// The pattern as written.
    package let pattern: String

    /// The file and system.
    package let target: SiteTarget

    /// The reasons that the claim is not exact; empty for an exact one. A claim may be over and under at once.
    package let reasons: [Reason]

    /// The overall coverage: `impossible` takes precedence over `over`, and `over` over `under`.
    package var label: Coverage {
        for label in [Coverage.impossible, .over, .under] where reasons.contains(where: { $0.label == label }) {
            return label
        }
        return .exact
    }
}
