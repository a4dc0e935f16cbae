import Foundation

/// The paths of the files in a report: relative to the repository, regardless of the folder in which the program runs,
/// because readers of a report know only the repository.
struct ReportPaths: Sendable {
    private let root: [Substring]
    private let current: [Substring]
    /// The path to report if no file is concerned.
    let fallback: String

    /// Creates paths relative to a folder.
    init(root: String, current: String, fallback: String) {
        self.root = root.split(separator: "/")
        self.current = current.split(separator: "/")
        self.fallback = fallback
    }

    /// Leaves paths unchanged, for files whose paths are already relative to the repository.
    static func below(_ fallback: String) -> ReportPaths { ReportPaths(root: "/", current: "/", fallback: fallback) }

    /// The paths of this process: relative to the nearest enclosing git repository, or else to the working directory.
    static func ofProcess(fallback: String) -> ReportPaths {
        let current = FileManager.default.currentDirectoryPath
        var folder = URL(fileURLWithPath: current, isDirectory: true)
        while folder.path != "/" {
            // `.git` is a folder in the repository itself, and a file in one of its linked working trees.
            if FileManager.default.fileExists(atPath: folder.appending(path: ".git").path) {
                return ReportPaths(root: folder.path, current: current, fallback: fallback)
            }
            folder.deleteLastPathComponent()
        }
        return ReportPaths(root: current, current: current, fallback: fallback)
    }

    /// The path of a file.
    func path(of file: String?) -> String {
        let file = file ?? fallback
        var parts = file.hasPrefix("/") ? [] : current
        for part in file.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        guard parts.starts(with: root), parts.count > root.count else { return "/" + parts.joined(separator: "/") }
        return parts.dropFirst(root.count).joined(separator: "/")
    }

    /// The path of a file as a URI reference (RFC 3986, 4.2).
    func reference(to file: String?) -> (uri: String, isRelative: Bool) {
        let path = path(of: file)
        // A colon in the first segment would end a scheme, so everything but unreserved characters is escaped (2.3).
        let encoded = path.utf8.reduce(into: "") { text, byte in
            switch UnicodeScalar(byte) {
            case "A"..."Z", "a"..."z", "0"..."9", "-", ".", "_", "~", "/":
                text.unicodeScalars.append(UnicodeScalar(byte))
            default: text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return path.hasPrefix("/") ? ("file://" + encoded, false) : (encoded, true)
    }
}
