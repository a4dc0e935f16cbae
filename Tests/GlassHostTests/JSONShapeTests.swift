import Foundation
import Testing

/// Runs each command of the JSON page and compares the keys and types of its result with those that the page lists.
@Suite(.timeLimit(.minutes(3)))
struct JSONShapeTests {
    private static let blocks: [(command: [String], shape: [String: Set<String>])] = {
        let file = HostProcess.repository.appending(path: "Sources/glass-host/glass-host.docc/JSON.md")
        // A page that cannot be read gives no blocks, which the first test notices.
        let parts = ((try? String(contentsOf: file, encoding: .utf8)) ?? "").components(separatedBy: "```")  // as above
        return stride(from: 1, to: parts.count, by: 2).compactMap { index in
            let lines = parts[index].split(separator: "\n")
            guard lines.count > 1, lines[0] == "shape" else { return nil }
            let command = lines[1].dropFirst("$ glass-host ".count).split(separator: " ").map(String.init)
            let pairs = lines.dropFirst(2).map { line in
                let ends = line.components(separatedBy: ": ")
                return (ends[0], Set(ends[1].split(separator: "|").map(String.init)))
            }
            return (command, Dictionary(uniqueKeysWithValues: pairs))
        }
    }()

    @Test func everyCommandWithJSONHasABlock() {
        let documented = Set(Self.blocks.compactMap(\.command.first))
        #expect(
            documented.isSuperset(of: [
                "check", "run", "test", "open", "explain", "routes", "export", "show", "services", "graph", "schema",
                "doctor",
            ]))
    }

    @Test(arguments: blocks.indices)
    func aResultHasTheShapeThatThePageLists(index: Int) throws {
        let (command, shape) = Self.blocks[index]
        let run = try HostProcess(command + ["--format", "json"])
        var observed: [String: Set<String>] = [:]
        var objects: Set<String> = []
        collect(try JSONSerialization.jsonObject(with: Data(run.output.utf8)), at: "", shape, &observed, &objects)
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
            // A key of an object that never occurred in this result cannot be looked for.
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
