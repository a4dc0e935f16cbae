import Foundation
import GlassMarketFiles

/// The folder that the markets of a project are in, found from any folder below it as git finds its root.
enum ProjectFolder {
    /// How deep below the project's folder somebody may be.
    private static let maximumLevels = 64

    /// The way there, to put before the name of something in it: `../../`. Nothing for this folder, also where there is no
    /// such folder.
    static var current: String { CommandContext.current.wayToProject(find) }

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

    /// Whether a folder has a folder `markets`: any here, because its owner may be about to fill it, and above one with a
    /// market in it.
    private static func hasMarkets(_ way: String) -> Bool {
        var status = stat()
        guard stat(way + "markets", &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return false }
        if way.isEmpty { return true }
        // One that cannot be read is none of this user's.
        return (try? MarketFolder(found: way + "markets").marketIDs().isEmpty) == false  // as above
    }
}
