import Foundation
import GlassBase
import GlassDelivery
import GlassHost

/// The result of `publish --check`, as text or JSON.
struct PublishedCheckOutput: Encodable {
    struct Role: Encodable {
        let role: String
        let version: Int
        let expires: String
    }

    struct Market: Encodable {
        let id: String
        let path: String
        let digest: String
        let length: Int
        @Nullable var serial: Int?
        @Nullable var share: Int?
        @Nullable var appMin: String?
        @Nullable var appMax: String?
    }

    let roles: [Role]
    let markets: [Market]
    let revoked: [String]
    let errors: [String]
    let warnings: [String]

    init(_ check: PublishedCheck, more: [String] = []) {
        roles = check.roles.map { Role(role: $0.role.rawValue, version: $0.version, expires: $0.expires.description) }
        markets = check.entries.compactMap { entry in
            entry.market.map {
                Market(
                    id: $0, path: entry.path, digest: entry.digest, length: entry.length, serial: entry.serial,
                    share: entry.share, appMin: entry.apps.min, appMax: entry.apps.max)
            }
        }
        revoked = check.revoked
        errors = check.errors
        warnings = check.warnings + more
    }

    /// Prints the result. Exits with 1 if clients would reject anything.
    func print(on console: Console) throws {
        if console.isJSON {
            try console.result(json: self)
        } else {
            if !console.isQuiet {
                for role in roles { console.result("\(role.role) \(role.version), expires \(role.expires)") }
                if !markets.isEmpty {
                    var table = Table("MARKET", "PATH", "SERIAL", "SHARE", "APP", "DIGEST")
                    for market in markets {
                        let range =
                            market.appMin == nil && market.appMax == nil
                            ? "any" : "\(market.appMin ?? "")…\(market.appMax ?? "")"
                        table.add(
                            "\(market.id)", "\(market.path)", market.serial.map { "\($0)" } ?? "-",
                            "\(TargetsDraft.percent(market.share ?? 10_000))", "\(range)", "\(market.digest)")
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
