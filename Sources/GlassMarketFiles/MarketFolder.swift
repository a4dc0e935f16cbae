package import GlassBase
import Foundation
public import GlassMarkets
import GlassSchema

/// The folder of the market files, which is the only part of the file system that a market can read.
public struct MarketFolder: Sendable {
    /// The folder's path as the user gave it; diagnostics begin with it.
    public let path: String
    /// What is read instead of files, by their paths below the folder.
    private var texts: [String: [UInt8]] = [:]
    /// What is read instead of the disk; nil for a folder on it.
    private let tree: MarketTree?
    /// Whether a command found the folder by itself.
    private let isFound: Bool
    /// The option by which a folder that was found can be named.
    private let option: String?

    /// Creates a reference to a folder. Reads nothing yet.
    ///
    /// - Parameter path: The folder's path, absolute or relative to the working directory.
    public init(path: String) {
        self.init(path: path, isFound: false, option: nil)
    }

    /// Creates a reference to a folder that the user did not name, such as the policies beside the markets: a link there
    /// must not lead out of the project, unless the user names the folder with the option.
    package init(found path: String, option: String? = nil) {
        self.init(path: path, isFound: true, option: option)
    }

    private init(path: String, isFound: Bool, option: String?) {
        self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        tree = nil
        self.isFound = isFound
        self.option = option
    }

    /// Creates a folder whose files are those of a commit: nothing is read from disk.
    package init(_ tree: MarketTree) {
        path = tree.name
        self.tree = tree
        isFound = false
        option = nil
    }

    /// Whether its files are on disk, where other programs can read them too.
    package var isOnDisk: Bool { tree == nil }

    /// The same folder, with texts that are not saved yet in the place of files.
    package func replacing(_ texts: [String: [UInt8]]) -> MarketFolder {
        var folder = self
        folder.texts = texts
        return folder
    }

    /// The path below the folder of a file that diagnostics name.
    package func name(of file: String) -> String? {
        let start = Array("\(path)/".utf8)
        guard file.utf8.starts(with: start) else { return nil }
        return String(decoding: file.utf8.dropFirst(start.count), as: UTF8.self)
    }

    /// Replaces a file, unless somebody else changed it.
    package func replace(_ name: String, _ old: [UInt8], with new: [UInt8]) throws(FileFailure) {
        if let tree { throw FileFailure(reason: "it is a file of \(tree.revision)") }
        try files.replace(name, old, with: new)
    }

    /// The ids of the markets: the names of the `.lua` files, without those of subfolders.
    package func marketIDs() throws(MarketFolderError) -> [String] {
        let names: [String]
        do throws(FileFailure) {
            if let tree { names = Array(tree.files.keys) } else { names = try files.names() }
        } catch {
            let advice = option.map { "; if you mean where it leads, name the folder with \($0) DIR" }
            throw .unreadableFolder(path, reason: error.reason + (error.kind == .escapesFolder ? advice ?? "" : ""))
        }
        // A market that was never saved is one, too.
        let unsaved = texts.keys.filter { !$0.utf8.contains(UInt8(ascii: "/")) }
        return Set(names + unsaved)
            .filter { $0.hasSuffix(".lua") && !$0.hasPrefix(".") && !$0.utf8.contains(UInt8(ascii: "/")) }
            .map { String($0.dropLast(4)) }.sorted()
    }

    /// The name of a market's file in diagnostics.
    package func file(of id: String) -> String { "\(path)/\(id).lua" }

    /// Checks that there is a file for a market.
    func requireMarket(_ id: String) throws(MarketFolderError) {
        let ids = try marketIDs()
        guard ids.contains(id) else {
            throw .noSuchMarket(id, folder: path, suggestion: Suggestion.nearest(to: id, in: ids), available: ids)
        }
    }

