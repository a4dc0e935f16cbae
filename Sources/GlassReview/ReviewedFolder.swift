package import GlassMarketFiles
package import GlassSchema

/// One of the two states of a markets folder that are compared.
package struct ReviewedFolder: Sendable {
    /// How it is called.
    package let side: Review.Side
    /// Loads its markets; nil where there is no such folder.
    package let loader: MarketLoader?
    /// What stands before the names of its files: the folder's path below the repository.
    package let path: String

    /// Describes a state.
    package init(side: Review.Side, loader: MarketLoader?, path: String) {
        self.side = side
        self.loader = loader
        self.path = path
    }

    /// The ids of its markets.
    func marketIDs() throws(MarketFolderError) -> [String] { try loader?.folder.marketIDs() ?? [] }

    /// The place of a market's file.
    func file(of id: String) -> SourcePosition { SourcePosition(file: join("\(id).lua"), line: 1, column: 1) }

    /// A place as a reader of the repository finds it.
    package func shown(_ position: SourcePosition?) -> SourcePosition? {
        guard var position, let name = loader?.folder.name(of: position.file) else { return position }
        position.file = join(name)
        return position
    }

    private func join(_ name: String) -> String { path.isEmpty ? name : "\(path)/\(name)" }
}
