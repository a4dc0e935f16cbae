import GlassBase
import GlassSchema

/// A folder of pages that this program wrote, with a list of them.
///
/// Only listed files are overwritten or removed, so that nothing else in the folder is lost.
struct PageFolder {
    /// The name of the list.
    static let list = "glass-host-pages.json"
    /// The maximum size of the list in bytes.
    private static let maximumListSize = 4 << 20

    /// The path.
    let path: String
    /// The files that an earlier run wrote.
    private let known: [String]

    /// Reads the list of a folder, which may be missing.
    ///
    /// - Throws: A failure if the folder has files and no list, or a list of something else.
    init(_ path: String) throws(CommandFailure) {
        self.path = path
        let folder = ConfinedDirectory(path)
        let names: [String]
        do throws(FileFailure) {
            names = try folder.names()
        } catch {
            guard error.kind == .missing else { throw Self.failure("cannot read \(path): \(error.reason)") }
            known = []
            return
        }
        guard names.contains(Self.list) else {
            guard names.isEmpty else {
                let example = names.sorted().first.map(\.quotedForMessage) ?? ""
                throw Self.failure(
                    "\(path) has files that this command did not write, such as \(example); name an empty or a new folder"
                )
            }
            known = []
            return
        }
        let bytes: [UInt8]
        do throws(FileFailure) {
            bytes = try folder.contents(of: Self.list, limit: Self.maximumListSize)
        } catch {
            throw Self.failure("cannot read \(path)/\(Self.list): \(error.reason)")
        }
        known = try Self.names(in: bytes, path)
    }

    /// Requires that pages replace only files that an earlier run wrote.
    func check(_ names: [String]) throws(CommandFailure) {
        for name in names where !known.contains(name) && OutputFile.exists("\(path)/\(name)") {
            throw Self.failure(
                "\(path)/\(name) was not written by this command; move it, or name another folder")
        }
        for name in names + [Self.list] { try target(name).check() }
    }

    /// Lists pages before they are written, so that a run that is interrupted can be repeated.
    func begin(_ names: [String]) throws(CommandFailure) { try writeList(known + names) }

    /// Writes a page.
    func write(_ text: [UInt8], to name: String) throws(CommandFailure) { try target(name).write(text) }

    /// Removes the pages that an earlier run wrote and this one did not, and writes the list.
    ///
    /// - Returns: The names of the removed files.
    func finish(_ names: [String]) throws(CommandFailure) -> [String] {
        let removed = known.filter { !names.contains($0) && OutputFile.exists("\(path)/\($0)") }.sorted()
        for name in removed { try target(name).remove() }
        try writeList(names)
        return removed
    }

    private func writeList(_ names: [String]) throws(CommandFailure) {
        let names = Set(names).sorted { $0.precedesInUTF8($1) }
        let lines = names.map { "    \($0.jsonLiteral)" }.joined(separator: ",\n")
        try target(Self.list).write(Array("{\n  \"files\": [\n\(lines)\n  ],\n  \"schema\": 1\n}\n".utf8))
    }

    private func target(_ name: String) -> OutputFile.Target { OutputFile.Target(name, below: path) }

    /// The names in a list. Somebody else may have written the list, so it names only pages.
    private static func names(in bytes: [UInt8], _ path: String) throws(CommandFailure) -> [String] {
        let json: StrictJSON
        do throws(StrictJSONError) {
            json = try StrictJSON(reading: bytes, limit: maximumListSize)
        } catch {
            throw failure("\(path)/\(list):\(error)")
        }
        let names = json["files"]?.arrayValue?.map { $0.stringValue ?? "" }
        guard json["schema"]?.intValue == 1, let names, names.allSatisfy(isPage) else {
            throw failure("\(path)/\(list) is not a list of pages; name another folder")
        }
        return names
    }

    private static func isPage(_ name: String) -> Bool {
        (name.hasSuffix(".html") || name.hasSuffix(".css")) && !name.hasPrefix(".") && !name.contains("/")
            && !name.utf8.contains(0)
    }

    private static func failure(_ message: DisplayText) -> CommandFailure {
        CommandFailure(status: .impossible, message)
    }
}
