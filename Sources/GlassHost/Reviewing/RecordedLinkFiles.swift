import Foundation
import GlassMarketFiles
import GlassReview
import GlassSchema

/// Files of links that people have used.
struct RecordedLinkFiles {
    private let paths: [String]

    /// Names files.
    init(_ paths: [String], beside markets: String) {
        guard paths.isEmpty else {
            self.paths = paths
            return
        }
        let slash = MarketFolder(path: markets).path.lastIndex(of: "/")
        let folder = (slash.map { String(markets[...$0]) } ?? "") + "links"
        let names = try? BeneathFolder(folder).names()  // without such a folder there are no such links
        self.paths = (names ?? []).filter { $0.hasSuffix(".txt") && !$0.hasPrefix(".") }.sorted()
            .map { "\(folder)/\($0)" }
    }

    /// Reads the links, as `open --from` does: one a line, without blank lines and those that begin with `#`.
    func links() throws -> [RecordedLink] {
        var links: [RecordedLink] = []
        var seen: Set<String> = []
        for path in paths {
            var reader = try LineReader(path: path)
            while let line = try reader.nextLine() {
                guard let first = line.first, first != UInt8(ascii: "#"),
                    let text = String(validating: line, as: UTF8.self), seen.insert(text).inserted
                else { continue }
                links.append(RecordedLink(text, at: SourcePosition(file: path, line: reader.linesRead)))
            }
        }
        return links
    }
}
