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

    /// The entries of a market with a suffix, by the generation of the format.
    private func entries(of id: String, _ suffix: String = "") -> [Int: TargetEntry] {
        var found: [Int: TargetEntry] = [:]
        for generation in PublishedMarket.generations {
            found[generation] = entry(PublishedMarket.path(of: id, suffix, generation: generation))
        }
        return found
    }

    private mutating func put(
        _ file: PublishedMarket.File, of id: String, _ suffix: String = "", apps: AppRange, share: Int? = nil
    ) -> TargetEntry {
        let entry = TargetEntry(
            path: PublishedMarket.path(of: id, suffix, generation: file.generation), bytes: file.bytes,
            custom: PublishedMarket.custom(
                of: id, generation: file.generation, serial: serial, apps: apps, share: share))
        put(entry, file.bytes)
        put(TargetEntry(path: entry.mapPath, bytes: file.map), file.map)
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

    /// Lists a market for everyone, in each generation that it has.
    mutating func publish(_ market: PublishedMarket, apps: AppRange) throws(PublishingError) {
        let (id, before, next) = (market.id, entries(of: market.id), entries(of: market.id, ".next"))
        let digests = Dictionary(uniqueKeysWithValues: market.files.map { ($0.generation, $0.bytes.sha256) })
        if !next.isEmpty, next.mapValues(\.digest) == digests {
            for (generation, entry) in next.sorted(by: { $0.key < $1.key }) {
                note(.unchanged, id, entry.path, entry.digest, before: before[generation], share: entry.share)
            }
            return
        }
        let isUnchanged = before.mapValues(\.digest) == digests && before.values.allSatisfy { $0.apps == apps }
        if let next = next[CompiledMarket.plain], !isUnchanged {
            throw .refused(
                "another version of the market \(id) is being rolled out (\(Self.percent(next.share ?? 0))); "
                    + "complete or withdraw it first with glass-delivery rollout \(id) 100% or 0%")
        }
        for file in market.files {
            let (old, digest) = (before[file.generation], digests[file.generation] ?? "")
            let path = PublishedMarket.path(of: id, generation: file.generation)
            if let old, old.digest == digest, old.apps == apps {
                note(.unchanged, id, path, digest, before: old)
                continue
            }
            try requireUsable(digest, id)
            _ = put(file, of: id, apps: apps)
            note(old == nil ? .new : .changed, id, path, digest, before: old)
        }
        withdraw(before, except: Set(digests.keys), of: id)
    }

    /// Removes the entries of generations that a market no longer has. Devices would prefer them.
    private mutating func withdraw(_ listed: [Int: TargetEntry], except kept: Set<Int>, of id: String) {
        for (generation, entry) in listed.sorted(by: { $0.key < $1.key }) where !kept.contains(generation) {
            remove(entry)
            note(.withdrawn, id, entry.path, nil, before: entry)
        }
    }

    // MARK: Rolling out

    /// Releases a version of a market to a percentage of the installations.
    mutating func rollOut(_ market: PublishedMarket, share: Int, apps: AppRange) throws(PublishingError) {
        let (id, before) = (market.id, entries(of: market.id))
        guard before[CompiledMarket.plain] != nil else {
            throw .refused(
                "the market \(id) is not published yet, so other installations would have no version; publish it first")
        }
        let digests = Dictionary(uniqueKeysWithValues: market.files.map { ($0.generation, $0.bytes.sha256) })
        guard before.mapValues(\.digest) != digests else {
            throw .refused("the market \(id) is already published in this version; change it before a rollout")
        }
        for digest in digests.values { try requireUsable(digest, id) }
        for file in market.files {
            let entry = put(file, of: id, ".next", apps: apps, share: share)
            note(.rollingOut, id, entry.path, entry.digest, before: before[file.generation], share: share)
        }
    }

    /// The entry of the version that is being rolled out, if any.
    func rollout(of id: String) -> TargetEntry? { entry(PublishedMarket.path(of: id, ".next")) }

    /// Changes the percentage of a rollout. At 100%, it becomes the version for everyone; at 0%, it is withdrawn.
    mutating func setShare(of id: String, to share: Int) throws(PublishingError) {
        let (next, before) = (entries(of: id, ".next"), entries(of: id))
        guard !next.isEmpty else {
            throw .refused(
                "no version of the market \(id) is being rolled out; start with a percentage between 0% and 100%")
        }
        for (generation, entry) in next.sorted(by: { $0.key < $1.key }) {
            var entry = entry
            let path = PublishedMarket.path(of: id, generation: generation)
            switch share {
            case 0:
                remove(entry)
                note(.withdrawn, id, entry.path, nil, before: entry)
            case 10_000:
                let bytes = try content(of: entry)
                let promoted = TargetEntry(
                    path: path, bytes: bytes,
                    custom: PublishedMarket.custom(
                        of: id, generation: generation, serial: entry.serial ?? serial, apps: entry.apps))
                put(promoted, bytes)
                if let map = self.entry(entry.mapPath) {
                    let bytes = try content(of: map)
                    put(TargetEntry(path: promoted.mapPath, bytes: bytes), bytes)
                }
                remove(entry)
                note(.changed, id, path, entry.digest, before: before[generation])
            default:
                let salt = entry.custom?["rollout"]?["salt"] ?? .string("\(id)-\(entry.serial ?? serial)")
                entry.custom = (entry.custom ?? .empty).replacing([
                    ("rollout", .object([("salt", salt), ("share", .integer(share))]))
                ])
                remove(entry.path)
                entries.append(entry)
                entries.sort { $0.path < $1.path }
                note(.rollingOut, id, entry.path, entry.digest, before: before[generation], share: share)
            }
        }
        if share == 10_000 { withdraw(before, except: Set(next.keys), of: id) }
    }

    // MARK: Taking back

    /// Revokes a digest. From its next refresh on, no device uses that version, wherever the device got it. Returns the
    /// markets whose published version is revoked.
    ///
    /// Other generations of the version are revoked with it, unless they were also published without it.
    mutating func revoke(_ digest: String) throws(PublishingError) -> [String] {
        let publications = try everyPublication()
        let known = publications.flatMap(\.self)
        let found = Set(known.filter { $0.digest.hasPrefix(digest.lowercased()) && $0.market != nil }.map(\.digest))
        guard digest.count >= 8, found.count == 1, let whole = found.first else {
            let reason =
                digest.count < 8
                ? "is too short; use at least 8 digits"
                : found.isEmpty ? "was never published here" : "matches several digests"
            throw .refused("the digest \(digest) \(reason); glass-delivery publish --check lists the published ones")
        }
        guard !revoked.contains(whole) else { throw .refused("\(whole) is already revoked") }
        let all = Self.generations(of: whole, in: publications).union([whole])
        revoked = Set(revoked).union(all).sorted()
        for entry in entries where all.contains(entry.digest) && entry.path.hasSuffix(".next.json") { remove(entry) }
        let current = entries.filter { all.contains($0.digest) }.compactMap(\.market)
        var noted: Set<String> = []
        for entry in known.sorted(by: { $0.path < $1.path }) where all.contains(entry.digest) {
            guard let market = entry.market, noted.insert(entry.digest + market).inserted else { continue }
            note(.withdrawn, market, PublishedMarket.path(of: market, generation: entry.generation), entry.digest)
        }
        return Set(current).sorted()
    }

    /// The digests of a version in other generations: those that were listed only next to it.
    private static func generations(of digest: String, in publications: [[TargetEntry]]) -> Set<String> {
        var (others, apart): (Set<String>, Set<String>) = ([], [])
        for entries in publications {
            let rows = Set(entries.filter { $0.digest == digest }.map(\.row))
            for entry in entries where entry.market != nil && entry.digest != digest {
                if rows.contains(entry.row) { others.insert(entry.digest) } else { apart.insert(entry.digest) }
            }
        }
        return others.subtracting(apart)
    }

    /// The entries of each publication, the current one first.
    private func everyPublication() throws(PublishingError) -> [[TargetEntry]] {
        var publications = [entries]
        for version in folder.versions(of: "targets") {
            guard let old = try targets(version) else { continue }
            publications.append(try PublishedState.entries(of: old))
        }
        return publications
    }

    private func targets(_ version: Int) throws(PublishingError) -> SignedMetadata? {
        let name = "metadata/\(version).targets.json"
        guard let bytes = try folder.read(name, limit: SignedMetadata.maximumBytes) else { return nil }
        return try SignedMetadata(reading: bytes, name)
    }

    /// Republishes the entries of an earlier publication.
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
            throw .refused("the market \(id) is not published, and was not in publication \(serial)")
        }
        for id in markets.isEmpty ? known.sorted() : markets {
            let paths = PublishedMarket.generations.flatMap { generation in
                ["", ".next", ".map", ".next.map"].map { PublishedMarket.path(of: id, $0, generation: generation) }
            }
            let (former, now) = (then.filter { paths.contains($0.path) }, entries.filter { paths.contains($0.path) })
            guard former != now else { continue }
            for entry in former where entry.market != nil { try requireUsable(entry.digest, id) }
            entries = (entries.filter { !paths.contains($0.path) } + former).sorted { $0.path < $1.path }
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
            throw .impossible("\(folder.path)/\(entry.file) is missing or differs from the listed file")
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
