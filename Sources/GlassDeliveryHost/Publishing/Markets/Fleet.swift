import Foundation
import GlassDelivery
import GlassBase
import GlassMarkets
import GlassSchema

/// The recorded releases of the app, as written by `schema record`.
struct Fleet: Sendable {
    /// The releases, oldest first; names that are not versions come last.
    let releases: [Release]

    /// A recorded release.
    struct Release: Sendable {
        /// Its version.
        let version: String
        let record: SchemaRecord
    }

    /// The findings of a release for a market.
    struct Verdict: Sendable {
        /// The version of the release.
        let version: String
        /// The parts of the market that the release would reject or ignore.
        let findings: [Finding]
    }

    /// Reads the records of a folder.
    init(reading folder: String) throws(PublishingError) {
        let names: [String]
        do throws(FileFailure) {
            names = try ConfinedDirectory(folder).names().filter { $0.hasSuffix(".json") }.sorted()
        } catch {
            throw .impossible("cannot read the releases in \(folder): \(error.reason)")
        }
        var releases: [Release] = []
        for name in names {
            let path = "\(folder)/\(name)"
            let record: SchemaRecord
            do {
                record = try SchemaRecord(
                    reading: CompiledMarketFiles.read(path, below: folder, limit: SchemaRecord.longest), file: path)
            } catch {
                throw .impossible("\(error)")
            }
            let version = String(name.dropLast(5))
            guard record.version == version else {
                throw .impossible("\(path) is the record of the release \(record.version ?? "without a version")")
            }
            releases.append(Release(version: version, record: record))
        }
        self.releases = releases.sorted(by: Self.isOlder)
    }

    private static func isOlder(_ left: Release, _ right: Release) -> Bool {
        switch (AppVersion(left.version), AppVersion(right.version)) {
        case (let version?, let other?): version == other ? left.version < right.version : !version.isAtLeast(other)
        case (_?, nil): true
        case (nil, _?): false
        case (nil, nil): left.version < right.version
        }
    }

    /// Checks whether the releases that a market is for can read it.
    func verdicts(on market: CompiledMarket, apps: AppRange) throws(WorkBudget.Exceeded) -> [Verdict] {
        var verdicts: [Verdict] = []
        for release in releases where apps.contains(release.version) {
            let findings = try release.record.findings(in: market)
            if !findings.isEmpty { verdicts.append(Verdict(version: release.version, findings: findings)) }
        }
        return verdicts
    }
}
