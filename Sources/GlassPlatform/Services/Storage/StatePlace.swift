package import Foundation
import GlassSchema

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Where the services of a host store data.
package enum StatePlace: Sendable, Equatable {
    /// Nowhere: data ends with the process.
    case memory
    /// A folder that the program chose.
    case folder(URL)
    /// The system's folders for the program, and in them one for each owner.
    case standard(owner: String)

    /// The owner of data that belongs to no market. It is not a market's id and not a bundle identifier.
    package static let shared = "_app"

    /// The place of an owner, such as a market: one of its own in the system's place, and otherwise the same.
    ///
    /// An owner that is neither a market's id nor a bundle identifier is not used, because it becomes part of a path.
    func owned(by owner: String) -> StatePlace {
        guard case .standard = self else { return self }
        let isName = StringFormat.marketID.matches(owner) || StringFormat.bundleIdentifier.matches(owner)
        return .standard(owner: isName ? owner : Self.shared)
    }

    /// The folder for data; `nil` in memory. Computes it without looking at the disk.
    package var state: URL? {
        switch self {
        case .memory: nil
        case .folder(let folder): folder
        case .standard(let owner): StandardFolder.state.appending(path: owner)
        }
    }

    /// The folder for data of the program, which it reads before it knows the market.
    var program: URL? {
        if case .standard = self { Self.standard(owner: Self.shared).state } else { state }
    }

    /// The folder for data that can be fetched again.
    var caches: URL? {
        if case .standard(let owner) = self { StandardFolder.caches.appending(path: owner) } else { state }
    }
}

/// The folders that the system provides for a program.
package enum StandardFolder {
    /// Application Support below the bundle's identifier; on other systems, `$XDG_STATE_HOME` or `~/.local/state` below
    /// the program's name.
    package static var state: URL {
        folder(.applicationSupportDirectory, variable: "XDG_STATE_HOME", inHome: ".local/state")
    }

    /// Caches below the bundle's identifier; on other systems, `$XDG_CACHE_HOME` or `~/.cache` below the program's name.
    package static var caches: URL { folder(.cachesDirectory, variable: "XDG_CACHE_HOME", inHome: ".cache") }

    private static func folder(
        _ directory: FileManager.SearchPathDirectory, variable: String, inHome path: String
    ) -> URL {
        #if canImport(Darwin)
            let parent = FileManager.default.urls(for: directory, in: .userDomainMask).first
            return (parent ?? URL(filePath: home).appending(path: "Library"))
                .appending(path: AppBundle.main.identifier ?? program)
        #else
            // "If an implementation encounters a relative path in any of these variables it should consider the path
            // invalid and ignore it." (https://specifications.freedesktop.org/basedir-spec/latest/)
            let parent =
                absolutePath(in: variable).map { URL(filePath: $0) } ?? URL(filePath: home).appending(path: path)
            return parent.appending(path: program)
        #endif
    }

    /// The name that the program was started with. A new version of a program may have another file behind it.
    private static var program: String {
        let name = CommandLine.arguments.first?.split(separator: "/").last ?? ""
        return ["", ".", ".."].contains(name) ? "glass" : String(name)
    }

    /// The user's home folder. Without the variable, that of the user database, as in a service of the system.
    private static var home: String {
        if let home = absolutePath(in: "HOME") { return home }
        var entry = passwd()
        var result: UnsafeMutablePointer<passwd>?
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16 << 10) { buffer in
            guard let bytes = buffer.baseAddress,
                getpwuid_r(geteuid(), &entry, bytes, buffer.count, &result) == 0, result != nil,
                let folder = entry.pw_dir
            else { return "/" }
            return String(cString: folder)
        }
    }

    private static func absolutePath(in variable: String) -> String? {
        guard let value = getenv(variable) else { return nil }
        let path = String(cString: value)
        return path.hasPrefix("/") ? path : nil
    }
}
