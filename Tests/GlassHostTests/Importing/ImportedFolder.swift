import CommandTesting
import Foundation
import Testing

/// A folder with the real markets and files to import.
struct ImportedFolder {
    let folder: TestFolder

    init(_ files: [String: String] = [:]) throws {
        folder = try TestFolder()
        _ = try folder.markets()
        for (name, text) in files { _ = try folder.write(text, to: name) }
    }

    func run(_ arguments: String...) throws -> HostRun { try run(arguments) }

    func run(_ arguments: [String]) throws -> HostRun {
        try HostRun(["import", "br"] + arguments, folder: folder.url)
    }

    /// The text of the new market.
    func market() throws -> String {
        try String(contentsOf: folder.url.appending(path: "markets/br.lua"), encoding: .utf8)
    }

    var isWritten: Bool { FileManager.default.fileExists(atPath: folder.url.appending(path: "markets/br.lua").path) }

    /// The values of the report in JSON, each as its source, its status and its key.
    func values(_ arguments: String...) throws -> [String] {
        let run = try HostRun(["import", "br", "--dry-run", "--format", "json"] + arguments, folder: folder.url)
        let values = try #require(try run.json()["values"] as? [[String: Any]], "\(run.errors)")
        return values.map { "\($0["source"] ?? "") \($0["status"] ?? "") \($0["key"] as? String ?? "-")" }
    }
}
