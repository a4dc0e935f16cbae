import Foundation
import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import Testing

@testable import GlassAuthoring

struct PublishingTests {
    /// A market that silently removes a route of the United States.
    private static let losing =
        "return { id = \"xx\", name = \"Test\", extends = \"us\", currency = \"USD\", locales = { \"en-US\" },\n"
        + "  deepLinking = { schemes = { \"xx.test\" }, universalLinks = {} },\n"
        + "  routables = { account = { customPaths = { \"cart\" } }, cart = { paths = { \"basket\" } } },\n}"

    private static func codes(_ published: StrictJSON?) -> [String] {
        published?["diagnostics"]?.arrayValue?.compactMap { $0["code"]?.stringValue } ?? []
    }

    @Test func comparisonWithBaseStaysDuringEditing() throws {
        let editor = try EditorFixture()
        try editor.open("xx.lua", Self.losing)
        editor.settle()
        #expect(Self.codes(editor.lastPublished("xx.lua")).contains("routeMoved"))
        for version in 2...4 {
            editor.change("xx.lua", to: Self.losing + String(repeating: "\n", count: version), version: version)
            editor.settle()
        }
        for version in 2...4 {
            let told = editor.published("xx.lua").filter { $0["version"]?.intValue == version }
            #expect(told.map { Self.codes($0).contains("routeMoved") } == [true], "version \(version)")
        }
    }

    @Test func changedBaseIsUsedForComparison() throws {
        let editor = try EditorFixture()
        try editor.open("xx.lua", Self.losing)
        try editor.open("us.lua")
        editor.settle()
        let text = try editor.text("us.lua")
        let changed = text.replacing("cart = {", with: "cart = { paths = { \"trolley\" },")
        #expect(changed != text)
        editor.change("us.lua", to: changed, version: 2)
        editor.settle()
        #expect(!Self.codes(editor.lastPublished("xx.lua")).contains("routeMoved"))
        editor.change("us.lua", to: text, version: 3)
        editor.settle()
        #expect(Self.codes(editor.lastPublished("xx.lua")).contains("routeMoved"))
    }

    @Test func fileOfManyMarketsIsPublishedOnce() throws {
        var files: [String: String] = [:]
        for index in 0..<12 { files["x\(index).lua"] = "return { id = \"x\(index)\", name = \"X\", extends = \"us\" }" }
        let editor = try EditorFixture(files)
        try editor.open("us.lua")
        editor.settle()
        let text = try editor.text("us.lua").replacing("currency = \"USD\"", with: "currency = \"EUR\"")
        editor.change("us.lua", to: text, version: 2)
        editor.settle()
        #expect(editor.published("us.lua").filter { $0["version"]?.intValue == 2 }.count == 1)
    }

    /// Two concurrent evaluations of one market could keep the older result.
    @Test func marketUnderEvaluationIsNotStartedAgain() throws {
        let markets = MarketFolder(path: EditorFixture.repository.appending(path: "markets").path)
        var folder = MarketWorkspace(MarketLoader(.platform, folder: markets))
        folder.changeAll()
        folder.rest()
        let all = folder.waiting
        try #require(all.count > 1)
        #expect(folder.next(except: [all[0]]) == all[1])
        #expect(folder.next(except: Array(all.dropFirst())) == all[0])
        folder.written(["\(all[1]).lua"])
        folder.rest()
        #expect(folder.waiting.contains(all[1]))
        #expect(folder.next(except: folder.waiting) == nil)
    }

    @Test func includedFileIsPublishedWithFirstMarketThatReadsIt() throws {
        let editor = try EditorFixture()
        try editor.open("shared/ca_regions.lua", "return { 1 }")
        editor.settle()
        #expect(editor.lastPublished("shared/ca_regions.lua")?["version"]?.intValue == 1)
        #expect(!Self.codes(editor.lastPublished("shared/ca_regions.lua")).isEmpty)
        editor.change("shared/ca_regions.lua", to: try editor.text("shared/ca_regions.lua"), version: 2)
        editor.settle()
        #expect(editor.lastPublished("shared/ca_regions.lua")?["version"]?.intValue == 2)
        #expect(Self.codes(editor.lastPublished("shared/ca_regions.lua")).isEmpty)
    }

    /// The related positions of the diagnostic with a code, as `line:start message`.
    private static func related(_ code: String, _ published: StrictJSON?) -> [String] {
        let found = published?["diagnostics"]?.arrayValue?.first { $0["code"]?.stringValue == code }
        return found?["relatedInformation"]?.arrayValue?.map { other in
            let place = other["location", "range", "start"].flatMap(ClientPosition.init)
            let file = other["location", "uri"]?.stringValue?.split(separator: "/").last ?? ""
            return "\(file):\(place?.line ?? -1):\(place?.character ?? -1) \(other["message"]?.stringValue ?? "")"
        } ?? []
    }

