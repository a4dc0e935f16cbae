import CommandTesting
import Foundation
import GlassBase
import GlassHost
import GlassImportReaders
import GlassPlatform
import Testing

/// Broken, hostile and huge files: a failure with its place or its limit, and nothing written.
@Suite(.timeLimit(.minutes(5)))
struct ImportLimitTests {
    private static let inFlags = "write them in flags, as the guide MovingFlags shows"

    @Test(arguments: [
        ("a.json", "{\n  \"a\": tru\n}", "a.json:2:11: byte 0x0A where the word true is expected"),
        ("b.json", "{\"a\": 1, \"a\": 2}", "b.json:1:10: a duplicate member \"a\""),
        ("c.json", String(repeating: "[", count: 100_000), "c.json:1:33: more than 32 nested arrays and objects"),
        ("d.json", "", "d.json: is empty"),
        (
            "e.txt", "hello",
            "e.txt: has no format that import knows: JSON, YAML, a property list, .xcconfig, or an Android manifest"
        ),
        (
            "f.json", #"{"parameters": {"a": {"defaultValue": {"value": "1"}}}}"#,
            "f.json: has flags of Firebase Remote Config, which import does not read: \(inFlags)"
        ),
        (
            "g.json", #"{"parameterGroups": {"g": {"parameters": {"a": {}}}}}"#,
            "g.json: has flags of Firebase Remote Config, which import does not read: \(inFlags)"
        ),
        (
            "h.json", #"{"flags": {"a": {"variations": [true, false]}}}"#,
            "h.json: has flags of LaunchDarkly, which import does not read: \(inFlags)"
        ),
        (
            "i.json", #"{"items": [{"key": "a", "variations": [{"value": true}]}]}"#,
            "i.json: has flags of LaunchDarkly, which import does not read: \(inFlags)"
        ),
        (
            "j.json", #"{"version": 2, "features": [{"name": "a", "strategies": []}]}"#,
            "j.json: has flags of Unleash, which import does not read: \(inFlags)"
        ),
        (
            "k.json", #"{"features": [{"name": "a"}], "featureStrategies": []}"#,
            "k.json: has flags of Unleash, which import does not read: \(inFlags)"
        ),
        ("a.yaml", "a: 1\nb: [1, 2\n", "a.yaml:3:1: did not find expected ',' or ']'"),
        ("b.yaml", "a: 1\na: 2\n", "b.yaml:1:1: a duplicate key \"a\""),
        ("c.yaml", String(repeating: "[", count: 100_000), "c.yaml:1:201: is nested deeper than 200 levels"),
        ("d.yaml", String(repeating: "- ", count: 100_000), "d.yaml:1:201: is nested deeper than 200 levels"),
        (
            "e.yaml", "a: &a [1]\nb: [\(Array(repeating: "*a", count: 17).joined(separator: ", "))]",
            "e.yaml:2:69: has more than 16 aliases"
        ),
        ("a.plist", "<plist><dict><key>a</key></dict>", "a.plist: is not a property list with keys and values"),
        (
            "b.plist", "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><dict/></plist>",
            "b.plist: declares entities, which is not supported: convert it with plutil -convert xml1"
        ),
        ("a.xml", "<manifest>\n  <application>\n</manifest>", "a.xml:3:11: expected </application>, got </manifest>"),
        (
            "b.xml", "<!DOCTYPE m [<!ENTITY a \"b\">]><manifest/>",
            "b.xml:1:1: has a document type, which is not read"
        ),
        ("c.xml", "<manifest a=\"&b;\"/>", "c.xml:1:14: an entity that is not declared, &b;"),
        ("d.xml", String(repeating: "<a>", count: 100_000), "d.xml:1:193: elements are nested deeper than 64 levels"),
        ("e.xml", "<resources/>", "e.xml: is XML, but neither a property list nor an Android manifest"),
        ("a.xcconfig", "A = 1\nB\n", "a.xcconfig:2:1: expected KEY = value"),
    ])
    func brokenFileIsRefusedAtItsPlace(name: String, text: String, message: String) throws {
        let folder = try ImportedFolder([name: text, "good.json": "{\"currency\": \"BRL\"}"])
        let run = try folder.run("good.json", name, "--extends", "us")
        #expect(run.status == 2 && run.output.isEmpty)
        #expect(run.errors == message + "\n")
        #expect(!folder.isWritten)
        let json = try folder.run("good.json", name, "--extends", "us", "--format", "json").json()
        let finding = try #require((json["findings"] as? [[String: Any]])?.first)
        #expect(finding["code"] as? String == "unreadable")
    }

