import Foundation
import GlassBase
import GlassDelivery

/// What was published, when, by whom, from which commit, and why.
///
/// The log is a file of JSON lines, one for each change. It lies beside the published folder and never in it, because
/// everything in the folder is served. Each line has the SHA-256 digest of the line before, so that a line that somebody
/// changed or removed later no longer fits.
///
/// A line is written before the files of its publication. It has the version of the targets that it follows, so that a
/// later line, or the published targets themselves, show whether the publication was completed.
struct PublicationLog: Sendable {
    /// The path of the file.
    let path: String

    /// More lines than a publisher writes in its life.
    private static let maximumBytes = 64 << 20

    /// The log of a folder.
    ///
    /// - Parameter path: The file that the user named; otherwise the folder's own name with `.log.jsonl`.
    init(of folder: RepositoryFolder, at path: String?) throws(PublishingError) {
        self.path = path ?? "\(RepositoryFolder.whole(folder.path)).log.jsonl"
        guard !folder.contains(self.path) else {
            throw .impossible(
                "the log \(self.path) would be served with \(folder.path); name a file outside of that folder with --log"
            )
        }
    }

    /// A line.
    struct Line: Sendable {
        /// Its members.
        let json: StrictJSON
        /// The SHA-256 digest of its bytes, which the next line has.
        let digest: String

        /// Reads a line.
        fileprivate init(reading bytes: [UInt8]) throws(StrictJSONError) {
            json = try StrictJSON(reading: bytes, limit: 64 << 10)
            digest = bytes.sha256
        }

        /// The text of a member.
        subscript(key: String) -> String? { json[key]?.stringValue }
        /// The versions of the targets and of the root that its publication wrote, and of the targets that it follows.
        var targets: Int? { json["targets"]?.intValue }
        var root: Int? { json["root"]?.intValue }
        var after: Int? { json["after"]?.intValue }
        /// The serial of the market's version.
        var serial: Int? { json["serial"]?.intValue }
        /// The percentage of installations, in units of 0.01%; `nil` for all.
        var share: Int? { json["share"]?.intValue }
        /// Whether its publication still waited for signatures.
        var isStaged: Bool { json["staged"]?.boolValue == true }
    }

    // MARK: Writing

    /// Who publishes, and why.
    struct Entry: Sendable {
        /// The command.
        let command: String
        /// The user.
        let user: String
        /// The commit of the markets, if they are in a repository.
        var commit: String?
        /// The reason that the user gave.
        let reason: String?

        /// The name that the system of the continuous integration has for the person, or the name of the user's account.
        static func user(in environment: [String: String]) -> String {
            let names = ["GITHUB_ACTOR", "GITLAB_USER_LOGIN", "USER", "LOGNAME"]
            return names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? NSUserName()
        }
    }

    /// Adds the lines of a publication, all or none.
    ///
    /// A staged publication has lines, too. Once it is signed, its lines get the commit and the reason from them.
    func add(
        _ entry: Entry, at time: UpdateTime, after state: PublishedState?, root: SignedMetadata?,
        targets: SignedMetadata?, isStaged: Bool = false
    ) throws(PublishingError) {
        guard root != nil || targets != nil else { return }
        var bytes = try self.bytes() ?? []
        let staged = Self.staged(in: bytes, targets)
        let common: [(String, StrictJSON?)] = [
            ("at", .string("\(time)")), ("by", .string(entry.user)), ("command", .string(entry.command)),
            ("commit", (entry.commit ?? staged?["commit"]).map(StrictJSON.string)),
            ("reason", (entry.reason ?? staged?["reason"]).map(StrictJSON.string)),
            ("staged", isStaged ? .boolean(true) : nil),
            ("after", .integer(state?.targets?.version ?? 0)), ("root", (root?.version).map(StrictJSON.integer)),
            ("targets", (targets?.version).map(StrictJSON.integer)),
            ("targetsDigest", targets.map { .string(Self.digest(of: $0)) }),
        ]
        var changes: [[(String, StrictJSON?)]] = []
        if root != nil { changes.append([("change", .string("root"))]) }
        if let targets {
            let before = try state?.entries() ?? []
            changes += Self.changes(
                from: before, to: try PublishedState.entries(of: targets),
                revoked: Set(PublishedState.revoked(in: targets)).subtracting(state?.revoked ?? []).sorted())
            if changes.isEmpty { changes = [[("change", .string("renewed"))]] }
        }
        if let last = bytes.last, last != 0x0A { bytes.append(0x0A) }
        var previous = bytes.isEmpty ? "" : Array(bytes.dropLast().split(separator: 0x0A).last ?? []).sha256
        for change in changes {
            let line = StrictJSON.empty.replacing(common + change + [("previous", .string(previous))]).text()
            previous = line.sha256
            bytes += line + [0x0A]
        }
        do throws(FileFailure) {
            let (folder, name) = ConfinedDirectory.split(path)
            var writing = ConfinedDirectory.Writing(mode: 0o600)
            writing.isDurable = true
            try folder.write(bytes, to: name, as: writing)
        } catch {
            throw .impossible("cannot write the log \(path): \(error.reason); nothing was published")
        }
    }

    /// The digest of targets without their signatures, which are added one by one.
    private static func digest(of targets: SignedMetadata) -> String { targets.signed.canonical().sha256 }

