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

    func validateArguments() throws {
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
        let contents = Contents(state, Self.problem(metadata, state), now: now)
        if console.isJSON {
            try console.result(json: contents.json)
        } else {
            contents.print(on: console)
        }
        guard contents.problem == nil, contents.isFresh else { throw CommandFailure(status: .no) }
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

    /// What a store contains, as of a time.
    private struct Contents {
        let state: StoredState
        /// The reason why the metadata fails verification, if it does.
        let problem: String?
        let freshness: String
        let isFresh: Bool

        init(_ state: StoredState, _ problem: String?, now: UpdateTime) {
            (self.state, self.problem) = (state, problem)
            let fresh = state.freshness(now: now, builtAt: UpdateTime(secondsSince1970: 0))
            if case .embedded = fresh { freshness = "never refreshed" } else { freshness = "\(fresh)" }
            if case .fresh = fresh { isFresh = true } else { isFresh = false }
        }

        private var markets: [(id: String, health: MarketHealth)] {
            Set(state.markets.keys).union(state.incompatible.keys).sorted().map {
                ($0, state.markets[$0] ?? MarketHealth())
            }
        }

        var json: JSONObject {
            [
                "freshness": freshness,
                "install": state.install,
                "metadata": state.versions,
                "verified": state.verified?.description,
                "failure": state.failure?.text,
                "failedRefreshes": state.failure?.count ?? 0,
                "problem": problem,
                "revoked": state.revoked.sorted(),
                "markets": markets.map(json),
            ]
        }

        private func json(of id: String, _ health: MarketHealth) -> JSONObject {
            let quarantined: [JSONObject] = health.quarantined.sorted { $0.key < $1.key }.map {
                ["digest": $0.key, "since": $0.value.since.description, "reason": $0.value.reason]
            }
            return [
                "id": id,
                "active": health.active?.json,
                "pending": health.pending?.json,
                "revoked": [health.active, health.pending].compactMap { $0 }.contains {
                    state.revoked.contains($0.digest)
                },
                "healthy": health.healthy?.json,
                "trialStarts": health.trialStarts,
                "incompatible": state.incompatible[id],
                "quarantined": quarantined,
            ]
        }

        func print(on console: Console) {
            console.result("\(freshness)")
            if let problem { console.result("\("error:", .red) the store failed verification: \(problem)") }
            if let failure = state.failure {
                let count = "\(failure.count) refresh\(failure.count == 1 ? "" : "es")"
                console.result("\(count) failed since the last successful one: \(failure.text)")
            }
            let versions = UpdateRole.allCases.compactMap { role in
                state.versions[role.rawValue].map { "\(role.rawValue) \($0)" }
            }
            if !versions.isEmpty { console.result("\(versions.joined(separator: ", "))") }
            if !markets.isEmpty {
                var table = Table("MARKET", "IN USE", "PENDING", "LAST HEALTHY", "TRIAL")
                for (id, health) in markets {
                    func text(_ version: DeliveredVersion) -> String {
                        version.text + (state.revoked.contains(version.digest) ? " revoked" : "")
                    }
                    table.add(
                        "\(id)", "\(health.active.map(text) ?? "embedded")", "\(health.pending.map(text) ?? "-")",
                        "\(health.healthy?.text ?? "embedded")",
                        "\(health.trialStarts.map { "\($0) launches" } ?? "-")")
                }
                console.result(table.text(console))
            }
            for (id, health) in markets {
                if let reason = state.incompatible[id] {
                    console.result("\(id): not compatible with this app: \(reason)")
                }
                for (digest, entry) in health.quarantined.sorted(by: { $0.key < $1.key }) {
                    console.result("\(id): \(digest.prefix(12)) not used since \(entry.since): \(entry.reason)")
                }
            }
            for digest in state.revoked.sorted() { console.result("revoked \(digest)") }
        }
    }
}

extension DeliveredVersion {
    fileprivate var json: JSONObject { ["digest": digest, "serial": serial] }

    fileprivate var text: String { (serial.map { "\($0) " } ?? "") + "(\(digest.prefix(12)))" }
}
