import Foundation
@testable import GlassMarkets
import Testing

@Suite struct FilePathTests {
    @Test(arguments: [
        "/", "/folder", "/folder/", "/folder/a b", "/folder/100%/x", "/folder/é", "/folder/e\u{301}", "/a?b#c",
        "/folder//x/", "/folder//", "///", "/folder/../x", "relative", "relative/", "/folder/a;b,c=d&e",
    ])
    func filePathEqualsFoundationPath(path: String) {
        let url = URL(fileURLWithPath: path)
        #expect(url.filePath == url.path)
        #expect(url.appending(path: "b").filePath == url.appending(path: "b").path)
        #expect(url.appending(path: "b/").filePath == url.appending(path: "b/").path)
    }

    @Test(arguments: [
        "file://localhost/folder", "file:/folder", "file:///folder//", "file:///", "file://///", "file:///folder?query",
        "file:///folder#part", "https://a.example/b",
    ])
    func pathOfOtherURLsEqualsFoundationPath(text: String) throws {
        let url = try #require(URL(string: text))
        #expect(url.filePath == url.path)
    }
}
