import Foundation
import GlassBase
import GlassMarketFiles

extension Session {
    /// The repository that contains the markets. Git itself would follow a symbolic link into another repository.
    func repository() throws(GitFailure) -> GitRepository {
        if options.namedMarkets == nil, FileManager.default.fileExists(atPath: options.markets) {
            do throws(MarketFolderError) {
                _ = try options.marketFolder.marketIDs()
            } catch {
                throw .refusedRepository("\(error)")
            }
        }
        return try GitRepository(around: options.markets, budget: git)
    }

    /// The markets folder to compare with: a folder on disk, or else the folder of a commit.
    func older(_ name: String) throws -> MarketFolder {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: name, isDirectory: &isFolder) && isFolder.boolValue
        // A reference cannot start like a path.
        if exists || name.hasPrefix("/") || name.hasPrefix(".") { return MarketFolder(path: name) }
        do throws(GitFailure) {
            let repository = try repository()
            let commit = try repository.commit(name)
            guard let tree = try repository.markets(at: commit) else {
                throw .failed(command: "ls-tree", status: 0, message: "\(name) has no folder \(repository.path)")
            }
            if !console.isQuiet {
                Console.message("comparing with the commit \(String(commit.id.prefix(12))), \(name)")
            }
            return MarketFolder(tree)
        } catch {
            throw CommandFailure(
                status: .impossible, "\(name) is not a folder, and using it as a git reference failed: \(error)")
        }
    }
}
