import Foundation
import GlassMarkets
import Testing

@Suite struct FilePathTests {
    @Test(arguments: [
        "/", "/tmp", "/tmp/", "/tmp/a b", "/tmp/100%/x", "/tmp/é", "/tmp/e\u{301}", "/a?b#c", "/tmp//x/", "/tmp//",
        "///", "/tmp/../x",
        "relative", "relative/", "/tmp/a;b,c=d&e",
    ])
    func itIsThePathThatFoundationSays(path: String) {
        let url = URL(fileURLWithPath: path)
        #expect(url.filePath == url.path)
        #expect(url.appending(path: "b").filePath == url.appending(path: "b").path)
        #expect(url.appending(path: "b/").filePath == url.appending(path: "b/").path)
    }

    @Test(arguments: [
        "file://localhost/tmp", "file:/tmp", "file:///tmp//", "file:///", "file://///", "file:///tmp?query",
        "file:///tmp#part", "https://a.example/b",
    ])
    func soItIsForOtherURLs(text: String) throws {
        let url = try #require(URL(string: text))
        #expect(url.filePath == url.path)
    }
}
