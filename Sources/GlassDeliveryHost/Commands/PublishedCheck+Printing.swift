import Foundation
import GlassBase
import GlassDelivery
import GlassHost

extension PublishedCheck {
    private var markets: [(id: String, entry: TargetEntry)] {
        entries.compactMap { entry in entry.market.map { ($0, entry) } }
    }

    private var json: JSONObject {
        let roles: [JSONObject] = roles.map {
            ["role": $0.role.rawValue, "version": $0.version, "expires": $0.expires.description]
        }
        let markets: [JSONObject] = markets.map { id, entry in
            [
                "id": id,
                "path": entry.path,
                "digest": entry.digest,
                "length": entry.length,
                "serial": entry.serial,
                "share": entry.share,
                "appMin": entry.apps.min,
                "appMax": entry.apps.max,
            ]
        }
        return ["roles": roles, "markets": markets, "revoked": revoked, "errors": errors, "warnings": warnings]
    }

    /// Prints the result. Exits with 1 if clients would reject anything.
    func print(on console: Console) throws {
        if console.isJSON {
            try console.result(json: json)
        } else {
            if !console.isQuiet {
                for role in roles { console.result("\(role.role.rawValue) \(role.version), expires \(role.expires)") }
                if !markets.isEmpty {
                    var table = Table("MARKET", "PATH", "SERIAL", "SHARE", "APP", "DIGEST")
                    for (id, entry) in markets {
                        let apps = entry.apps
                        let range = apps == AppRange() ? "any" : "\(apps.min ?? "")…\(apps.max ?? "")"
                        table.add(
                            "\(id)", "\(entry.path)", entry.serial.map { "\($0)" } ?? "-",
                            "\(TargetsDraft.percent(entry.share ?? 10_000))", "\(range)", "\(entry.digest)")
                    }
                    console.result(table.text(console))
                }
                for digest in revoked { console.result("revoked \(digest)") }
                for warning in warnings { console.result("\("warning:", .yellow) \(warning)") }
            }
            for error in errors { console.result("\("error:", .red) \(error)") }
            if errors.isEmpty, !console.isQuiet { console.result("a client accepts the publication") }
        }
        if !errors.isEmpty { throw CommandFailure(status: .no) }
    }
}
