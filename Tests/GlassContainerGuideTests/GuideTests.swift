import Foundation
import Testing

/// Code from the guides and the documentation comments also appears in this target, where it is compiled and run.
@Suite struct GuideTests {
    /// A Swift code block in the documentation.
    struct Block: CustomTestStringConvertible {
        let place: String
        let lines: [String]

        var testDescription: String { place }
    }

    private static let repository = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func texts(_ folder: String, _ suffixes: [String]) -> [(name: String, lines: [String])] {
        let root = repository.appendingPathComponent(folder)
        let files =
            FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)?
            .compactMap { $0 as? URL }.filter { suffixes.contains($0.pathExtension) } ?? []
        return files.sorted { $0.path < $1.path }.compactMap { file in
            // A file that can't be read has no blocks, which the count below detects.
            guard let text = try? String(contentsOf: file, encoding: .utf8) else { return nil }
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            return (file.lastPathComponent, lines)
        }
    }

    static let blocks: [Block] = ["Sources/GlassContainer", "Sources/GlassContainerTesting"].flatMap { folder in
        texts(folder, ["md", "swift"]).flatMap { name, lines in
            var blocks: [Block] = []
            var block: [String]?
            for (number, line) in lines.enumerated() {
                var text = line.trimmingCharacters(in: .whitespaces)
                if name.hasSuffix(".swift") {
                    guard text.hasPrefix("///") else { continue }
                    text = text.dropFirst(3).trimmingCharacters(in: .whitespaces)
                }
                if text == "```swift" {
                    block = []
                } else if text == "```", let lines = block {
                    blocks.append(Block(place: "\(name):\(number + 1 - lines.count)", lines: lines))
                    block = nil
                } else {
                    block?.append(text)
                }
            }
            return blocks
        }
    }

    private static let compiled = texts("Tests/GlassContainerGuideTests", ["swift"]).map { text in
        text.lines.map { plain($0.trimmingCharacters(in: .whitespaces)) }
    }

    /// A line without the space before a trailing comment.
    private static func plain(_ line: String) -> String {
        line.split(separator: " ").joined(separator: " ")
    }

    @Test(arguments: blocks) func documentationCodeIsCompiled(_ block: Block) {
        let lines = block.lines.map(Self.plain)
            .filter { !$0.isEmpty && !$0.hasPrefix("//") && !$0.hasPrefix("import ") }
        let isCompiled = Self.compiled.contains { file in
            var rest = file[...]
            return lines.allSatisfy { line in
                guard let place = rest.firstIndex(of: line) else { return false }
                rest = rest[(place + 1)...]
                return true
            }
        }
        #expect(isCompiled, "no file of this target has the lines in this order")
    }

    @Test func everyGuideIsCovered() {
        let names = Set(Self.blocks.map { $0.place.prefix { $0 != ":" } })
        #expect(Self.blocks.count >= 26)
        #expect(
            names.isSuperset(of: [
                "GlassContainer.md", "GettingStarted.md", "Children.md", "Testing.md", "GlassContainerTesting.md",
            ]))
    }
}
