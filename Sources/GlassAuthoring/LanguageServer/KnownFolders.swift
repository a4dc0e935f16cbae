import Foundation

/// Finds the folders of the files in one message, which may be tens of thousands.
struct KnownFolders {
    private let folders: [(index: Int, path: String)]
    /// The folders with the symbolic links in their paths resolved.
    private lazy var real = folders.map { ($0.index, Self.resolved($0.path)) }
    /// The result for each file's parent folder: resolving each of 20,000 files would take a second.
    private var found: [String: (folder: Int, prefix: String)?] = [:]

    init(_ folders: [(index: Int, path: String)]) {
        self.folders = folders
    }

    /// The folder that contains a file, and the file's path in it; nil if no known folder contains it.
    mutating func home(of path: String) -> (folder: Int, name: String)? {
        guard let slash = path.lastIndex(of: "/") else { return nil }
        let parent = String(path[..<slash])
        let home = found[parent] ?? find(parent)
        found[parent] = .some(home)
        return home.map { ($0.folder, $0.prefix + path[path.index(after: slash)...]) }
    }

    private mutating func find(_ folder: String) -> (folder: Int, prefix: String)? {
        if let known = Self.find(folder, in: folders) { return known }
        // The client may use another path to the folder or the file, through a symbolic link.
        return Self.find(Self.resolved(folder), in: real)
    }

    private static func find(
        _ folder: String, in folders: [(index: Int, path: String)]
    ) -> (folder: Int, prefix: String)? {
        for (index, path) in folders {
            if folder == path { return (index, "") }
            if folder.hasPrefix(path + "/") { return (index, "\(folder.dropFirst(path.count + 1))/") }
        }
        return nil
    }

    private static func resolved(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }
}
