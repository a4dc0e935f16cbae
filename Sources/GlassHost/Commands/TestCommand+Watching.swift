import GlassBase
import ArgumentParser
import Foundation
import GlassMarketFiles
import GlassMarkets

extension TestCommand {
    /// Runs the tests now and after every change of a script or a market, until a signal ends the process.
    func keepRunning(in session: Session, _ runOnce: () throws -> Void) throws -> Never {
        let console = session.console
        let folders = Self.watchedFolders(
            scripts: files, usual: options.scripts, policies: policies.policies ?? options.policies,
            markets: options.markets)
        let watch: LuaFileWatch
        do {
            watch = try LuaFileWatch(folders, method: poll ? .polling(every: .milliseconds(500)) : .automatic)
        } catch {
            throw CommandFailure(status: .impossible, "\(error) (--poll)")
        }
        note("watching \(folders.joined(separator: ", ")) (\(watch.method)); Ctrl-C ends", on: console)
        while true {
            // Taken before the run, so that changes during the run are detected, too.
            let before = watch.files()
            do {
                try runOnce()
            } catch {
                let message = (error as? CommandFailure).map(\.message) ?? "\(error)"
                if let message { console.error(message) }
            }
            let changed = watch.changes(since: before)
            let others: DisplayText = changed.count > 1 ? " and \(changed.count - 1) more" : ""
            note("\n\(Date.now.clockTime) \(changed[0])\(others) changed", on: console)
        }
    }

    /// Prints progress for people; JSON output is for programs.
    private func note(_ text: DisplayText, on console: Console) {
        if !console.isJSON, !console.isQuiet { console.result(text.styled(.dim)) }
    }

    /// The folders that the tests depend on: the scripts with what they require, the policies, and the markets.
    static func watchedFolders(scripts: [String], usual: String, policies: String, markets: String) -> [String] {
        func isFolder(_ path: String) -> Bool {
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
        }
        let folders = scripts.map { script in
            if isFolder(script) { return MarketFolder(path: script).path }
            guard let slash = script.lastIndex(of: "/") else { return "." }
            return slash == script.startIndex ? "/" : String(script[..<slash])
        }
        var seen: Set<String> = []
        let others = (isFolder(policies) ? [policies] : []) + [MarketFolder(path: markets).path]
        return ((folders.isEmpty ? [usual] : folders) + others)
            .filter { seen.insert($0).inserted }
    }
}
