package import GlassBase
import Foundation
public import GlassMarkets
import GlassSchema
import LuaBridge

/// The folder of the market files. It is the only part of the file system that a market can read.
public struct MarketFolder: Sendable {
    /// The folder's path as the user gave it. File names in findings begin with it.
    public let path: String
    /// The texts that replace files, by their paths relative to the folder.
    private var texts: [String: [UInt8]] = [:]
    /// The files of a commit; nil for a folder on disk.
    private let tree: MarketTree?
    /// Whether a command found the folder, rather than the user naming it.
    private let isFound: Bool
    /// The option with which the user can name a folder that was found.
    private let option: String?

    /// Creates a reference to a folder. Reads nothing yet.
    ///
    /// - Parameter path: The folder's path, absolute or relative to the working directory.
    public init(path: String) {
        self.init(path: path, isFound: false, option: nil)
    }

    /// Creates a reference to a folder that the user did not name, such as the policies next to the markets. A symbolic
    /// link there must not lead outside the project, unless the user names the folder with the option.
    package init(found path: String, option: String? = nil) {
        self.init(path: path, isFound: true, option: option)
    }

    private init(path: String, isFound: Bool, option: String?) {
        self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        tree = nil
        self.isFound = isFound
        self.option = option
    }

    /// Creates a folder with the files of a commit. Nothing is read from disk.
    package init(_ tree: MarketTree) {
        path = tree.name
        self.tree = tree
        isFound = false
        option = nil
    }

    /// Whether the files are on disk, where other programs can read them too.
    package var isOnDisk: Bool { tree == nil }

    /// A copy of the folder in which unsaved texts replace files.
    package func replacing(_ texts: [String: [UInt8]]) -> MarketFolder {
        var folder = self
        folder.texts = texts
        return folder
    }

    /// The path relative to the folder of a file that a finding names; nil if it is outside the folder.
    package func name(of file: String) -> String? {
        let start = Array("\(path)/".utf8)
        guard file.utf8.starts(with: start) else { return nil }
        return String(decoding: file.utf8.dropFirst(start.count), as: UTF8.self)
    }

    /// Replaces a file, unless it was changed in the meantime.
    package func replace(_ name: String, _ old: [UInt8], with new: [UInt8]) throws(FileFailure) {
        if let tree { throw FileFailure(reason: "it is a file of \(tree.revision)") }
        try files.replace(name, old, with: new)
    }

    /// The ids of the markets: the names of the `.lua` files, without those in subfolders and without those of abstract
    /// bases. O(size of the files).
    package func marketIDs() throws(MarketFolderError) -> [String] {
        try fileIDs().filter { !isAbstract($0) }
    }

    /// The ids of the abstract bases, which only markets that extend them use. O(size of the files).
    package func baseIDs() throws(MarketFolderError) -> [String] {
        try fileIDs().filter { isAbstract($0) }
    }

    /// Whether a file is an abstract base. A file that cannot be read is none.
    package func isAbstract(_ id: String) -> Bool {
        text(of: id).map(MarketHeader.isAbstract) ?? false
    }

    /// The markets that extend an abstract base, directly or through other bases.
    package func markets(extending base: String) -> [String] {
        guard let ids = try? fileIDs() else { return [] }  // the folder was just read
        var headers: [String: MarketHeader] = [:]
        for id in ids { headers[id] = text(of: id).map { MarketHeader($0) } }
        return ids.filter { id in
            guard headers[id]?.isAbstract == false else { return false }
            var (next, seen) = (headers[id]?.extends, Set<String>())
            while let above = next, above != base, seen.insert(above).inserted { next = headers[above]?.extends }
            return next == base
        }
    }

    /// The text of a market or a base; nil if it cannot be read, or is too large to load.
    private func text(of id: String) -> [UInt8]? {
        let limit = LuaLimits.config.sourceSize
        let text = try? read("\(id).lua", limit: limit)  // loading it reports the failure
        return text.flatMap { $0.count > limit ? nil : $0 }
    }

    /// The ids of the markets and of the abstract bases: the names of the `.lua` files, without those in subfolders.
    package func fileIDs() throws(MarketFolderError) -> [String] {
        let names: [String]
        do throws(FileFailure) {
            if let tree { names = Array(tree.files.keys) } else { names = try files.names() }
        } catch {
            let advice = option.map { "; to use its target, name the folder with \($0) DIR" }
            throw .unreadableFolder(path, reason: error.reason + (error.kind == .escapesFolder ? advice ?? "" : ""))
        }
        // A market that was never saved counts as well.
        let unsaved = texts.keys.filter { !$0.utf8.contains(UInt8(ascii: "/")) }
        return Set(names + unsaved)
            .filter { $0.hasSuffix(".lua") && !$0.hasPrefix(".") && !$0.utf8.contains(UInt8(ascii: "/")) }
            .map { String($0.dropLast(4)) }.sorted()
    }

