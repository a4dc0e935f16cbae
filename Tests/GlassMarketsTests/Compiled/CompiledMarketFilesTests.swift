import Foundation
import GlassBase
import GlassSchema
import Testing

@testable import GlassMarkets

/// Compiled markets in folders and bundles.
@Suite(.timeLimit(.minutes(2)))
final class CompiledMarketFilesTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "compiled-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder.appending(path: "4"), withIntermediateDirectories: true)
        try write(CompiledMarketTests.text(), to: "4/t.json")
    }

    deinit {
        // The system cleans up a folder that cannot be removed.
        try? FileManager.default.removeItem(at: folder)
    }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
    }

    private func said(_ body: () throws -> Void) -> String {
        do {
            try body()
            return "nothing"
        } catch {
            return "\(error)".replacing(folder.path, with: "compiled")
        }
    }

    @Test func folderListsMarkets() throws {
        let markets = CompiledMarkets(.base, folder: folder)
        #expect(try markets.load("t").id == "t")
        try write("{}", to: "4/t.map.json")
        try write("{}", to: "4/README.json")
        #expect(try markets.marketIDs() == ["t"])
        #expect(try markets.check("t").market != nil)
        #expect(try CompiledMarkets(.base, folder: folder).marketIDs() == ["t"])
    }

    @Test func bundleListsMarkets() throws {
        let bundle = try #require(Bundle(path: folder.path))
        #expect(try CompiledMarkets(.base, in: bundle).load("t").id == "t")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "markets"), withIntermediateDirectories: true)
        try FileManager.default.moveItem(at: folder.appending(path: "4"), to: folder.appending(path: "markets/4"))
        #expect(try CompiledMarkets(.base, in: bundle, subfolder: "markets").load("t").id == "t")
    }

    @Test func storeRereadsChangedFile() throws {
        let store = MarketStore(CompiledMarkets(.base, folder: folder))
        #expect(store.reload("t") != nil)
        #expect(store.reload("t") == nil)
        try write(CompiledMarketTests.text(#""points":{"perDollar":7},"#), to: "4/t.json")
        #expect(store.reload("t") != nil)
        #expect(store.market("t")?[Points.self].perDollar == 7)
        try write("{", to: "4/t.json")
        #expect(store.reload("t") != nil)
        #expect(store.market("t")?[Points.self].perDollar == 7)
    }

    @Test(arguments: ["", ".", "..", "../1/t", "/etc/passwd", "t.json", "T", "t\0"])
    func invalidIDIsRejected(id: String) throws {
        let said = said { _ = try CompiledMarkets(.base, folder: folder).check(id) }
        #expect(said.hasPrefix("there is no compiled market "), "\(said)")
    }

    @Test func unreadableMarketIsReported() throws {
        let markets = CompiledMarkets(.base, folder: folder)
        try write(CompiledMarketTests.text(id: "ca"), to: "4/ca.json")
        #expect(
            said { _ = try markets.check("cb") }
                == "there is no compiled market \"cb\" in compiled; did you mean \"ca\"?")
        #expect(mkfifo(folder.appending(path: "4/pipe.json").path, 0o600) == 0)
        #expect(said { _ = try markets.check("pipe") } == "cannot read compiled/4/pipe.json: it is not a regular file")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "4/folder.json"), withIntermediateDirectories: true)
        #expect(
            said { _ = try markets.check("folder") } == "cannot read compiled/4/folder.json: it is not a regular file")
        try write(String(repeating: " ", count: CompiledMarket.longest + 1), to: "4/long.json")
        #expect(
            said { _ = try markets.check("long") }
                == "compiled/4/long.json has more than 1,048,576 bytes, which is the maximum for a compiled "
                + "market: create it again")
        let empty = CompiledMarkets(.base, folder: folder.appending(path: "nowhere"))
        #expect(said { _ = try empty.check("t") }.hasPrefix("cannot read compiled/nowhere: it has no folder 4"))
    }

    /// A hyphen sorts before the dot of an extension.
    @Test func idsAreInOrder() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "compiled-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }  // the system cleans up what is left
        let files = folder.appending(path: "\(CompiledMarket.format)")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        for name in ["ca.json", "ca-fr.json", "ca.map.json"] { try Data().write(to: files.appending(path: name)) }
        #expect(try CompiledMarketFiles(path: folder.path).marketIDs() == ["ca", "ca-fr"])
    }

    /// Folders of former formats next to the one that is read are nobody's business; alone, they are named.
    @Test func foldersOfFormerFormatsAreNotRead() throws {
        for format in ["1", "3"] {
            try FileManager.default.createDirectory(
                at: folder.appending(path: format), withIntermediateDirectories: true)
            try write(CompiledMarketTests.text(id: "u", schema: format), to: "\(format)/u.json")
        }
        let markets = CompiledMarkets(.base, folder: folder)
        #expect(try markets.marketIDs() == ["t"])
        #expect(try #require(markets.files).names() == ["1/u.json", "3/u.json", "4/t.json"])
        #expect(said { _ = try markets.check("u") }.hasPrefix("there is no compiled market \"u\" in compiled"))
        try FileManager.default.removeItem(at: folder.appending(path: "4"))
        for failure in [said { _ = try markets.marketIDs() }, said { _ = try markets.check("u") }] {
            #expect(
                failure
                    == "cannot read compiled: it has no folder 4, as `compile --to` creates it, but files of former "
                    + "formats (1, 3): compile the markets again")
        }
        #expect(try #require(markets.files).hasMarkets)
    }

    @Test func closureReturningNilIsReported() {
        let markets = CompiledMarkets(.base, reading: { _ in nil })
        #expect(said { _ = try markets.check("t") } == "there is no compiled market \"t\" in the app")
    }
}