    /// The last line of targets that waited for signatures.
    private static func staged(in bytes: [UInt8], _ targets: SignedMetadata?) -> Line? {
        guard let digest = targets.map(digest(of:)) else { return nil }
        for text in bytes.split(separator: 0x0A).reversed() {
            // A damaged line is reported by `log --check`, and prevents no publication.
            guard let line = try? Line(reading: Array(text)), line.isStaged, line["targetsDigest"] == digest else {
                continue
            }
            return line
        }
        return nil
    }

    /// What changed for devices between two lists of files.
    private static func changes(
        from before: [TargetEntry], to entries: [TargetEntry], revoked: [String]
    ) -> [[(String, StrictJSON?)]] {
        func line(_ change: String, _ entry: TargetEntry) -> [(String, StrictJSON?)] {
            [
                ("change", .string(change)), ("market", entry.market.map(StrictJSON.string)),
                ("digest", .string(entry.digest)), ("serial", entry.serial.map(StrictJSON.integer)),
                ("share", entry.share.map(StrictJSON.integer)), ("app", entry.apps.json),
            ]
        }
        let published = entries.filter { $0.market != nil && !before.contains($0) }
        let gone = before.filter { old in
            old.market != nil && !entries.contains { $0.path == old.path }
                // A rollout to all installations has the line of the version for all.
                && !entries.contains { $0.digest == old.digest }
        }
        return published.map { line($0.share == nil ? "published" : "rolling out", $0) }
            + gone.map { line("withdrawn", $0) }
            + revoked.map { digest in
                before.first { $0.digest == digest }.map { line("revoked", $0) }
                    ?? [("change", .string("revoked")), ("digest", .string(digest))]
            }
    }

    // MARK: Reading

    private func bytes() throws(PublishingError) -> [UInt8]? {
        do throws(FileFailure) {
            let (folder, name) = ConfinedDirectory.split(path)
            return try folder.contents(of: name, limit: Self.maximumBytes)
        } catch {
            if error.kind == .missing { return nil }
            throw .impossible("cannot read the log \(path): \(error.reason)")
        }
    }

    /// The lines and what is wrong with them.
    struct Reading: Sendable {
        /// The lines in order.
        var lines: [Line] = []
        /// The lines whose publication was interrupted before devices could see it, by index.
        var unfinished: Set<Int> = []
        /// Why the log is not complete, or not as it was written.
        var problems: [String] = []
        /// The version of the targets that was published before the log was started; 0 if nothing was.
        var start: Int { lines.lazy.compactMap(\.after).first ?? 0 }
    }

    /// Reads the log, and compares it with the publication. Returns `nil` if there is no log.
    func reading(beside state: PublishedState) throws(PublishingError) -> Reading? {
        guard let bytes = try bytes() else { return nil }
        var reading = Reading()
        var previous: String?
        for (index, text) in bytes.split(separator: 0x0A).enumerated() {
            let line: Line
            do {
                line = try Line(reading: Array(text))
            } catch {
                reading.problems.append("line \(index + 1) is damaged: \(error)")
                return reading
            }
            if line["previous"] != previous ?? "" {
                reading.problems.append(
                    index == 0
                        ? "line 1 is not the first: the lines before it were removed"
                        : "line \(index + 1) does not follow line \(index): one of them was changed, or lines between "
                            + "them were removed or added")
            }
            previous = line.digest
            reading.lines.append(line)
        }
        let published = state.targets.map { (version: $0.version, digest: Self.digest(of: $0)) }
        reading.unfinished = Self.unfinished(reading.lines, published)
        /// The version of the targets that devices had after the publications so far.
        var current: Int?
        for (index, line) in reading.lines.enumerated() where !reading.unfinished.contains(index) && !line.isStaged {
            guard let targets = line.targets else { continue }
            if let current, current != targets, line.after != current {
                reading.problems.append(
                    "line \(index + 1) follows targets \(line.after ?? 0), and the log has only \(current): what was "
                        + "published between them is not in the log")
            }
            current = targets
        }
        if let published, current != published.version {
            reading.problems.append(
                "targets \(published.version) is published, and the log does not have it: the end of the log was "
                    + "removed, the publication was made without it, or the folder was edited, which "
                    + "glass-delivery publish --check shows")
        }
        return reading
    }

    /// The lines whose publication was interrupted before devices could see it: the next one follows an earlier version
    /// of the targets, and uses this version again if its files were not written.
    private static func unfinished(_ lines: [Line], _ published: (version: Int, digest: String)?) -> Set<Int> {
        var unfinished: Set<Int> = []
        var next: (after: Int, targets: Int, digest: String, isFinished: Bool)?
        for (index, line) in lines.enumerated().reversed() {
            guard !line.isStaged, let targets = line.targets, let digest = line["targetsDigest"] else { continue }
            let isFinished: Bool
            if let next, next.targets == targets, next.digest == digest {
                // The lines of one publication have the same version and digest.
                isFinished = next.isFinished
            } else if let next {
                isFinished = next.after >= targets
            } else {
                isFinished =
                    published.map { $0.version > targets || $0.version == targets && $0.digest == digest } ?? false
            }
            if !isFinished { unfinished.insert(index) }
            next = (line.after ?? 0, targets, digest, isFinished)
        }
        return unfinished
    }
}