    /// The name of a market's file in findings.
    package func file(of id: String) -> String { "\(path)/\(id).lua" }

    /// Throws an error if there is no file for a market.
    func requireMarket(_ id: String) throws(MarketFolderError) {
        let ids = try marketIDs()
        guard ids.contains(id) else {
            if try fileIDs().contains(id) { throw abstractMarket(id) }
            throw .noSuchMarket(id, folder: path, suggestion: Suggestion.nearest(to: id, in: ids), available: ids)
        }
    }

    /// The error for an abstract base that is used as a market.
    func abstractMarket(_ id: String) -> MarketFolderError {
        .abstractMarket(id, folder: path, extendedBy: markets(extending: id))
    }

    /// Reads the file of a market.
    func read(market id: String, limit: Int) throws(MarketFolderError) -> [UInt8] {
        // A market is a file in the folder itself. The folder is listed only to report what it contains instead:
        // listing it for each of many markets would be quadratic.
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

    /// The files that a market can include, by the paths to use: at most a thousand, and none if the folder cannot be
    /// listed.
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

    /// Reads a file that a market includes: at most one byte more than the limit.
    package func read(include name: String, limit: Int) throws(MarketFolderError) -> (bytes: [UInt8], file: String) {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard !name.isEmpty, !name.utf8.contains(0), parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else {
            throw .outside(name, folder: path)
        }
        return (try read(name, limit: limit), "\(path)/\(name)")
    }

    /// Whether a file still has the contents that were read.
    func holds(_ source: MarketFile, limit: Int) -> Bool {
        guard source.file.hasPrefix("\(path)/") else { return false }
        let name = String(source.file.dropFirst(path.count + 1))
        if let text = texts[name] { return text == source.bytes }
        return (try? saved(name, limit: limit)) == source.bytes  // unreadable: no longer the same
    }

    /// Whether the contents of a file equal the given bytes.
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

/// The reason why a market file could not be read.
public enum MarketFolderError: DescriptiveError, Equatable {
    /// The folder does not exist or cannot be listed.
    case unreadableFolder(_ path: String, reason: String)
    /// The folder has no market with this id.
    case noSuchMarket(_ id: String, folder: String, suggestion: String?, available: [String])
    /// The file is an abstract base, and not a market.
    case abstractMarket(_ id: String, folder: String, extendedBy: [String])
    /// The file does not exist.
    case missingFile(_ path: String)
    /// The file cannot be read.
    case unreadableFile(_ path: String, reason: String)
    /// The path leads outside the markets folder.
    case outside(_ path: String, folder: String)
    /// A symbolic link in the markets folder leads outside it.
    case symlinkOutsideFolder(_ path: String, folder: String)

    /// A description of the failure, with the path and a solution.
    public var description: String {
        switch self {
        case .unreadableFolder(let path, let reason):
            "cannot read the markets folder \(path): \(reason)"
        case .noSuchMarket(let id, let folder, let suggestion, let available):
            "there is no market \(id.quotedForMessage) in \(folder)"
                + (suggestion.map { "; did you mean \"\($0)\"?" }
                    ?? (available.isEmpty
                        ? ", which contains no markets" : "; the markets are \(available.listed)"))
        case .abstractMarket(let id, let folder, let markets):
            "\(id.quotedForMessage) in \(folder) is an abstract base, not a market; "
                + (markets.isEmpty ? "no market extends it" : "use a market that extends it: \(markets.listed)")
        case .missingFile(let path):
            "cannot read \(path): no such file or directory"
        case .unreadableFile(let path, let reason):
            "cannot read \(path): \(reason)"
        case .symlinkOutsideFolder(let path, let folder):
            "\(path.quotedForMessage) is a symbolic link that leads outside \(folder): replace it with the file"
        case .outside(let path, let folder):
            "\(path.quotedForMessage) is outside \(folder): use a path below it, without \"..\""
        }
    }
}

extension [String] {
    /// The first of many names, and the number of the remaining ones.
    package var listed: String {
        let most = 50
        let more = count > most ? " and \((count - most).grouped) more" : ""
        return prefix(most).joined(separator: ", ") + more
    }
}
