import GlassBase
import GlassDelivery
import GlassMarkets

/// The targets of the next publication, in preparation.
struct TargetsDraft: Sendable {
    /// The listed files.
    private(set) var entries: [TargetEntry]
    /// The digests that no device may use anymore.
    private(set) var revoked: [String]
    /// The contents of new files.
    private(set) var objects: [RepositoryFolder.File] = []
    /// The dispositions of the named markets.
    private(set) var dispositions: [Disposition] = []
    /// The next version of the targets metadata.
    let serial: Int
    private let published: [TargetEntry]
    private let folder: RepositoryFolder

    /// What a publication does with a market.
    struct Disposition: Sendable, Equatable {
        /// The kind of change.
        enum Kind: String, Sendable {
            /// It was not published before.
            case new
            /// It replaces another version.
            case changed
            /// It is already published in this version.
            case unchanged
            /// A percentage of the installations gets it.
            case rollingOut = "rolling out"
            /// It is no longer listed.
            case withdrawn
        }

        /// The market's id.
        let market: String
        /// The kind of change.
        let kind: Kind
        /// The path in the targets.
        let path: String
        /// The digest of the file; `nil` if it is withdrawn.
        let digest: String?
        /// The file that clients had before, if any.
        let before: TargetEntry?
        /// The percentage of installations that get it, in units of 0.01%; `nil` for all.
        let share: Int?
    }

    /// Starts from the current publication.
    init(after state: PublishedState, in folder: RepositoryFolder) throws(PublishingError) {
        entries = try state.entries()
        published = entries
        revoked = state.revoked
        serial = state.nextVersion(of: .targets)
        self.folder = folder
    }

    /// Whether anything differs from the current publication.
    var isChanged: Bool { dispositions.contains { $0.kind != .unchanged } }

