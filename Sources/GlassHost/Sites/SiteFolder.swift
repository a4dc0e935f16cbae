import GlassBase
import GlassMarketFiles
import GlassAuthoring
import GlassSites

/// A folder with the files that a site will serve.
struct SiteFolder {
    private static let maximumBytes = 4 << 20

    private let folder: ConfinedDirectory

    /// Creates a site folder, without reading it.
    init(_ path: String) {
        folder = ConfinedDirectory(path)
    }

    /// Reads a file: from the host's own folder, or the file for all hosts, or else the file at the older location.
    func file(_ kind: ServedFile.Kind, of host: String) throws(CommandFailure) -> ServedFile {
        let names = [host + kind.path, String(kind.path.dropFirst())]
        let older = kind.olderPath.map { [host + $0] } ?? []
        for name in names + older + [kind.rawValue] {
            do throws(FileFailure) {
                let bytes = try folder.read(name, limit: Self.maximumBytes)
                let content: ServedFile.Content =
                    bytes.count > Self.maximumBytes ? .tooLong(limit: Self.maximumBytes) : .bytes(bytes)
                return served(kind, host, name, content, isAtOlderPlace: kind.olderPath != nil && !names.contains(name))
            } catch {
                guard error.kind == .missing else {
                    throw CommandFailure(status: .impossible, "cannot read \(folder.path)/\(name): \(error.reason)")
                }
            }
        }
        return served(kind, host, names[0], .missing(status: nil))
    }

    private func served(
        _ kind: ServedFile.Kind, _ host: String, _ name: String, _ content: ServedFile.Content,
        isAtOlderPlace: Bool = false
    ) -> ServedFile {
        ServedFile(
            host: host, kind: kind, place: "\(folder.path)/\(name)", content: content, isServed: false,
            isAtOlderPlace: isAtOlderPlace)
    }
}
