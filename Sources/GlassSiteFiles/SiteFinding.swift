/// Something about the files that works but that their owner should know.
package struct SiteFinding: Sendable, Hashable, CustomStringConvertible {
    /// What kind of thing it is.
    package enum Code: String, Sendable, CaseIterable {
        /// A site association file that is larger than devices read.
        case oversize
        /// A host that links two apps: with both installed, the system chooses.
        case sharedHost
        /// A host whose links one app takes for two markets with different routes.
        case differentRoutes
        /// A filter that claims every path of its hosts below API 31.
        case wholeHostBelowAPI31
        /// A filter that claims nothing, below API 31, for some of the routes.
        case fewerRoutesBelowAPI31
        /// A market without an https host: it has custom schemes only.
        case noUniversalHost
    }

    /// The kind.
    package let code: Code

    /// The hosts, market or package that it concerns.
    package let subject: String

    /// What it is and what to do about it.
    package let message: String

    /// The subject and the message.
    package var description: String { "\(subject): \(message)" }
}
