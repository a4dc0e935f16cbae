package import GlassMarketFiles
package import GlassSchema

/// One of the two compared states of a markets folder.
package struct ReviewedFolder: Sendable {
    /// Its name and commit.
    package let side: Review.Side
    /// Loads its markets; nil if the folder does not exist.
    package let loader: MarketLoader?
    /// The prefix of the names of its files: the folder's path in the repository.
    package let path: String

    /// Creates a state.
    package init(side: Review.Side, loader: MarketLoader?, path: String) {
        self.side = side
        self.loader = loader
        self.path = path
    }

    /// The ids of its markets.
    package func marketIDs() throws(MarketFolderError) -> [String] { try loader?.folder.marketIDs() ?? [] }

    /// The position of a market's file.
    func file(of id: String) -> SourcePosition { SourcePosition(file: join("\(id).lua"), line: 1, column: 1) }

    /// A position with its path in the repository.
    package func shown(_ position: SourcePosition?) -> SourcePosition? {
        guard var position, let name = loader?.folder.name(of: position.file) else { return position }
        position.file = join(name)
        return position
    }

    private func join(_ name: String) -> String { path.isEmpty ? name : "\(path)/\(name)" }
}
