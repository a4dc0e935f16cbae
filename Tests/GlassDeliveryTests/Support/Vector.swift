import Foundation
import GlassBase
@testable import GlassDelivery
import Testing

/// A test vector: the files of a server in each step, and the expected reactions of a client.
struct Vector: Sendable, CustomTestStringConvertible {
    struct Step: Sendable {
        var files: [String: [UInt8]]
        var faults: [String: MemoryServer.Fault]
        var now: UpdateTime
        var isRefused: Bool
        var error: String?
        var trusted: [String: Int]
        var fetch: [String: String?]
        var requests: [String]?
    }

    let name: String
    let trustedRoot: [UInt8]
    let limits: UpdateLimits
    let steps: [Step]

    var testDescription: String { name }

    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/tuf")

    static let all: [Vector] = {
        do {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "vectors").path)
            return try names.sorted().map(Vector.init)
        } catch { preconditionFailure("the vectors cannot be read: \(error)") }
    }()

    static func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: folder.appending(path: path))) }

    init(_ name: String) throws {
        self.name = name
        let json = try StrictJSON(reading: Self.bytes("vectors/\(name)/vector.json"), limit: 100_000)
        trustedRoot = try Self.bytes(json["trustedRoot"]?.stringValue ?? "")
        var limits = UpdateLimits.wide
        // One try, so that the requests match the vector.
        limits.tries = 1
        if let most = json["limits"]?["maxRootRotations"]?.intValue { limits.rootRotations = most }
        self.limits = limits
        steps = try (json["steps"]?.arrayValue ?? []).map { step in
            var files = try Self.files(of: step["serve"]?.stringValue ?? "")
            for put in step["put"]?.members ?? [] {
                files[put.key] = try Self.bytes("vectors/\(name)/\(put.value.stringValue ?? "")")
            }
            for absent in step["absent"]?.arrayValue ?? [] { files[absent.stringValue ?? ""] = nil }
            var faults: [String: MemoryServer.Fault] = [:]
            for fault in step["faults"]?.members ?? [] { faults[fault.key] = try Self.fault(fault.value) }
            return Step(
                files: files, faults: faults, now: try #require(UpdateTime(step["now"]?.stringValue ?? "")),
                isRefused: step["refresh"]?.stringValue != "ok", error: step["error"]?.stringValue,
                trusted: Dictionary(
                    uniqueKeysWithValues: (step["trusted"]?.members ?? []).map { ($0.key, $0.value.intValue ?? 0) }),
                fetch: Dictionary(
                    uniqueKeysWithValues: (step["fetch"]?.members ?? []).map { ($0.key, $0.value.stringValue) }),
                requests: step["requests"]?.arrayValue?.compactMap(\.stringValue))
        }
    }

    /// The files of a sample repository, by path on the server.
    static func files(of repository: String) throws -> [String: [UInt8]] {
        let base = folder.appending(path: repository)
        var files: [String: [UInt8]] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: base.path) where path.hasSuffix(".json") {
            files[path] = Array(try Data(contentsOf: base.appending(path: path)))
        }
        return files
    }

    private static func fault(_ json: StrictJSON) throws -> MemoryServer.Fault {
        if let status = json["status"]?.intValue { return .status(status) }
        if let count = json["padTo"]?.intValue { return .padTo(count) }
        if let count = json["stallAfter"]?.intValue { return .stallAfter(count) }
        try #require(json["endless"]?.boolValue == true)
        return .endless
    }
}
