import CommandTesting
import Foundation
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
            "n.json", "{\"\(String(repeating: "n", count: 1000))\": 1}",
            "n.json: has a name of 1,000 bytes; the name of a key can have 512"
        ),
        ("m.json", "// a comment\n{}", "m.json: has a comment, which JSON does not allow: remove it"),
        ("k.json", "{ \"a\": 1, // why\n}", "k.json:1:11: has a comment, which JSON does not allow: remove it"),
        (
            "Old.plist", "{\n  CFBundleIdentifier = \"com.example.loja\";\n}",
            "Old.plist: is an old-style property list, which import does not read: convert it with plutil -convert xml1"
        ),
        (
            "e.txt", "hello",
            "e.txt: has no format that import knows: JSON, a property list, or .xcconfig"
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
        ("a.yaml", "a: 1\n", "a.yaml: is YAML, which import does not read: convert it to JSON with yq -o json"),
        ("b.YML", "", "b.YML: is YAML, which import does not read: convert it to JSON with yq -o json"),
        ("a.plist", "<plist><dict><key>a</key></dict>", "a.plist: is not a property list with keys and values"),
        (
            "b.plist", "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><dict/></plist>",
            "b.plist: declares entities, which is not supported: convert it with plutil -convert xml1"
        ),
        (
            "AndroidManifest.xml", "<?xml version=\"1.0\"?>\n<manifest package=\"com.example.loja\"/>",
            "AndroidManifest.xml: is an Android manifest, which import does not read: write its schemes and hosts in deepLinking, and its paths in routables"
        ),
        ("e.xml", "<resources/>", "e.xml: is XML, but not a property list"),
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
            "a.json": String(repeating: " ", count: 4 << 20 + 1),
            "a.xcconfig": (0...5_000).map { "K\($0) = 1\n" }.joined(),
            "b.json": "{\((0...5_000).map { "\"k\($0)\": 1" }.joined(separator: ","))}",
        ])
        for (name, message) in [
            ("a.json", "cannot read a.json: it has more than 4,194,304 bytes\n"),
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

    @Test func invisibleCharactersOfAFileAreEscaped() throws {
        let folder = try ImportedFolder(["a.json": #"{"na\u202eme": "x", "networking": {"headers": {"A": "b"}}}"#])
        let run = try folder.run("a.json", "--extends", "us")
        #expect(
            !run.output.unicodeScalars.contains("\u{202E}") && run.output.contains("na\\u{202e}me"), "\(run.output)")
    }
}
