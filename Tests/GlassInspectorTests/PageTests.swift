import Foundation
import Testing

@testable import GlassInspector

/// The page's files, without a browser; `Tests/Inspector/run` uses one.
struct PageTests {
    private static let files = PageFile.all.map {
        (path: $0.key, text: String(decoding: $0.value.bytes, as: UTF8.self))
    }

    @Test func pageIsSmall() {
        #expect(PageFile.all.values.reduce(0) { $0 + $1.bytes.count } <= 72 * 1024)
    }

    @Test(arguments: [
        "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "createContextualFragment", "srcdoc", "eval(",
        "new Function", "setTimeout(\"", "DOMParser().parseFromString(text, \"text/html", "dangerously", "setHTML",
        "javascript:",
    ])
    func scriptsNeverInsertTextAsMarkup(word: String) {
        for file in Self.files { #expect(!file.text.contains(word), "\(file.path)") }
    }

    @Test func nothingIsExternalOrInline() throws {
        for file in Self.files where file.path != "/icon.svg" {
            #expect(
                !file.text.contains("http://") && !file.text.contains("//cdn") && !file.text.contains("@import"),
                "\(file.path)")
            // Placeholders and hints are not addresses.
            #expect(file.text.replacing("https://…", with: "").contains("https://") == false, "\(file.path)")
        }
        let html = try #require(Self.files.first { $0.path == "/" }).text
        #expect(!html.contains("<style") && !html.contains(" style=") && !html.contains(" on"))
        #expect(html.firstMatch(of: /<script[^>]*>[^<]/) == nil)
    }

    @Test func referencedFilesExist() {
        for file in Self.files {
            for match in file.text.matches(of: /(?:from |src=|href=)"(\/[a-z]+\.[a-z]+)"/) {
                #expect(PageFile.all[String(match.1)] != nil, "\(file.path): \(match.1)")
            }
        }
    }

    /// Checks the syntax of the scripts, if Node.js is installed.
    @Test func scriptsHaveValidSyntax() throws {
        let places = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/node" }
        guard let node = places.first(where: FileManager.default.isExecutableFile) else { return }
        let folder = FileManager.default.temporaryDirectory.appending(path: "page-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // only the test's own files
        for file in Self.files where file.path.hasSuffix(".js") {
            // The extension makes it a module.
            let copy = folder.appending(path: String(file.path.dropFirst().dropLast(3)) + ".mjs")
            try Data(file.text.utf8).write(to: copy)
            let process = Process()
            process.executableURL = URL(fileURLWithPath: node)
            process.arguments = ["--check", copy.path]
            try process.run()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0, "\(file.path)")
        }
    }
}
