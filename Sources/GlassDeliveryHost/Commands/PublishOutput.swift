import GlassBase
import GlassDelivery
import GlassHost
import GlassMarkets
import GlassSchema

/// The result of a publication, as text or JSON.
struct PublishOutput {
    /// The difference between two versions of a market, or the reason why they cannot be compared.
    enum Comparison {
        case difference(MarketDifference, inSituations: [SituationDifference])
        case impossible(market: String, reason: String)
    }

    /// Whether nothing was written because the user requested a dry run.
    private let isDry: Bool
    private let markets: [TargetsDraft.Disposition]
    var differences: [Comparison] = []
    /// What changes for the installations of rollouts.
    var effects: [RolloutEffect] = []
    private var result = Publisher.Result()

    /// Whether the result is visible to clients now.
    private var isPublished: Bool { !isDry && result.missing.isEmpty && !result.roles.isEmpty }

    /// Starts with the changes of the markets.
    init(dispositions: [TargetsDraft.Disposition], isDry: Bool = false) {
        (markets, self.isDry) = (dispositions, isDry)
    }

    /// The result of publishing only metadata.
    init(_ result: Publisher.Result) {
        self.init(dispositions: [])
        add(result)
    }

    /// Adds the written metadata.
    mutating func add(_ result: Publisher.Result) { self.result = result }

    private var json: JSONObject {
        let differences: [JSONObject] = differences.compactMap {
            if case .difference(let difference, let situations) = $0 { difference.json(with: situations) } else { nil }
        }
        return [
            "published": isPublished,
            "dryRun": isDry,
            "markets": markets.map(\.json),
            "differences": differences,
            "roles": result.roles.map(\.json),
            "missing": result.missing.map(\.json),
            "files": result.files,
            "gains": effects.first?.gains,
            "loses": effects.first?.loses,
        ]
    }

    func print(in session: Session, _ folder: RepositoryFolder) throws {
        let console = session.console
        if console.isJSON { return try console.result(json: json) }
        for market in markets where !console.isQuiet { console.result(Self.line(market)) }
        for effect in effects where !console.isQuiet { console.result("\(effect.text)") }
        for comparison in differences { Self.print(comparison, on: console) }
        for role in result.roles where !console.isQuiet {
            console.result("\(role.role.rawValue) \(role.version), expires \(role.expires)")
        }
        if console.isVerbose { for file in result.files { console.result("\(file)") } }
        for missing in result.missing {
            let count = "\(missing.signatures) of \(missing.threshold)"
            console.result(
                "\(missing.role.rawValue) \(missing.version) is staged: \(count) signatures by the keys of \(missing.keys)"
            )
        }
        if console.isQuiet { return }
        if isPublished {
            console.result("published to \(folder.path)")
        } else if !result.missing.isEmpty {
            console.result("staged in \(folder.path)/staged; the key owners must run \(ProgramName.current) sign")
        } else if result.roles.isEmpty {
            console.result("no changes; nothing was written")
        } else {
            console.result("nothing was written")
        }
    }

    private static func line(_ market: TargetsDraft.Disposition) -> DisplayText {
        let share = market.share.map { " (\(TargetsDraft.percent($0)))" } ?? ""
        return "\(market.market): \(market.kind.rawValue)\(share)\(market.digest.map { ", \($0)" } ?? "")"
    }

    private static func print(_ comparison: Comparison, on console: Console) {
        switch comparison {
        case .difference(let difference, let situations):
            console.result("\(difference.labels.joined(separator: " → "), .bold)")
            for line in difference.lines { console.result("  \(console.colored(line))") }
            for situation in situations {
                console.result("  when --context \(situation.context.commandText)")
                for line in situation.difference.lines { console.result("    \(console.colored(line))") }
            }
            if !console.isQuiet { console.result("  \(difference.summary(with: situations))") }
        case .impossible(let market, let reason):
            console.result("\(market): cannot be compared with the published version: \(reason)")
        }
    }
}

extension TargetsDraft.Disposition {
    fileprivate var json: JSONObject {
        ["id": market, "change": kind.rawValue, "path": path, "digest": digest, "share": share]
    }
}

extension Publisher.Result.Role {
    fileprivate var json: JSONObject { ["role": role.rawValue, "version": version, "expires": expires] }
}

extension Publisher.Result.Missing {
    fileprivate var json: JSONObject {
        [
            "role": role.rawValue, "version": version, "keys": keys, "signatures": signatures, "threshold": threshold,
        ]
    }
}
