import CommandTesting
import Foundation
import TestSupport
import Testing

/// Runs each command on the JSON page and compares the keys and types of its result with the documented ones.
@Suite(.timeLimit(.minutes(3)))
struct JSONShapeTests {
    /// A block: the command, which lines of its output it covers, and the types of the keys.
    struct Block {
        let command: [String]
        let selection: [String]
        let shape: [String: Set<String>]
    }

    private static let blocks: [Block] = {
        let file = CommandRun.repository.appending(path: "Sources/GlassHost/GlassHost.docc/JSON.md")
        // An unreadable page has no blocks, which the first test detects.
        let parts = ((try? String(contentsOf: file, encoding: .utf8)) ?? "").components(separatedBy: "```")  // as above
        return stride(from: 1, to: parts.count, by: 2).compactMap { index in
            parts[index].hasPrefix("shape\n") ? block(parts[index].dropFirst("shape\n".count)) : nil
        }
    }()

    private static func block(_ text: Substring) -> Block {
        var lines = text.split(separator: "\n")[...]
        let command = lines.removeFirst().dropFirst("$ glass-host ".count).split(separator: " ").map(String.init)
        var selection: [String] = []
        if lines.first?.hasPrefix("lines with ") == true {
            selection = lines.removeFirst().dropFirst("lines with ".count).components(separatedBy: " = ")
        }
        let pairs = lines.map { line in
            let ends = line.components(separatedBy: ": ")
            return (ends[0], Set(ends.dropFirst().joined().split(separator: "|").map(String.init)))
        }
        return Block(command: command, selection: selection, shape: Dictionary(uniqueKeysWithValues: pairs))
    }

