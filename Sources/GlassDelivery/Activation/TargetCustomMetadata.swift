package import GlassBase

/// What the signed metadata says about a market file besides its bytes: the member `custom` of a target.
///
/// ```json
/// {"app":{"max":"25","min":"24.2"},"market":"ca","rollout":{"salt":"ca-2026-06","share":500},"schema":1,"serial":118}
/// ```
///
/// Members that nobody knows are left alone, so that later publishers can say more.
package struct TargetCustomMetadata: Sendable, Equatable {
    /// The market's id; nil where the path says it.
    package var market: String?
    /// The generation of the file's form.
    package var schema: Int?
    /// The earliest version of the app that can use it.
    package var minimumApp: AppVersion?
    /// The latest version of the app that can use it.
    package var maximumApp: AppVersion?
    /// The number that the publisher gave it.
    package var serial: Int?
    /// Which installations get it; nil for all.
    package var rollout: Rollout?

    /// Terms without conditions.
    package init() {}

    /// Reads the terms.
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

    /// A member of another type than it has.
    package struct Malformed: Error, Equatable, CustomStringConvertible {
        /// The member.
        package let member: String

        /// Names the member.
        package var description: String { "the member \(member) of its terms cannot be read" }
    }

    /// Why an app cannot use the file.
    package func incompatibility(app: AppVersion, generation: Int) -> String? {
        if let schema, schema > generation { return "it has the form \(schema), and this app reads \(generation)" }
        if let minimumApp, !app.isAtLeast(minimumApp) {
            return "it is for version \(minimumApp) of the app and later, and this is \(app)"
        }
        if let maximumApp, !app.isAtMost(maximumApp) {
            return "it is for version \(maximumApp) of the app and earlier, and this is \(app)"
        }
        return nil
    }

    private static func read<Value>(
        _ json: StrictJSON?, _ member: String, _ value: (StrictJSON) -> Value?
    ) throws(Malformed) -> Value? {
        guard let json else { return nil }
        guard let value = value(json) else { throw Malformed(member: member) }
        return value
    }
}
