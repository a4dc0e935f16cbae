import Foundation

/// Finds the folders of the files that one message names, which may be tens of thousands.
struct KnownFolders {
    private let folders: [(index: Int, path: String)]
    /// The folders with no symbolic link in their paths.
    private lazy var real = folders.map { ($0.index, Self.resolved($0.path)) }
    /// What was found for the folder of a file: asking the system for each of its files takes a second for 20,000.
    private var found: [String: (folder: Int, prefix: String)?] = [:]

    init(_ folders: [(index: Int, path: String)]) {
        self.folders = folders
    }

    /// The folder that a file is in, and its name below that; nil for none.
    mutating func home(of path: String) -> (folder: Int, name: String)? {
        guard let slash = path.lastIndex(of: "/") else { return nil }
        let parent = String(path[..<slash])
        let home = found[parent] ?? find(parent)
        found[parent] = .some(home)
        return home.map { ($0.folder, $0.prefix + path[path.index(after: slash)...]) }
    }

    private mutating func find(_ folder: String) -> (folder: Int, prefix: String)? {
        if let known = Self.find(folder, in: folders) { return known }
        // The client may know the folder, or the file, by another way to it.
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
