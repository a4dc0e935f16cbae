import Foundation
import GlassBase
import Testing

@testable import GlassMarketFiles

struct LuaFileChangesTests {
    @Test(.timeLimit(.minutes(1)), arguments: [WatchMethod.automatic, .polling(every: .milliseconds(20))])
    func onlyChangedLuaFilesAreReported(method: WatchMethod) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "changes-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "shared"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // the system cleans up if this fails
        func write(_ name: String, _ text: String) throws {
            try Data(text.utf8).write(to: folder.appending(path: name))
        }
        try write("us.lua", "return {}")
        try write("ca.lua", "return {}")
        let (reports, continuation) = AsyncStream.makeStream(of: [String].self)
        let changes = try LuaFileChanges(of: folder.path, method: method, settle: .milliseconds(20)) {
            continuation.yield($0)
        }
        try write("notes.txt", "1")
        try write("us.lua", "return { 1 }")
        var report = reports.makeAsyncIterator()
        #expect(await report.next() == ["\(folder.path)/us.lua"])
        try write("shared/x.lua", "return 1")
        #expect(await report.next() == ["\(folder.path)/shared/x.lua"])
        try FileManager.default.removeItem(at: folder.appending(path: "ca.lua"))
        #expect(await report.next() == ["\(folder.path)/ca.lua"])
        _ = changes
    }
}