    /// `Tests/Upgrade` lists the keys of the page when the number was 1. A key that goes needs a new number.
    @Test func noKeyOfSchemaOneIsGone() throws {
        let recorded = try String(
            contentsOf: CommandRun.repository.appending(path: "Tests/Upgrade/json-schema-1.txt"), encoding: .utf8)
        for block in recorded.split(separator: "\n\n").map(Self.block) {
            let now = try #require(
                Self.blocks.first { $0.command == block.command && $0.selection == block.selection }, "\(block)")
            let gone = Set(block.shape.keys).subtracting(now.shape.keys)
            #expect(gone.isEmpty, "\(block.command.joined(separator: " "))")
        }
    }

    @Test func everyCommandWithJSONHasABlock() throws {
        let documented = Set(Self.blocks.compactMap(\.command.first))
        let help = try HostRun(["--help"]).output
        let commands = help.matches(of: /\n  ([a-z]+) +[A-Z]/).map { String($0.1) }
        #expect(commands.count > 15)
        for command in commands where !["repl", "lsp"].contains(command) {
            #expect(documented.contains(command), "\(command)")
        }
    }

    /// Runs a command in a temporary folder with the files that it needs.
    ///
    /// - Returns: Each object that it printed.
    private func results(of block: Block) throws -> [[String: Any]] {
        let folder = try TestFolder()
        let market = try folder.markets().appending(path: "ca.lua")
        try FileManager.default.copyItem(
            at: CommandRun.repository.appending(path: "scripts"), to: folder.url.appending(path: "scripts"))
        let site = folder.url.appending(path: "site")
        try FileManager.default.createDirectory(at: site, withIntermediateDirectories: true)
        let association =
            #"{"applinks":{"details":[{"appIDs":["US7W4LMART.com.walmart.electronics"],"components":[1]}]}}"#
        try Data(association.utf8).write(to: site.appending(path: "apple-app-site-association"))
        _ = try folder.write("walmart://ip/42\nwalmart://nowhere\n", to: "links.txt")
        let golden = """
            {"link":"walmart://ip/41","outcome":"routed","parameters":{},"pattern":null,"reason":null,"routable":null,"schema":1}

            """
        _ = try folder.write(golden, to: "golden.jsonl")
        let imported =
            #"{"currency": "BRL", "theme": 1, "networking": {"retry": {"maxRetries": 4}, "consumerKey": "k"}}"#
        _ = try folder.write(imported, to: "config.json")
        if block.command[0] == "review" {
            try GitFixture(in: folder.url).commit()
            let text = try String(
                contentsOf: market.deletingLastPathComponent().appending(path: "us.lua"), encoding: .utf8)
            try Data(text.replacing("item = {},", with: "item = { paths = { \"i/:itemID\" } },").utf8)
                .write(to: market.deletingLastPathComponent().appending(path: "us.lua"))
        }
        let output: String
        if block.command[0] == "watch" {
            let watch = try LiveProcess(block.command + ["--settle", "50", "--format", "json"], folder: folder.url)
            watch.read(until: "\"applied\"")
            let good = try Data(contentsOf: market)
            try Data("return { id = \"ca\", name = 1 }".utf8).write(to: market)
            watch.read(until: "\"rejected\"")
            try good.write(to: market)
            watch.read(until: "\"restored\"")
            try Data(String(decoding: good, as: UTF8.self).replacing("CAD", with: "USD").utf8).write(to: market)
            watch.read(until: "\"USD\"")
            #expect(watch.interrupt() == 130)
            watch.read(until: "the end, which no output has")
            output = watch.output
        } else if block.command == ["inspect"] {
            output = try HostProcess(
                block.command + ["--format", "json"], folder: folder.url, interruptAfter: "\n"
            ).output
        } else {
            output = try HostRun(block.command + ["--format", "json"], folder: folder.url).output
        }
        let texts = block.selection.isEmpty ? [output] : output.split(separator: "\n").map(String.init)
        return try texts.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any], "\($0)")
        }.filter { object in
            guard let key = block.selection.first else { return true }
            return object[key] != nil && (block.selection.count == 1 || object[key] as? String == block.selection[1])
        }
    }

    @Test(arguments: blocks.indices)
    func resultHasDocumentedShape(index: Int) throws {
        let (command, shape) = (Self.blocks[index].command, Self.blocks[index].shape)
        var observed: [String: Set<String>] = [:]
        var objects: Set<String> = []
        for object in try results(of: Self.blocks[index]) {
            #expect(object["schema"] as? Int == 1, "\(command.joined(separator: " "))")
            collect(object, at: "", shape, &observed, &objects)
        }
        for (path, types) in observed {
            let known = shape[path] ?? []
            let unknown =
                known.contains("any")
                ? [] : types.filter { !known.contains($0) && !($0 == "integer" && known.contains("number")) }
            #expect(unknown.isEmpty, "\(command.joined(separator: " ")): \(path): \(types.sorted())")
        }
        for path in shape.keys where observed[path] == nil {
            let parent =
                path.hasSuffix("[]")
                ? String(path.dropLast(2)) : path.split(separator: ".").dropLast().joined(separator: ".")
            // A key cannot be checked if its object never occurred in this result.
            guard !path.hasSuffix("[]"), objects.contains(parent) else { continue }
            #expect(Bool(false), "\(command.joined(separator: " ")): \(path) is missing")
        }
        #expect(!observed.isEmpty)
    }

    private func collect(
        _ value: Any, at path: String, _ shape: [String: Set<String>], _ observed: inout [String: Set<String>],
        _ objects: inout Set<String>
    ) {
        func note(_ type: String) { if !path.isEmpty { observed[path, default: []].insert(type) } }
        if shape[path]?.contains("any") == true { return note("any") }
        switch value {
        case is NSNull: note("null")
        case is String: note("string")
        case let number as NSNumber:
            // Foundation gives booleans the C type of a character.
            let isBoolean = String(cString: number.objCType) == "c"
            note(isBoolean ? "boolean" : number.doubleValue == number.doubleValue.rounded() ? "integer" : "number")
        case let list as [Any]:
            if list.isEmpty { return }
            for element in list { collect(element, at: path + "[]", shape, &observed, &objects) }
        case let object as [String: Any]:
            if shape[path]?.contains("map") == true { return note("map") }
            if shape[path] != nil { note("object") }
            objects.insert(path)
            for (key, inner) in object {
                collect(inner, at: path.isEmpty ? key : "\(path).\(key)", shape, &observed, &objects)
            }
        default: note("unknown")
        }
    }
}
