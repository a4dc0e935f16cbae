import ArgumentParser
import Foundation
import GlassBase
import GlassDelivery
import GlassHost
import GlassMarkets

struct StatusCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Shows the contents of a store: its metadata, and its markets with their states.",
        usage: "glass-delivery status [<options>] --store <dir>",
        discussion: """
            Reads the store of an app, of a server, or of `fetch`, and changes nothing. The metadata is verified again \
            as of the last refresh. Exits with 1 if the store fails verification or if its metadata is not fresh.

            EXAMPLES
              glass-delivery status --store store
              glass-delivery status --store store --format json
            """
    )

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Option(help: ArgumentHelp("The store folder.", valueName: "dir"))
    var store: String

    @Option(
        help: ArgumentHelp(
            "Check freshness as of this time, such as 2026-06-01T12:00:00Z. (default: now)", valueName: "time"))
    var at: String?

    func validate() throws {
        if let at, UpdateTime(at) == nil {
            throw ValidationError("--at \(at) is not a time; expected for example 2026-06-01T12:00:00Z")
        }
    }

    func run(in session: Session) throws {
        let console = session.console
        let now = at.flatMap { UpdateTime($0) } ?? .now
        let files = DeliveryStore(store)
        let state: StoredState
        let metadata: [String: [UInt8]]
        do {
            guard let stored = try files.state() else {
                throw CommandFailure(
                    status: .impossible, "there is no store in \(store); create one with \(ProgramName.current) fetch")
            }
            (state, metadata) = (stored, try files.metadata())
        } catch let error as StoreError {
            throw CommandFailure(status: .impossible, "\(error)")
        }
        let output = Output(state, Self.problem(metadata, state), now: now)
        if console.isJSON {
            try console.result(json: output)
        } else {
            output.print(on: console)
        }
        guard output.problem == nil, output.isFresh else { throw CommandFailure(status: .no) }
    }

    /// The reason why the metadata fails verification; `nil` if it passes, or if there was no refresh yet.
    private static func problem(_ metadata: [String: [UInt8]], _ state: StoredState) -> String? {
        guard let verified = state.verified else { return nil }
        do {
            _ = try TrustedSet(stored: metadata, at: verified)
            return nil
        } catch {
            return "\(error)"
        }
    }

    private struct Output: Encodable {
        struct Version: Encodable {
            let digest: String
            @Nullable var serial: Int?

            init(_ version: DeliveredVersion) {
                digest = version.digest
                serial = version.serial
            }

            var text: String { (serial.map { "\($0) " } ?? "") + "(\(digest.prefix(12)))" }
        }

        struct Quarantined: Encodable {
            let digest: String
            let since: String
            let reason: String
        }

        struct Market: Encodable {
            let id: String
            @Nullable var active: Version?
            @Nullable var pending: Version?
            @Nullable var healthy: Version?
            @Nullable var trialStarts: Int?
            @Nullable var incompatible: String?
            let quarantined: [Quarantined]
        }

        let freshness: String
        let install: String
        let metadata: [String: Int]
        @Nullable var verified: String?
        @Nullable var failure: String?
        let failedRefreshes: Int
        @Nullable var problem: String?
        let revoked: [String]
        let markets: [Market]
        let isFresh: Bool

        init(_ state: StoredState, _ problem: String?, now: UpdateTime) {
            let fresh = state.freshness(now: now, builtAt: UpdateTime(secondsSince1970: 0))
            if case .embedded = fresh { freshness = "never refreshed" } else { freshness = "\(fresh)" }
            if case .fresh = fresh { isFresh = true } else { isFresh = false }
            install = state.install
            metadata = state.versions
            verified = state.verified?.description
            failure = state.failure?.text
            failedRefreshes = state.failure?.count ?? 0
            self.problem = problem
            revoked = state.revoked.sorted()
            markets = Set(state.markets.keys).union(state.incompatible.keys).sorted().map { id in
                let health = state.markets[id] ?? MarketHealth()
                return Market(
                    id: id, active: health.active.map(Version.init), pending: health.pending.map(Version.init),
                    healthy: health.healthy.map(Version.init), trialStarts: health.trialStarts,
                    incompatible: state.incompatible[id],
                    quarantined: health.quarantined.sorted { $0.key < $1.key }.map {
                        Quarantined(digest: $0.key, since: $0.value.since.description, reason: $0.value.reason)
                    })
            }
        }

        private enum Key: String, CodingKey {
            case freshness, install, metadata, verified, failure, failedRefreshes, problem, revoked, markets
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(freshness, forKey: .freshness)
            try container.encode(install, forKey: .install)
            try container.encode(metadata, forKey: .metadata)
            try container.encode(_verified, forKey: .verified)
            try container.encode(_failure, forKey: .failure)
            try container.encode(failedRefreshes, forKey: .failedRefreshes)
            try container.encode(_problem, forKey: .problem)
            try container.encode(revoked, forKey: .revoked)
            try container.encode(markets, forKey: .markets)
        }

        func print(on console: Console) {
            console.result("\(freshness)")
            if let problem { console.result("\("error:", .red) the store failed verification: \(problem)") }
            if let failure {
                let count = "\(failedRefreshes) refresh\(failedRefreshes == 1 ? "" : "es")"
                console.result("\(count) failed since the last successful one: \(failure)")
            }
            let versions = UpdateRole.allCases.compactMap { role in
                metadata[role.rawValue].map { "\(role.rawValue) \($0)" }
            }
            if !versions.isEmpty { console.result("\(versions.joined(separator: ", "))") }
            if !markets.isEmpty {
                var table = Table("MARKET", "IN USE", "PENDING", "LAST HEALTHY", "TRIAL")
                for market in markets {
                    table.add(
                        "\(market.id)", "\(market.active?.text ?? "embedded")", "\(market.pending?.text ?? "-")",
                        "\(market.healthy?.text ?? "embedded")",
                        "\(market.trialStarts.map { "\($0) launches" } ?? "-")")
                }
                console.result(table.text(console))
            }
            for market in markets {
                if let reason = market.incompatible {
                    console.result("\(market.id): not compatible with this app: \(reason)")
                }
                for version in market.quarantined {
                    console.result(
                        "\(market.id): \(version.digest.prefix(12)) not used since \(version.since): \(version.reason)")
                }
            }
            for digest in revoked { console.result("revoked \(digest)") }
        }
    }
}
