import Foundation

/// What the files of a report are called: by their paths below the repository, whatever folder the program runs in, since
/// who reads the report knows only the repository.
struct ReportPaths: Sendable {
    private let root: [Substring]
    private let current: [Substring]
    /// What stands in for a file where no file is concerned.
    let fallback: String

    /// Names files below a folder.
    init(root: String, current: String, fallback: String) {
        self.root = root.split(separator: "/")
        self.current = current.split(separator: "/")
        self.fallback = fallback
    }

    /// Leaves names as they are, for files that are named below the repository already.
    static func below(_ fallback: String) -> ReportPaths { ReportPaths(root: "/", current: "/", fallback: fallback) }

    /// The paths of this process: below the nearest folder above that is a repository of git, else below this one.
    static func ofProcess(fallback: String) -> ReportPaths {
        let current = FileManager.default.currentDirectoryPath
        var folder = URL(fileURLWithPath: current, isDirectory: true)
        while folder.path != "/" {
            // A folder in the repository itself, a file in a work tree of it.
            if FileManager.default.fileExists(atPath: folder.appending(path: ".git").path) {
                return ReportPaths(root: folder.path, current: current, fallback: fallback)
            }
            folder.deleteLastPathComponent()
        }
        return ReportPaths(root: current, current: current, fallback: fallback)
    }

    /// What a file is called.
    func path(of file: String?) -> String {
        let file = file ?? fallback
        var parts = file.hasPrefix("/") ? [] : current
        for part in file.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        guard parts.starts(with: root), parts.count > root.count else { return "/" + parts.joined(separator: "/") }
        return parts.dropFirst(root.count).joined(separator: "/")
    }

    /// What a file is called, as a reference that a URI can be made of (RFC 3986, 4.2).
    func reference(to file: String?) -> (uri: String, isRelative: Bool) {
        let path = path(of: file)
        // A colon of the first segment would end a scheme, so nothing but the unreserved characters stays (2.3).
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
