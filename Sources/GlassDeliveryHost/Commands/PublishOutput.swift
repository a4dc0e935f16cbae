import GlassBase
import GlassDelivery
import GlassHost
import GlassMarkets

/// The result of a publication, as text or JSON.
struct PublishOutput: Encodable {
    struct Market: Encodable {
        let id: String
        let change: String
        let path: String
        @Nullable var digest: String?
        @Nullable var share: Int?
    }

    struct Role: Encodable {
        let role: String
        let version: Int
        let expires: String
    }

    struct Missing: Encodable {
        let role: String
        let version: Int
        let keys: String
        let signatures: Int
        let threshold: Int
    }

    /// The difference between two versions of a market, or the reason why they cannot be compared.
    enum Comparison {
        case difference(MarketDifference)
        case impossible(market: String, reason: String)
    }

    /// Whether the result is visible to clients now.
    var published = false
    /// Whether nothing was written because the user requested a dry run.
    let dryRun: Bool
    var markets: [Market] = []
    var differences: [Comparison] = []
    var roles: [Role] = []
    var missing: [Missing] = []
    var files: [String] = []

    /// Starts with the changes of the markets.
    init(dispositions: [TargetsDraft.Disposition], isDry: Bool = false) {
        dryRun = isDry
        markets = dispositions.map {
            Market(id: $0.market, change: $0.kind.rawValue, path: $0.path, digest: $0.digest, share: $0.share)
        }
    }

    /// The result of publishing only metadata.
    init(_ result: Publisher.Result) {
        self.init(dispositions: [])
        add(result)
    }

    /// Adds the written metadata.
    mutating func add(_ result: Publisher.Result) {
        published = !dryRun && result.missing.isEmpty && !result.roles.isEmpty
        roles = result.roles.map { Role(role: $0.role.rawValue, version: $0.version, expires: $0.expires) }
        missing = result.missing.map {
            Missing(
                role: $0.role.rawValue, version: $0.version, keys: $0.keys, signatures: $0.signatures,
                threshold: $0.threshold)
        }
        files = result.files
    }

    private enum Key: String, CodingKey {
        case published, dryRun, markets, differences, roles, missing, files
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(published, forKey: .published)
        try container.encode(dryRun, forKey: .dryRun)
        try container.encode(markets, forKey: .markets)
        let known = differences.compactMap { comparison in
            if case .difference(let difference) = comparison { DifferenceOutput(difference) } else { nil }
        }
        try container.encode(known, forKey: .differences)
        try container.encode(roles, forKey: .roles)
        try container.encode(missing, forKey: .missing)
        try container.encode(files, forKey: .files)
    }

    func print(in session: Session, _ folder: RepositoryFolder) throws {
        let console = session.console
        if console.isJSON { return try console.result(json: self) }
        for market in markets where !console.isQuiet { console.result(Self.line(market)) }
        for comparison in differences { Self.print(comparison, on: console) }
        for role in roles where !console.isQuiet {
            console.result("\(role.role) \(role.version), expires \(role.expires)")
        }
        if console.isVerbose { for file in files { console.result("\(file)") } }
        for missing in missing {
            let count = "\(missing.signatures) of \(missing.threshold)"
            console.result(
                "\(missing.role) \(missing.version) is staged: \(count) signatures by the keys of \(missing.keys)")
        }
        if console.isQuiet { return }
        if published {
            console.result("published to \(folder.path)")
        } else if !missing.isEmpty {
            console.result("staged in \(folder.path)/staged; the key owners must run \(ProgramName.current) sign")
        } else if roles.isEmpty {
            console.result("no changes; nothing was written")
        } else {
            console.result("nothing was written")
        }
    }

    private static func line(_ market: Market) -> DisplayText {
        let share = market.share.map { " (\(TargetsDraft.percent($0)))" } ?? ""
        return "\(market.id): \(market.change)\(share)\(market.digest.map { ", \($0)" } ?? "")"
    }

    private static func print(_ comparison: Comparison, on console: Console) {
        switch comparison {
        case .difference(let difference):
            console.result("\(difference.labels.joined(separator: " → "), .bold)")
            for line in difference.lines { console.result("  \(console.colored(line))") }
            if !console.isQuiet { console.result("  \(difference.summary)") }
        case .impossible(let market, let reason):
            console.result("\(market): cannot be compared with the published version: \(reason)")
        }
    }
}
