import Foundation
import GlassMarketFiles

/// The folder that contains a project's markets, found from any folder below it, the way git finds its root.
package enum ProjectFolder {
    /// The maximum number of levels to search upward.
    private static let maximumLevels = 64

    /// The relative path to the project folder, as a prefix for names in it: `../../`. Empty if the working directory
    /// is the project folder, or if there is none.
    package static var current: String { CommandContext.current.wayToProject(find) }

    private static func find() -> String {
        var way = ""
        for _ in 0..<maximumLevels {
            if hasMarkets(way) { return way }
            var (here, above) = (stat(), stat())
            // The root is its own parent.
            guard stat(way.isEmpty ? "." : way, &here) == 0, stat(way + "..", &above) == 0,
                here.st_ino != above.st_ino || here.st_dev != above.st_dev
            else { break }
            way += "../"
        }
        return ""
    }

    /// Whether a folder contains a folder `markets`. In the working directory it may be empty, because the user may be
    /// about to fill it; in a parent folder it must contain a market.
    private static func hasMarkets(_ way: String) -> Bool {
        var status = stat()
        guard stat(way + "markets", &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return false }
        if way.isEmpty { return true }
        // A folder that cannot be read does not belong to this user.
        return (try? MarketFolder(found: way + "markets").fileIDs().isEmpty) == false  // as above
    }
}
