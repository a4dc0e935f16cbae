import Foundation
import GlassBase
import GlassMarketFiles
import GlassAuthoring
import GlassSchema

/// Files of links that people have used.
struct RecordedLinkFiles {
    /// The maximum size of all files together, in bytes: as many links as a review opens on both sides in a few
    /// seconds.
    private static let maximumBytes = 8 << 20
    /// The maximum number of lines in all files together.
    private static let maximumLines = 50_000
    /// The maximum number of files in the default folder, to which anyone who changes the project can add files.
    private static let maximumFiles = 1_000

    private let paths: [String]
    /// The default folder in which the files were found; nil if the user named the files.
    private let folder: ConfinedDirectory?

    /// Uses the named files or, if there are none, the files in the folder `links` next to the markets folder.
    init(_ paths: [String], beside markets: String) throws {
        guard paths.isEmpty else {
            (self.paths, folder) = (paths, nil)
            return
        }
        let slash = MarketFolder(path: markets).path.lastIndex(of: "/")
        let folder = ConfinedDirectory(found: (slash.map { String(markets[...$0]) } ?? "") + "links")
        self.folder = folder
        do throws(FileFailure) {
            self.paths = try folder.names().filter { $0.hasSuffix(".txt") && !$0.hasPrefix(".") }.sorted()
        } catch {
            // Without the folder, there are no recorded links.
            guard error.kind == .missing else { throw Self.failure("cannot read \(folder.path): \(error.reason)") }
            self.paths = []
        }
        guard self.paths.count <= Self.maximumFiles else {
            throw Self.failure("\(folder.path) has more than \(Self.maximumFiles.grouped) files of links")
        }
    }

    /// Reads the links, as `open --from` does: one per line, without blank lines and lines that begin with `#`.
    func links() throws -> [RecordedLink] {
        var links: [RecordedLink] = []
        var seen: Set<String> = []
        var (bytes, lines) = (0, 0)
        for path in paths {
            var reader = try reader(of: path)
            // If a file reports its size, it need not be read to check the limit.
            try check(bytes + (reader.size ?? 0), lines, reader)
            while let line = try reader.nextLine() {
                try check(bytes + reader.bytesRead, lines + reader.linesRead, reader)
                // A line that is not valid UTF-8 never opened anything, so it cannot be lost.
                guard let first = line.first, first != UInt8(ascii: "#"),
                    let text = String(validating: line, as: UTF8.self), seen.insert(text).inserted
                else { continue }
                links.append(RecordedLink(text, at: SourcePosition(file: reader.path, line: reader.linesRead)))
            }
            bytes += reader.bytesRead
            lines += reader.linesRead
        }
        return links
    }

    private func reader(of name: String) throws -> LineReader {
        guard let folder else { return try LineReader(path: name) }
        return try LineReader(name, in: folder, path: "\(folder.path)/\(name)")
    }

    private func check(_ bytes: Int, _ lines: Int, _ reader: LineReader) throws(CommandFailure) {
        guard bytes > Self.maximumBytes || lines > Self.maximumLines else { return }
        let limit =
            lines > Self.maximumLines
            ? "\(Self.maximumLines.grouped) lines" : "\(Self.maximumBytes.grouped) bytes"
        throw Self.failure("the files of links up to \(reader.path) have more than \(limit)")
    }

    private static func failure(_ text: DisplayText) -> CommandFailure {
        CommandFailure(status: .impossible, text + "; name those to read with --links FILE")
    }
}