    @Test func hugeFilesAreRefused() throws {
        let folder = try ImportedFolder([
            "a.json": String(repeating: " ", count: 4 << 20 + 1), "a.yaml": String(repeating: "a", count: 1 << 20 + 1),
            "a.xml": "<" + String(repeating: "a", count: 1 << 20),
            "a.xcconfig": (0...5_000).map { "K\($0) = 1\n" }.joined(),
            "b.json": "{\((0...5_000).map { "\"k\($0)\": 1" }.joined(separator: ","))}",
        ])
        for (name, message) in [
            ("a.json", "cannot read a.json: it has more than 4,194,304 bytes\n"),
            ("a.yaml", "a.yaml: has more than 1,048,576 bytes\n"), ("a.xml", "a.xml: has more than 1,048,576 bytes\n"),
            ("a.xcconfig", "a.xcconfig: has more than 5,000 settings\n"),
            ("b.json", "b.json: the files have more than 5,000 values: import a part of them\n"),
            ("none.json", "cannot read none.json: no such file or directory\n"),
            ("markets", "cannot read markets: it is not a regular file\n"),
        ] {
            let run = try folder.run(name, "--extends", "us")
            #expect(run.status == 2 && run.errors == message, "\(run.errors)")
        }
        #expect(!folder.isWritten)
    }

    /// Sixteen aliases can still repeat each other's values.
    @Test func aliasesCountTheirValues() {
        let list = Array(repeating: "1", count: 2_000).joined(separator: ", ")
        let text = """
            a: &a [\(list)]
            b: &b [*a, *a, *a, *a, *a]
            c: &c [*b, *b, *b, *b, *b]
            d: [*c, *c, *c]
            """
        let failure = #expect(throws: ImportFailure.self) { try YAMLFile.tree(of: Array(text.utf8)) }
        #expect(failure?.message == "has more than 50,000 values, with those of its aliases")
    }

    /// Brackets in strings do not make up for those that are open.
    @Test func closedBracketsInStringsDoNotHideDepth() {
        let text = String(repeating: "[\"]\",", count: 100_000)
        let failure = #expect(throws: ImportFailure.self) { try YAMLFile.tree(of: Array(text.utf8)) }
        #expect(failure?.message == "is nested too deeply")
    }

    @Test func yamlHasNoNorwayProblem() throws {
        let tree = try YAMLFile.tree(of: Array("a: no\nb: 0123\nc: 1e3\nd: ~\ne: \"1\"\nf: {<<: {x: 1}, y: 2}\n".utf8))
        #expect(tree["a"] == .string("no") && tree["b"] == .string("0123") && tree["c"] == .number(1000))
        #expect(tree["d"] == .null && tree["e"] == .string("1"))
        #expect(tree["f"]?["x"]?.intValue == 1 && tree["f"]?["y"]?.intValue == 2)
    }

    @Test func invisibleCharactersOfAFileAreEscaped() throws {
        let folder = try ImportedFolder(["a.json": #"{"na\u202eme": "x", "networking": {"headers": {"A": "b"}}}"#])
        let run = try folder.run("a.json", "--extends", "us")
        #expect(
            !run.output.unicodeScalars.contains("\u{202E}") && run.output.contains("na\\u{202e}me"), "\(run.output)")
    }

    @Test func programWithoutReadersSaysSo() throws {
        let folder = try ImportedFolder(["a.yaml": "a: 1\n"])
        let run = try CommandRun(
            ["import", "br", "a.yaml", "--extends", "us"], of: RootCommand.self, HostSettings(module: .platform),
            name: "shop-host", folder: folder.folder.url)
        #expect(run.status == 2)
        #expect(
            run.errors
                == "a.yaml: is YAML, which only glass-host itself reads: convert it to JSON, or use glass-host\n")
    }
}