    @Test func sharedIdentifierIsReportedInChangedMarket() throws {
        func text(_ scheme: String) -> String {
            "return { id = \"bx\", name = \"B\", extends = \"us\", locales = { \"en-US\" }, currency = \"USD\",\n"
                + "deepLinking = { schemes = { \"\(scheme)\" }, universalLinks = {} },\n"
                + "platform = { appInfo = { bundleIdentifier = \"com.b\", android = unset } } }"
        }
        let editor = try EditorFixture(["bx.lua": text("walmart.mx")])
        try editor.open("bx.lua")
        editor.settle()
        // If neither market extends the other, it is the later one.
        #expect(!Self.codes(editor.lastPublished("bx.lua")).contains("sharedIdentity"))
        #expect(Self.codes(editor.lastPublished("mx.lua")).contains("sharedIdentity"))
        #expect(Self.related("sharedIdentity", editor.lastPublished("mx.lua")) == ["bx.lua:1:28 that of bx is here"])
        editor.change("bx.lua", to: text("walmart"), version: 2)
        editor.settle()
        #expect(Self.codes(editor.lastPublished("bx.lua")).contains("sharedIdentity"))
        let us = try editor.text("us.lua").split(separator: "\n", omittingEmptySubsequences: false)
        let line = try #require(us.firstIndex { $0.contains("schemes = { \"walmart\" }") })
        let column = try #require(us[line].firstRange(of: "\"walmart\"")?.lowerBound)
        let place = "us.lua:\(line):\(us[line].distance(from: us[line].startIndex, to: column))"
        #expect(Self.related("sharedIdentity", editor.lastPublished("bx.lua")) == ["\(place) that of us is here"])
        #expect(!Self.codes(editor.lastPublished("mx.lua")).contains("sharedIdentity"))
        editor.change("bx.lua", to: text("bx"), version: 3)
        editor.settle()
        #expect(!Self.codes(editor.lastPublished("bx.lua")).contains("sharedIdentity"))
    }

    @Test(arguments: [
        (
            "return {\n  id = \"xx\",\n  platform = {\n    retry = 1,\n}\n", "2:13",
            "xx.lua:4:0 } is missing before this"
        ),
        ("return {\n  f = function()\n    return 1\n}\n", "1:6", "xx.lua:3:0 end is missing before this"),
        ("return {\n  f = function()\n    return 1 2\n  end }\n", "2:13", "xx.lua:1:6 function is opened here"),
    ])
    func unclosedTokenRefersToMissingEnd(text: String, place: String, other: String) throws {
        let editor = try EditorFixture()
        try editor.open("xx.lua", text)
        editor.settle()
        let published = editor.lastPublished("xx.lua")
        let syntax = published?["diagnostics"]?.arrayValue?.first { $0["code"]?.stringValue == "syntax" }
        let start = syntax?["range", "start"].flatMap(ClientPosition.init)
        #expect("\(start?.line ?? -1):\(start?.character ?? -1)" == place)
        #expect(Self.related("syntax", published) == [other])
    }

    @Test func conflictRefersToItsOtherSide() throws {
        let editor = try EditorFixture()
        let text =
            "return { id = \"xx\", name = \"Test\", extends = \"us\", currency = \"USD\", locales = { \"en-US\" },\n"
            + "  deepLinking = { schemes = { \"xx.test\" } },\n"
            + "  routables = {\n    account = { paths = { \"same/:one\" } },\n"
            + "    cart = { paths = { --[[😀]] \"same/:two\" } },\n  },\n}"
        try editor.open("xx.lua", text)
        editor.settle()
        let published = editor.lastPublished("xx.lua")
        let code = try #require(Self.codes(published).first { $0.hasPrefix("route") })
        let places = Self.related(code, published)
        #expect(
            places == ["xx.lua:3:26 the other pattern is here"] || places == ["xx.lua:4:34 the other pattern is here"],
            "\(places)")
    }

    @Test func nothingIsLoadedBeforeInitializeResponse() throws {
        let events = Lock<[String]>([])
        let server = LanguageServer(
            folder: EditorFixture.repository.appending(path: "markets").path,
            loader: { folder in
                events.withLock { $0.append("loader") }
                return MarketLoader(.platform, folder: folder)
            }, delay: { _, _ in }, watch: { _, _ in nil },
            write: { bytes in
                if String(decoding: bytes, as: UTF8.self).contains("\"capabilities\"") {
                    events.withLock { $0.append("answer") }
                }
            })
        server.receive(Array(#"{"id":1,"method":"initialize","params":{"capabilities":{}}}"#.utf8))
        server.waitForEvaluations()
        #expect(events.withLock { $0 } == ["answer", "loader"])
    }

    @Test func serverWatchesFilesIfClientDoesNot() throws {
        let editor = try EditorFixture()
        try editor.open("ca.lua")
        editor.settle()
        let changed = try #require(editor.watches[editor.folder.path])
        #expect(editor.watches.count == 1)
        let us = editor.folder.appending(path: "us.lua")
        let text = try editor.text("us.lua").replacing("\"alert\", \"sound\", \"badge\"", with: "\"alert\", \"sound\"")
        try Data(text.utf8).write(to: us)
        changed([us.path, editor.folder.appending(path: "notes.txt").path])
        editor.settle()
        #expect(editor.diagnostics("ca.lua").contains { $0.contains("badge") })
    }

    @Test func clientThatCanWatchFilesIsRegistered() throws {
        let editor = try EditorFixture(
            capabilities: .record([
                "workspace": .record(["didChangeWatchedFiles": .record(["dynamicRegistration": .boolean(true)])])
            ]))
        #expect(editor.watches.isEmpty)
        let asked = try #require(editor.messages.first { $0["method"]?.stringValue == "client/registerCapability" })
        let registration = asked["params", "registrations"]?.arrayValue?.first
        #expect(registration?["method"]?.stringValue == "workspace/didChangeWatchedFiles")
        let pattern = registration?["registerOptions", "watchers"]?.arrayValue?.first?["globPattern"]
        #expect(pattern?.stringValue == "**/*.lua")
        #expect(asked["id"] != nil)
    }
}
