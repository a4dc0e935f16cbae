import GlassBase
import GlassDelivery

/// The targets of the next publication, in the making.
package struct TargetsDraft: Sendable {
    /// The files that are listed.
    package private(set) var entries: [TargetEntry]
    /// The digests that no device may run any more.
    package private(set) var revoked: [String]
    /// The files themselves, as far as they are new.
    package private(set) var objects: [RepositoryFolder.File] = []
    /// What happens to each market that was named.
    package private(set) var fates: [Disposition] = []
    /// The version that the targets will have.
    package let serial: Int
    private let published: [TargetEntry]
    private let folder: RepositoryFolder

    /// What happens to a market.
    package struct Disposition: Sendable, Equatable {
        /// What.
        package enum Kind: String, Sendable {
            /// It was not published before.
            case new
            /// It replaces another version.
            case changed
            /// It is published already.
            case unchanged
            /// A share of the installs gets it.
            case rollingOut = "rolling out"
            /// It is not listed any more.
            case withdrawn
        }

        /// The market's id.
        package let market: String
        /// What happens.
        package let kind: Kind
        /// The path in the targets.
        package let path: String
        /// The digest of the file; nil when it is withdrawn.
        package let digest: String?
        /// The file that clients had; nil for none.
        package let before: TargetEntry?
        /// Of 10,000 installs, how many get it; nil for all.
        package let share: Int?
    }

    /// Begins with what is published.
    package init(after state: PublishedState, in folder: RepositoryFolder) throws(PublishingError) {
        entries = try state.entries()
        published = entries
        revoked = state.revoked
        serial = state.nextVersion(of: .targets)
        self.folder = folder
    }

    /// Whether anything differs from what is published.
    package var isChanged: Bool { fates.contains { $0.kind != .unchanged } }

    /// The change for the publisher.
    package var change: Publisher.Change {
        var change = Publisher.Change()
        change.entries = entries
        change.revoked = revoked
        change.objects = objects
        return change
    }

    private func entry(_ path: String) -> TargetEntry? { entries.first { $0.path == path } }

    private mutating func put(_ entry: TargetEntry, _ bytes: [UInt8]) {
        remove(entry.path)
        entries.append(entry)
        entries.sort { $0.path < $1.path }
        objects.append(RepositoryFolder.File(entry.file, bytes))
    }

    private mutating func remove(_ path: String) { entries.removeAll { $0.path == path } }

    private func requireUsable(_ digest: String, _ id: String) throws(PublishingError) {
        guard !revoked.contains(digest) else {
            throw .refused(
                "this version of the market \(id) is revoked (\(digest.prefix(12))…), and no device would run it; "
                    + "change the market")
        }
    }

    // MARK: Publishing

    /// Lists a market for everyone.
    package mutating func publish(_ market: PublishedMarket, apps: AppRange) throws(PublishingError) {
        let (path, next) = (PublishedMarket.path(of: market.id), entry(PublishedMarket.path(of: market.id, ".next")))
        let digest = market.bytes.sha256
        let before = entry(path)
        func fate(_ kind: Disposition.Kind, _ path: String, share: Int? = nil) -> Disposition {
            Disposition(market: market.id, kind: kind, path: path, digest: digest, before: before, share: share)
        }
        if let next, next.digest == digest {
            fates.append(fate(.unchanged, next.path, share: next.share))
            return
        }
        if let before, before.digest == digest, before.apps == apps {
            fates.append(fate(.unchanged, path))
            return
        }
        if let next {
            throw .refused(
                "another version of the market \(market.id) is being rolled out (\(Self.percent(next.share ?? 0))); end that "
                    + "first with glass-delivery rollout \(market.id) 100%, or 0%")
        }
        try requireUsable(digest, market.id)
        put(
            TargetEntry(
                path: path, bytes: market.bytes,
                custom: PublishedMarket.custom(of: market.id, serial: serial, apps: apps)), market.bytes)
        put(TargetEntry(path: PublishedMarket.path(of: market.id, ".map"), bytes: market.map), market.map)
        fates.append(fate(before == nil ? .new : .changed, path))
    }

    // MARK: Rolling out

    /// Gives a version of a market to a share of the installs.
    package mutating func rollOut(_ market: PublishedMarket, share: Int, apps: AppRange) throws(PublishingError) {
        let digest = market.bytes.sha256
        let before = entry(PublishedMarket.path(of: market.id))
        guard let before else {
            throw .refused(
                "the market \(market.id) is not published yet, so that the other installs would have none; publish it first"
            )
        }
        guard before.digest != digest else {
            throw .refused("the market \(market.id) is published for everyone as it is; change it to roll it out")
        }
        try requireUsable(digest, market.id)
        let path = PublishedMarket.path(of: market.id, ".next")
        put(
            TargetEntry(
                path: path, bytes: market.bytes,
                custom: PublishedMarket.custom(of: market.id, serial: serial, apps: apps, share: share)), market.bytes)
        put(TargetEntry(path: PublishedMarket.path(of: market.id, ".next.map"), bytes: market.map), market.map)
        fates.append(
            Disposition(market: market.id, kind: .rollingOut, path: path, digest: digest, before: before, share: share))
    }

    /// Whether a version of a market is being rolled out.
    package func rollout(of id: String) -> TargetEntry? { entry(PublishedMarket.path(of: id, ".next")) }

    /// Changes the share of a rollout: to all of 10,000 it becomes the version for everyone, to none it is withdrawn.
    package mutating func setShare(of id: String, to share: Int) throws(PublishingError) {
        let (path, next, nextMap) = (
            PublishedMarket.path(of: id), PublishedMarket.path(of: id, ".next"),
            PublishedMarket.path(of: id, ".next.map")
        )
        guard var entry = entry(next) else {
            throw .refused("no version of the market \(id) is being rolled out; begin with a share between 0% and 100%")
        }
        let before = self.entry(path)
        switch share {
        case 0:
            remove(next)
            remove(nextMap)
            fates.append(Disposition(market: id, kind: .withdrawn, path: next, digest: nil, before: entry, share: nil))
        case 10_000:
            let bytes = try content(of: entry)
            put(
                TargetEntry(
                    path: path, bytes: bytes,
                    custom: PublishedMarket.custom(of: id, serial: entry.serial ?? serial, apps: entry.apps)), bytes)
            if let map = self.entry(nextMap) {
                let bytes = try content(of: map)
                put(TargetEntry(path: PublishedMarket.path(of: id, ".map"), bytes: bytes), bytes)
            }
            remove(next)
            remove(nextMap)
            fates.append(
                Disposition(market: id, kind: .changed, path: path, digest: entry.digest, before: before, share: nil))
        default:
            let salt = entry.custom?["rollout"]?["salt"] ?? .string("\(id)-\(entry.serial ?? serial)")
            entry.custom = (entry.custom ?? .empty).replacing([
                ("rollout", .object([("salt", salt), ("share", .integer(share))]))
            ])
            remove(next)
            entries.append(entry)
            entries.sort { $0.path < $1.path }
            fates.append(
                Disposition(
                    market: id, kind: .rollingOut, path: next, digest: entry.digest, before: before, share: share))
        }
    }

    // MARK: Taking back

    /// Revokes a digest: no device runs it from its next refresh on, wherever it has it from.
    package mutating func revoke(_ digest: String) throws(PublishingError) -> [String] {
        let known = try everPublished()
        let found = Set(known.filter { $0.digest.hasPrefix(digest.lowercased()) && $0.market != nil }.map(\.digest))
        guard digest.count >= 8, found.count == 1, let whole = found.first else {
            let reason =
                digest.count < 8
                ? "is too short; give 8 digits or more"
                : found.isEmpty ? "was never published here" : "is the beginning of several digests"
            throw .refused("the digest \(digest) \(reason); glass-delivery publish --check lists what is published")
        }
        guard !revoked.contains(whole) else { throw .refused("\(whole) is revoked already") }
        revoked = (revoked + [whole]).sorted()
        for entry in entries where entry.digest == whole && entry.path.hasSuffix(".next.json") {
            remove(entry.path)
            if let id = entry.market { remove(PublishedMarket.path(of: id, ".next.map")) }
        }
        let current = entries.filter { $0.digest == whole }.compactMap(\.market)
        for market in Set(known.filter { $0.digest == whole }.compactMap(\.market)).sorted() {
            fates.append(
                Disposition(
                    market: market, kind: .withdrawn, path: PublishedMarket.path(of: market), digest: whole,
                    before: nil, share: nil))
        }
        return current
    }

    private func everPublished() throws(PublishingError) -> [TargetEntry] {
        var known = entries
        for version in folder.versions(of: "targets") {
            guard let old = try targets(version) else { continue }
            known += try PublishedState.entries(of: old)
        }
        return known
    }

    private func targets(_ version: Int) throws(PublishingError) -> SignedMetadata? {
        let name = "metadata/\(version).targets.json"
        guard let bytes = try folder.read(name, limit: SignedMetadata.maximumBytes) else { return nil }
        return try SignedMetadata(reading: bytes, name)
    }

    /// Lists again what an earlier publication listed.
    package mutating func goBack(
        to serial: Int, markets: [String], after state: PublishedState
    ) throws(PublishingError) {
        guard let old = try targets(serial), try Self.isSigned(old, by: state.roots) else {
            let versions = folder.versions(of: "targets").filter { $0 < self.serial - 1 }
            throw .refused(
                "there is no publication \(serial) to go back to; there are "
                    + (versions.isEmpty ? "no earlier ones" : versions.map(String.init).joined(separator: ", ")))
        }
        let then = try PublishedState.entries(of: old)
        let known = Set((then + entries).compactMap(\.market))
        for id in markets where !known.contains(id) {
            throw .refused("the market \(id) is not published, and was not in publication \(serial)")
        }
        for id in markets.isEmpty ? known.sorted() : markets {
            let paths = ["", ".next", ".map", ".next.map"].map { PublishedMarket.path(of: id, $0) }
            let (former, now) = (then.filter { paths.contains($0.path) }, entries.filter { paths.contains($0.path) })
            guard former != now else { continue }
            for entry in former where entry.market != nil { try requireUsable(entry.digest, id) }
            entries = (entries.filter { !paths.contains($0.path) } + former).sorted { $0.path < $1.path }
            let (target, before) = (former.first { $0.path == paths[0] }, now.first { $0.path == paths[0] })
            fates.append(
                Disposition(
                    market: id, kind: target == nil ? .withdrawn : before == nil ? .new : .changed, path: paths[0],
                    digest: target?.digest, before: before, share: nil))
        }
        guard isChanged else { throw .refused("publication \(serial) listed what is listed now") }
    }

    /// Whether the keys of one of the roots signed targets: a file that somebody put there is not signed anew.
    private static func isSigned(_ targets: SignedMetadata, by roots: [[UInt8]]) throws(PublishingError) -> Bool {
        for bytes in roots {
            let root = try RootDocument(SignedMetadata(reading: bytes, "a root").signed, "a root")
            if root[.targets].isMet(by: targets) { return true }
        }
        return false
    }

    /// The content of a file that is published.
    package func content(of entry: TargetEntry) throws(PublishingError) -> [UInt8] {
        if let new = objects.last(where: { $0.name == entry.file }) { return new.bytes }
        guard let bytes = try folder.read(entry.file, limit: entry.length), bytes.sha256 == entry.digest else {
            throw .impossible("\(folder.path)/\(entry.file) is missing or is not what the targets list")
        }
        return bytes
    }

    /// A share as users write it: `25%`, `0.5%`.
    package static func percent(_ share: Int) -> String {
        let (whole, rest) = share.quotientAndRemainder(dividingBy: 100)
        if rest == 0 { return "\(whole)%" }
        let digits = rest < 10 ? "0\(rest)" : "\(rest)"
        return "\(whole).\(digits.hasSuffix("0") ? String(digits.dropLast()) : digits)%"
    }
}
