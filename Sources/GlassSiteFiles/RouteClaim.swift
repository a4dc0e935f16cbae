/// Which file makes a claim, and for which system.
package enum SiteTarget: String, Sendable, CaseIterable {
    /// `apple-app-site-association`, on iOS 14, macOS 11 and later.
    case siteAssociation = "aasa"
    /// The intent filters on API 35 and later with Google's services, narrowed by the dynamic rules of `assetlinks.json`.
    case androidDynamic = "android-35"
    /// The intent filters alone, on API 31 and later.
    case android = "android-31"
    /// The same intent filters on API 30 and earlier.
    case androidBelow31 = "android-30"
    /// The URL types of `Info.plist`, for custom schemes.
    case urlTypes = "url-types"
}

/// How well a file's rules describe one route.
///
/// The links that count are those in normal spelling: only what must be escaped is escaped, no segment holds an escaped
/// slash or control character, and the link is within the gate's limits. For Apple's file no segment is empty either. Apple
/// does not say how it compares other spellings, and Android matches the decoded path, where an escaped slash is a slash.
package struct RouteClaim: Sendable, Equatable {
    /// The verdict in one word.
    package enum Coverage: String, Sendable, CaseIterable {
        /// Exactly the links that the market routes.
        case exact
        /// Also links that the market does not route: they open the app for nothing.
        case over
        /// Not all of the route's links: the others stay in the browser.
        case under
        /// None of the route's links.
        case impossible
    }

    /// A rule of the format that keeps a claim from being exact, with a link that shows it.
    package struct Reason: Sendable, Equatable {
        /// What the rule does to the claim; never `exact`.
        package let label: Coverage
        /// The rule, in words.
        package let rule: String
        /// A link that is claimed and not routed (`over`), or routed and not claimed.
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

    /// Why the claim is not exact; empty for an exact one. A claim may be over and under at once.
    package let reasons: [Reason]

    /// The verdict: impossible before over before under.
    package var label: Coverage {
        for label in [Coverage.impossible, .over, .under] where reasons.contains(where: { $0.label == label }) {
            return label
        }
        return .exact
    }
}