    /// The change for the publisher.
    var change: Publisher.Change {
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
                "this version of the market \(id) is revoked (\(digest.prefix(12))…), so no device would use it; "
                    + "change the market")
        }
    }

    /// The entries of a market in other formats than this version writes.
    private func foreignEntries(of id: String) -> [TargetEntry] { entries.filter { $0.market == id && !$0.isReadable } }

    private mutating func put(
        _ market: PublishedMarket, _ suffix: String = "", apps: AppRange, share: Int? = nil
    ) -> TargetEntry {
        let entry = TargetEntry(
            path: PublishedMarket.path(of: market.id, suffix), bytes: market.bytes,
            custom: PublishedMarket.custom(of: market.id, serial: serial, apps: apps, share: share))
        put(entry, market.bytes)
        // A version that was promoted may have none.
        remove(entry.mapPath)
        if !market.map.isEmpty { put(TargetEntry(path: entry.mapPath, bytes: market.map), market.map) }
        return entry
    }

    private mutating func remove(_ entry: TargetEntry) {
        remove(entry.path)
        remove(entry.mapPath)
    }

    private mutating func note(
        _ kind: Disposition.Kind, _ id: String, _ path: String, _ digest: String?, before: TargetEntry? = nil,
        share: Int? = nil
    ) {
        dispositions.append(
            Disposition(market: id, kind: kind, path: path, digest: digest, before: before, share: share))
    }

    // MARK: Publishing

    /// Lists a market for everyone. It replaces the files of other formats, which an app that reads them keeps.
    mutating func publish(_ market: PublishedMarket, apps: AppRange) throws(PublishingError) {
        let (id, path, digest) = (market.id, PublishedMarket.path(of: market.id), market.bytes.sha256)
        let (before, next, foreign) = (entry(path), rollout(of: id), foreignEntries(of: id))
        if let next, next.digest == digest {
            return note(.unchanged, id, next.path, digest, before: before, share: next.share)
        }
        let isUnchanged = before?.digest == digest && before?.apps == apps
        if let next, !isUnchanged {
            throw .refused(
                "another version of the market \(id) is being rolled out (\(Self.percent(next.share ?? 0))); "
                    + "complete or withdraw it first with glass-delivery rollout \(id) 100% or 0%")
        }
        if isUnchanged, foreign.isEmpty { return note(.unchanged, id, path, digest, before: before) }
        try requireUsable(digest, id)
        for entry in foreign { remove(entry) }
        if !isUnchanged { _ = put(market, apps: apps) }
        let former = before ?? foreign.last
        note(former == nil ? .new : .changed, id, path, digest, before: former)
    }

    // MARK: Promoting

    /// The published version of a market for all installations.
    func entry(of id: String) -> TargetEntry? { entry(PublishedMarket.path(of: id)) }

    /// Finds the version of a market that the folder serves, or that it has served.
    ///
    /// - Parameter digest: The digest, or a prefix of it; `nil` for the version that it serves now.
    func served(
        _ id: String, digest: String?, by state: PublishedState
    ) throws(PublishingError) -> (entry: TargetEntry, market: PublishedMarket) {
        guard let targets = state.targets, try Self.isSigned(targets, by: state.roots) else {
            throw .impossible("nothing is published in \(folder.path), or it is not signed by the keys of its root")
        }
        let ids = Set(entries.compactMap(\.market)).sorted()
        var found: (entry: TargetEntry, files: [TargetEntry])?
        if let digest {
            guard digest.count >= 8 else {
                throw .impossible("the digest \(digest) is too short; use at least 8 digits")
            }
            for files in try publications() {
                for entry in files
                where entry.market == id && entry.isReadable && entry.digest.hasPrefix(digest.lowercased()) {
                    if let found, found.entry.digest != entry.digest {
                        throw .impossible("the digest \(digest) matches several versions; use more digits")
                    }
                    found = found ?? (entry, files)
                }
            }
            if found == nil { throw .impossible("\(folder.path) never served a version \(digest) of the market \(id)") }
        } else {
            found = entry(of: id).map { ($0, entries) }
        }
        guard let (entry, files) = found else {
            throw .impossible(
                "\(folder.path) does not publish the market \(id); it publishes "
                    + (ids.isEmpty ? "none" : ids.joined(separator: ", ")))
        }
        guard !revoked.contains(entry.digest) else {
            throw .refused("\(folder.path) has revoked this version of \(id) (\(entry.digest.prefix(12))…)")
        }
        let map = try files.first { $0.path == entry.mapPath }.map(content(of:))
        return (entry, PublishedMarket(id: id, bytes: try content(of: entry), map: map ?? []))
    }

    // MARK: Rolling out

    /// Releases a version of a market to a percentage of the installations.
    mutating func rollOut(_ market: PublishedMarket, share: Int, apps: AppRange) throws(PublishingError) {
        let (id, digest) = (market.id, market.bytes.sha256)
        guard let before = entry(PublishedMarket.path(of: id)) else {
            throw .refused(
                "the market \(id) is not published yet, so other installations would have no version; publish it first")
        }
        guard before.digest != digest else {
            throw .refused("the market \(id) is already published in this version; change it before a rollout")
        }
        if let next = rollout(of: id) {
            // The same version keeps its salt, so that nobody who has it loses it.
            if next.digest == digest, next.apps == apps { return try setShare(of: id, to: share) }
            throw .refused(
                "another version of the market \(id) is being rolled out (\(Self.percent(next.share ?? 0))); "
                    + "complete or withdraw it first with glass-delivery rollout \(id) 100% or 0%")
        }
        try requireUsable(digest, id)
        let entry = put(market, ".next", apps: apps, share: share)
        note(.rollingOut, id, entry.path, digest, before: before, share: share)
    }

    /// The entry of the version that is being rolled out, if any.
    func rollout(of id: String) -> TargetEntry? { entry(PublishedMarket.path(of: id, ".next")) }

    /// Changes the percentage of a rollout. At 100%, it becomes the version for everyone; at 0%, it is withdrawn.
    mutating func setShare(of id: String, to share: Int) throws(PublishingError) {
        let path = PublishedMarket.path(of: id)
        guard var next = rollout(of: id) else {
            throw .refused(
                "no version of the market \(id) is being rolled out; start with a percentage between 0% and 100%")
        }
        let before = entry(path)
        switch share {
        case 0:
            remove(next)
            note(.withdrawn, id, next.path, nil, before: next)
        case 10_000:
            let bytes = try content(of: next)
            let promoted = TargetEntry(
                path: path, bytes: bytes,
                custom: PublishedMarket.custom(of: id, serial: next.serial ?? serial, apps: next.apps))
            put(promoted, bytes)
            if let map = entry(next.mapPath) {
                let bytes = try content(of: map)
                put(TargetEntry(path: promoted.mapPath, bytes: bytes), bytes)
            }
            remove(next)
            note(.changed, id, path, next.digest, before: before)
        default:
            let salt = next.custom?["rollout"]?["salt"] ?? .string("\(id)-\(next.serial ?? serial)")
            next.custom = (next.custom ?? .empty).replacing([
                ("rollout", .object([("salt", salt), ("share", .integer(share))]))
            ])
            remove(next.path)
            entries.append(next)
            entries.sort { $0.path < $1.path }
            note(.rollingOut, id, next.path, next.digest, before: before, share: share)
        }
    }

    // MARK: Taking back

    /// Revokes a digest. From its next refresh on, no device uses that version, wherever the device got it. Returns the
    /// markets whose published version is revoked.
    mutating func revoke(_ digest: String) throws(PublishingError) -> [String] {
        let known = try publications().flatMap { $0 }
        let found = Set(known.filter { $0.digest.hasPrefix(digest.lowercased()) && $0.market != nil }.map(\.digest))
        guard digest.count >= 8, found.count == 1, let whole = found.first else {
            let reason =
                digest.count < 8
                ? "is too short; use at least 8 digits"
                : found.isEmpty ? "was never published here" : "matches several digests"
            throw .refused("the digest \(digest) \(reason); glass-delivery publish --check lists the published ones")
        }
        guard !revoked.contains(whole) else { throw .refused("\(whole) is already revoked") }
        revoked = (revoked + [whole]).sorted()
        for entry in entries where entry.digest == whole && entry.path.hasSuffix(".next.json") { remove(entry) }
        let current = entries.filter { $0.digest == whole }.compactMap(\.market)
        var noted: Set<String> = []
        for entry in known.sorted(by: { $0.path < $1.path }) where entry.digest == whole {
            guard let market = entry.market, noted.insert(market).inserted else { continue }
            note(.withdrawn, market, entry.path, whole)
        }
        return Set(current).sorted()
    }

    /// The entries of each publication, those of the current one first.
    private func publications() throws(PublishingError) -> [[TargetEntry]] {
        var known = [entries]
        for version in folder.versions(of: "targets") {
            guard let old = try targets(version) else { continue }
            known.append(try PublishedState.entries(of: old))
        }
        return known
    }

    private func targets(_ version: Int) throws(PublishingError) -> SignedMetadata? {
        let name = "metadata/\(version).targets.json"
        guard let bytes = try folder.read(name, limit: SignedMetadata.maximumBytes) else { return nil }
        return try SignedMetadata(reading: bytes, name)
    }

    /// Republishes the versions that an earlier publication had for all installations, and ends a rollout. A rollout of
    /// that time is not started again.
    mutating func goBack(
        to serial: Int, markets: [String], after state: PublishedState
    ) throws(PublishingError) {
        guard let old = try targets(serial), try Self.isSigned(old, by: state.roots) else {
            let versions = folder.versions(of: "targets").filter { $0 < self.serial - 1 }
            throw .refused(
                "there is no publication \(serial) to roll back to; there are "
                    + (versions.isEmpty ? "no earlier ones" : versions.map(String.init).joined(separator: ", ")))
        }
        let then = try PublishedState.entries(of: old)
        let known = Set((then + entries).compactMap(\.market))
        for id in markets where !known.contains(id) {
            throw .impossible("the market \(id) is not published, and was not in publication \(serial)")
        }
        for id in markets.isEmpty ? known.sorted() : markets {
            let (foreign, current) = (then.filter { $0.market == id && !$0.isReadable }, foreignEntries(of: id))
            if let foreign = foreign.first(where: { !current.contains($0) }) {
                throw .refused(
                    "publication \(serial) lists \(foreign.path), whose format this version does not write: publish the "
                        + "former files of the market again")
            }
            let paths = ["", ".next", ".map", ".next.map"].map { PublishedMarket.path(of: id, $0) }
            let former = then.filter { [paths[0], paths[2]].contains($0.path) }
            let now = entries.filter { paths.contains($0.path) }
            let outdated = current.filter { !foreign.contains($0) }
            guard former != now || !outdated.isEmpty else { continue }
            for entry in former where revoked.contains(entry.digest) {
                throw .refused(
                    "publication \(serial) has a version of the market \(id) that is revoked "
                        + "(\(entry.digest.prefix(12))…); choose another publication")
            }
            entries = (entries.filter { !paths.contains($0.path) && !outdated.contains($0) } + former)
                .sorted { $0.path < $1.path }
            let (target, before) = (former.first { $0.path == paths[0] }, now.first { $0.path == paths[0] })
            dispositions.append(
                Disposition(
                    market: id, kind: target == nil ? .withdrawn : before == nil ? .new : .changed, path: paths[0],
                    digest: target?.digest, before: before, share: nil))
        }
        guard isChanged else { throw .refused("publication \(serial) is the same as the current one") }
    }

    /// Whether targets metadata was signed by the keys of any of the roots. Without this check, a file that someone
    /// placed in the folder would be signed again.
    private static func isSigned(_ targets: SignedMetadata, by roots: [[UInt8]]) throws(PublishingError) -> Bool {
        for bytes in roots {
            let root = try RootDocument(SignedMetadata(reading: bytes, "a root").signed, "a root")
            if root[.targets].isMet(by: targets) { return true }
        }
        return false
    }

    /// The content of a published file.
    func content(of entry: TargetEntry) throws(PublishingError) -> [UInt8] {
        if let new = objects.last(where: { $0.name == entry.file }) { return new.bytes }
        guard let bytes = try folder.read(entry.file, limit: entry.length), bytes.sha256 == entry.digest else {
            throw .impossible(
                "\(folder.path)/\(entry.file) is missing or differs from the listed file; restore it from a backup, or "
                    + "from the server")
        }
        return bytes
    }

    /// A percentage in the form that users write: `25%`, `0.5%`.
    static func percent(_ share: Int) -> String {
        let (whole, rest) = share.quotientAndRemainder(dividingBy: 100)
        if rest == 0 { return "\(whole)%" }
        let digits = rest < 10 ? "0\(rest)" : "\(rest)"
        return "\(whole).\(digits.hasSuffix("0") ? String(digits.dropLast()) : digits)%"
    }
}
