package import GlassBase
import GlassMarkets

/// The signed metadata about a market file in addition to its bytes: the member `custom` of a target.
///
/// ```json
/// {"app":{"max":"25","min":"24.2"},"market":"ca","rollout":{"salt":"ca-2026-06","share":500},"schema":4,"serial":118}
/// ```
///
/// Unknown members are ignored, so that later publishers can add some.
package struct TargetCustomMetadata: Sendable, Equatable {
    /// The market's id; `nil` if only the path names it.
    package var market: String?
    /// The number of the file format.
    package var schema: Int?
    /// The earliest version of the app that can use it.
    package var minimumApp: AppVersion?
    /// The latest version of the app that can use it.
    package var maximumApp: AppVersion?
    /// The number that the publisher assigned.
    package var serial: Int?
    /// The installations that get it; `nil` for all.
    package var rollout: Rollout?

    /// Creates metadata without conditions.
    package init() {}

    /// Parses the metadata.
    package init(_ custom: StrictJSON?) throws(Malformed) {
        guard let custom else { return }
        guard custom.members != nil else { throw Malformed(member: "custom") }
        market = try Self.read(custom["market"], "market", \.stringValue)
        schema = try Self.read(custom["schema"], "schema", \.intValue)
        serial = try Self.read(custom["serial"], "serial", \.intValue)
        if let app = custom["app"] {
            guard app.members != nil else { throw Malformed(member: "app") }
            minimumApp = try Self.read(app["min"], "app.min", { $0.stringValue.flatMap(AppVersion.init) })
            maximumApp = try Self.read(app["max"], "app.max", { $0.stringValue.flatMap(AppVersion.init) })
        }
        if let json = custom["rollout"] {
            let salt = try Self.read(json["salt"], "rollout.salt", \.stringValue)
            let share = try Self.read(json["share"], "rollout.share", \.intValue)
            guard let salt, let share, (0...Rollout.buckets).contains(share) else { throw Malformed(member: "rollout") }
            rollout = Rollout(salt: salt, share: share)
        }
    }

    /// The error for a member with an invalid value.
    package struct Malformed: Error, Equatable, CustomStringConvertible {
        /// The member.
        package let member: String

        /// Names the member.
        package var description: String { "the member \(member) of its custom metadata is invalid" }
    }

    /// The reason why an app cannot use the file, or `nil` if it can.
    package func incompatibility(app: AppVersion) -> String? {
        if let schema, let reason = Self.incompatibility(format: schema) { return reason }
        if let minimumApp, !app.isAtLeast(minimumApp) {
            return "it requires version \(minimumApp) of the app or later, and this is \(app)"
        }
        if let maximumApp, !app.isAtMost(maximumApp) {
            return "it requires version \(maximumApp) of the app or earlier, and this is \(app)"
        }
        return nil
    }

    /// The reason why this app cannot read a format, or `nil` if it can.
    static func incompatibility(format: Int) -> String? {
        if format == CompiledMarket.format { return nil }
        return "it has the format \(format), and this app reads \(CompiledMarket.format)"
    }

    private static func read<Value>(
        _ json: StrictJSON?, _ member: String, _ value: (StrictJSON) -> Value?
    ) throws(Malformed) -> Value? {
        guard let json else { return nil }
        guard let value = value(json) else { throw Malformed(member: member) }
        return value
    }
}
