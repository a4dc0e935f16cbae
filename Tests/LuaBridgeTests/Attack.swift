import Foundation
import LuaBridge
import Testing

/// How a program ended, as spelled in the attack files.
enum Ending: String, Sendable {
    case ok, timeout, memory, runtime, denied, syntax, decode, output, source

    init(_ error: any Error) {
        switch error as? LuaError {
        case .syntax: self = .syntax
        case .runtime, nil: self = .runtime
        case .timeLimit, .instructionLimit: self = .timeout
        case .memoryLimit: self = .memory
        case .outputLimit: self = .output
        case .sourceTooLarge, .tooManyNames: self = .source
        case .denied: self = .denied
        case .conversion, .notUTF8, .cycle, .tooDeep, .tooLarge: self = .decode
        }
    }
}

/// A hostile program and how it must end.
struct Attack: Sendable, CustomTestStringConvertible {
    var name: String
    var profile: LuaProfile
    var endings: [String]
    var source: LuaSource

    var testDescription: String { "\(name) in \(profile)" }

    static let limits = LuaLimits(cpuTime: .milliseconds(200), memory: 16 * 1024 * 1024)

    /// The attack in both profiles, with the expectation as the files spell it: `config=ok script=denied|runtime`.
    static func both(_ name: String, _ expectation: String, _ bytes: [UInt8]) -> [Attack] {
        [(LuaProfile.config, "config="), (.script, "script=")].map { profile, key in
            let word = expectation.split(separator: " ").first { $0.hasPrefix(key) } ?? ""
            return Attack(
                name: name, profile: profile,
                endings: word.dropFirst(key.count).split(separator: "|").map(String.init),
                source: LuaSource(bytes: bytes, chunkName: name))
        }
    }

    static let files: [Attack] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Fixtures/lua-attacks")
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
            // `attackFilesAreComplete` fails then.
            return []
        }
        return names.sorted().flatMap { name -> [Attack] in
            // An unreadable file is missing from the count.
            guard name != "README.md", let data = try? Data(contentsOf: folder.appendingPathComponent(name)) else {
                return []
            }
            let first = String(decoding: data.prefix { $0 != 10 }, as: UTF8.self)
            let expectation = name.hasSuffix(".luac") ? "config=syntax script=syntax" : first
            return both(name, expectation, Array(data))
        }
    }()

    struct Result: Sendable {
        var ending: Ending
        var error: LuaError?
        var usage: LuaUsage
    }

    /// Runs the program in a fresh state and decodes what it returned.
    func run() throws -> Result {
        let state = try LuaState(profile: profile, limits: Self.limits, moduleLoader: { _ in nil })
        defer { state.close() }
        let (value, failure, usage) = state.perform { lua -> (LuaValue, (any Error)?, LuaUsage) in
            do {
                let value = try lua.evaluate { try lua.call(lua.load(source)).first ?? .nil }
                return (value, nil, lua.usage)
            } catch {
                return (.nil, error, lua.usage)
            }
        }
        if let failure { return Result(ending: Ending(failure), error: failure as? LuaError, usage: usage) }
        do {
            try decode(value)
            return Result(ending: .ok, error: nil, usage: usage)
        } catch {
            return Result(ending: Ending(error), error: error, usage: usage)
        }
    }

    private struct Table: Decodable {
        init(from decoder: any Decoder) throws {
            _ = try decoder.container(keyedBy: Name.self)
        }
        struct Name: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init?(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
    }

    private struct Lists: Decodable { var list: [Int] }

    private func decode(_ value: LuaValue) throws(LuaError) {
        let decoder = LuaDecoder()
        switch name {
        case "dec-function.lua": _ = try decoder.decode([String: [String: String]].self, from: value)
        case "dec-holes.lua", "dec-mixed.lua": _ = try decoder.decode(Lists.self, from: value)
        case "dec-trailing-nil.lua": _ = try decoder.decode(Lists.self, from: value)
        case "dec-hash-array.lua": _ = try decoder.decode([String: [String]].self, from: value)
        case "dec-int-map.lua": _ = try decoder.decode([String: [Int: String]].self, from: value)
        case "dec-key-bool.lua", "dec-key-float.lua":
            _ = try decoder.decode([String: [String: String]].self, from: value)
        case "dec-numbers.lua", "dec-numbers-ok.lua": _ = try decoder.decode([String: Double].self, from: value)
        case "dec-non-utf8.lua": _ = try decoder.decode([String: String].self, from: value)
        default: _ = try decoder.decode(Table.self, from: value)
        }
    }
}
