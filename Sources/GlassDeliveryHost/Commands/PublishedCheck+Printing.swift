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

    /// A row for each market: the version for all, and the one that is being rolled out.
    private var table: Table {
        var table = Table("MARKET", "VERSION FOR ALL", "APP", "ROLLED OUT", "APP")
        func cells(_ entry: TargetEntry?) -> [DisplayText] {
            guard let entry else { return ["-", "-"] }
            let (serial, apps) = (entry.serial.map { "\($0) " } ?? "", entry.apps)
            let share = entry.share.map { " to \(TargetsDraft.percent($0))" } ?? ""
            return [
                "\(serial)(\(entry.digest.prefix(12)))\(share)\(revoked.contains(entry.digest) ? ", revoked" : "")",
                "\(apps == AppRange() ? "any" : "\(apps.min ?? "")…\(apps.max ?? "")")",
            ]
        }
        for id in Set(markets.map(\.id)).sorted() {
            let own = markets.filter { $0.id == id }.map(\.entry)
            table.add(
                ["\(id)"] + cells(own.last { $0.share == nil }) + cells(own.last { $0.share != nil }))
        }
        return table
    }

    /// Prints the result. Exits with 1 if clients would reject anything.
    func print(on console: Console) throws {
        if console.isJSON {
            try console.result(json: json)
        } else {
            if !console.isQuiet {
                // What expires soon is what an operator has to do next.
                for role in roles.sorted(by: { $0.expires < $1.expires }) {
                    console.result("\(role.role.rawValue) \(role.version), expires \(role.expires)")
                }
                if !markets.isEmpty { console.result(table.text(console)) }
                for digest in revoked { console.result("revoked \(digest)") }
                for warning in warnings { console.result("\("warning:", .yellow) \(warning)") }
            }
            for error in errors { console.result("\("error:", .red) \(error)") }
            if errors.isEmpty, !console.isQuiet { console.result("a client accepts the publication") }
        }
        if !errors.isEmpty { throw CommandFailure(status: .no) }
    }
}