    /// Reads the file of a market.
    func read(market id: String, limit: Int) throws(MarketFolderError) -> [UInt8] {
        // A market is a file of the folder itself. The folder is listed only to say what there is instead: listing it for
        // each market of many would be quadratic.
        guard !id.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "/") }), !id.hasPrefix(".") else {
            try requireMarket(id)
            throw .missingFile(file(of: id))
        }
        do throws(MarketFolderError) {
            return try read("\(id).lua", limit: limit)
        } catch {
            try requireMarket(id)
            throw error
        }
    }

    /// The files that a market can include, as it would write them: at most a thousand, and none when the folder cannot
    /// be listed.
    package func includableFiles() -> [String] {
        var names: Set<String> = Set(texts.keys.filter { $0.hasSuffix(".lua") })
        if let tree { return names.union(tree.files.keys.filter { $0.hasSuffix(".lua") }).sorted() }
        var looked = 0
        let enumerator = FileManager.default.enumerator(atPath: path)
        while names.count < Self.maximumSuggested, looked < 10 * Self.maximumSuggested,
            let next = enumerator?.nextObject()
        {
            looked += 1
            if let name = next as? String, name.hasSuffix(".lua") { names.insert(name) }
        }
        return names.sorted()
    }

    private static let maximumSuggested = 1000

    /// Reads a file that a market includes.
    func read(include name: String, limit: Int) throws(MarketFolderError) -> (bytes: [UInt8], file: String) {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard !name.isEmpty, !name.utf8.contains(0), parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else {
            throw .outside(name, folder: path)
        }
        return (try read(name, limit: limit), "\(path)/\(name)")
    }

    /// Whether a file still has the content that was read.
    func holds(_ source: MarketFile, limit: Int) -> Bool {
        guard source.file.hasPrefix("\(path)/") else { return false }
        let name = String(source.file.dropFirst(path.count + 1))
        if let text = texts[name] { return text == source.bytes }
        return (try? saved(name, limit: limit)) == source.bytes  // unreadable: not the same any more
    }

    /// Whether a file has a content.
    package func has(_ name: String, saying bytes: [UInt8]) -> Bool {
        (try? saved(name, limit: bytes.count)) == bytes  // unreadable: not the same
    }

    private var files: ConfinedDirectory { isFound ? ConfinedDirectory(found: path) : ConfinedDirectory(path) }

    private func saved(_ name: String, limit: Int) throws(FileFailure) -> [UInt8] {
        if let tree { return try tree.bytes(name, limit: limit) }
        return try files.read(name, limit: limit)
    }

    private func read(_ name: String, limit: Int) throws(MarketFolderError) -> [UInt8] {
        if let text = texts[name] { return Array(text.prefix(limit + 1)) }
        do throws(FileFailure) {
            return try saved(name, limit: limit)
        } catch {
            switch error.kind {
            case .escapesFolder: throw .symlinkOutsideFolder(name, folder: path)
            case .missing: throw .missingFile("\(path)/\(name)")
            case .other: throw .unreadableFile("\(path)/\(name)", reason: error.reason)
            }
        }
    }
}

/// Why a market file could not be read.
public enum MarketFolderError: DescriptiveError, Equatable {
    /// The folder does not exist or cannot be listed.
    case unreadableFolder(_ path: String, reason: String)
    /// No file of that name.
    case noSuchMarket(_ id: String, folder: String, suggestion: String?, available: [String])
    /// There is no such file.
    case missingFile(_ path: String)
    /// The file cannot be read.
    case unreadableFile(_ path: String, reason: String)
    /// A path that leaves the markets folder.
    case outside(_ path: String, folder: String)
    /// A symbolic link below the markets folder that leads out of it.
    case symlinkOutsideFolder(_ path: String, folder: String)

    /// What failed, where, and what to do.
    public var description: String {
        switch self {
        case .unreadableFolder(let path, let reason):
            "cannot read the markets folder \(path): \(reason)"
        case .noSuchMarket(let id, let folder, let suggestion, let available):
            "there is no market \(id.quotedForMessage) in \(folder)"
                + (suggestion.map { "; did you mean \"\($0)\"?" }
                    ?? (available.isEmpty
                        ? ", which has no market at all" : "; there are \(available.listed)"))
        case .missingFile(let path):
            "cannot read \(path): no such file or directory"
        case .unreadableFile(let path, let reason):
            "cannot read \(path): \(reason)"
        case .symlinkOutsideFolder(let path, let folder):
            "\(path.quotedForMessage) is a link that leads out of \(folder): put the file itself there"
        case .outside(let path, let folder):
            "\(path.quotedForMessage) is not inside of \(folder): write a path below it, without \"..\""
        }
    }
}

extension [String] {
    /// The first of many names, and how many more there are.
    package var listed: String {
        let most = 50
        let more = count > most ? " and \((count - most).grouped) more" : ""
        return prefix(most).joined(separator: ", ") + more
    }
}
