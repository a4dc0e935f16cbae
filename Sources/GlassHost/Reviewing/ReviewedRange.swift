import GlassBase
import GlassMarketFiles
import GlassAuthoring

/// The two states that a command line specifies: `A..B`, `A...B`, `A`, or nothing.
struct ReviewedRange: Equatable {
    /// The older side; `HEAD` by default.
    let base: String
    /// The newer side; nil for the working files.
    let head: String?
    /// Whether the older side is the common ancestor of the two.
    let isFromAncestor: Bool

    /// Parses a range in git's syntax.
    init(_ text: String?) {
        guard let text else {
            (base, head, isFromAncestor) = ("HEAD", nil, false)
            return
        }
        for (separator, isFromAncestor) in [("...", true), ("..", false)] {
            guard let place = text.firstRange(of: separator) else { continue }
            let (left, right) = (String(text[..<place.lowerBound]), String(text[place.upperBound...]))
            base = left.isEmpty ? "HEAD" : left
            head = right.isEmpty ? "HEAD" : right
            self.isFromAncestor = isFromAncestor
            return
        }
        (base, head, isFromAncestor) = (text, nil, false)
    }

    /// Creates a range from a commit to the working files.
    init(base: String) { (self.base, head, isFromAncestor) = (base, nil, false) }

    /// Reads both sides.
    func folders(
        _ session: Session
    ) throws -> (base: ReviewedFolder, head: ReviewedFolder, notices: [String]) {
        do throws(GitFailure) {
            let repository = try session.repository()
            var older = try repository.commit(base)
            let newer = try head.map { name throws(GitFailure) in try repository.commit(name) }
            if isFromAncestor, let newer { older = try repository.mergeBase(of: older, and: newer) }
            let newerTree = try newer.map { commit throws(GitFailure) in
                try repository.markets(at: commit) ?? MarketTree(missing: repository.path, at: commit.name)
            }
            let newerFolder = newerTree.map { MarketFolder($0) } ?? session.options.marketFolder
            var (olderTree, notices): (MarketTree?, [String]) = (try repository.markets(at: older), [])
            if olderTree == nil {
                // A folder that cannot be listed is reported when it is reviewed.
                let ids = (try? newerFolder.marketIDs()) ?? []
                var moved: String?
                var others = "no other folder with these markets"
                do throws(GitFailure) {
                    moved = try repository.folder(of: ids, at: older)
                } catch GitFailure.tooLarge {
                    others = "too many files to search for these markets elsewhere"
                }
                if let path = moved {
                    olderTree = try repository.markets(at: older, path: path)
                    notices = ["the markets were in \(path.isEmpty ? "." : path) at \(older.name)"]
                } else {
                    notices = ["\(older.name) has no folder \(repository.path), and \(others)"]
                }
            }
            return try sides(
                session, repository, (older, olderTree), (newer, newerFolder, newerTree?.path), notices)
        } catch {
            throw CommandFailure(status: .impossible, "\(error)")
        }
    }

    private func sides(
        _ session: Session, _ repository: GitRepository, _ older: (commit: GitRepository.Commit, tree: MarketTree?),
        _ newer: (commit: GitRepository.Commit?, folder: MarketFolder, path: String?), _ notices: [String]
    ) throws(GitFailure) -> (base: ReviewedFolder, head: ReviewedFolder, notices: [String]) {
        let loaders: (MarketLoader?, MarketLoader)
        do {
            loaders = (
                try older.tree.map { try session.loader(of: MarketFolder($0)) }, try session.loader(of: newer.folder)
            )
        } catch {
            throw .failed(command: "", status: 0, message: "\(error)")
        }
        let base = ReviewedFolder(
            side: Review.Side(name: older.commit.name, commit: older.commit.id), loader: loaders.0,
            path: older.tree?.path ?? repository.path)
        let head = ReviewedFolder(
            side: Review.Side(name: newer.commit?.name ?? "the working tree", commit: newer.commit?.id),
            loader: loaders.1, path: newer.path ?? repository.path)
        return (base, head, notices)
    }
}
