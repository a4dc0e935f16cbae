public import Foundation

/// A markets folder created from one fuzzer input: the real markets, and the input's own files.
///
/// An input consists of the texts of `zz.lua`, `base.lua`, `shared/a.lua` and `shared/b.lua`, each but the first after
/// a line `--@`. A file that is missing from the input is missing from the folder.
public final class FuzzedMarket: Sendable {
    /// The ID of the input's market.
    public static let id = "zz"
    private static let names = ["zz.lua", "base.lua", "shared/a.lua", "shared/b.lua"]
    private static let separator = Array("\n--@\n".utf8)

    /// The repository, located relative to this file.
    public static let repository = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The folder.
    public let folder: URL

    /// Creates a folder with the real markets.
    ///
    /// - Throws: If it cannot be created.
    public init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "fuzzed-\(UUID().uuidString)")
        try FileManager.default.copyItem(at: Self.repository.appending(path: "markets"), to: folder)
    }

    deinit {
        // The system cleans up a folder that cannot be removed.
        try? FileManager.default.removeItem(at: folder)
    }

    /// Writes the files of an input to the folder, replacing those of the last one.
    ///
    /// - Parameter input: The input.
    /// - Throws: If a file cannot be written.
    public func write(_ input: [UInt8]) throws {
        let parts = Self.parts(of: input)
        for (place, name) in Self.names.enumerated() {
            let file = folder.appending(path: name)
            if place < parts.count {
                try Data(parts[place]).write(to: file)
            } else if FileManager.default.fileExists(atPath: file.path) {
                try FileManager.default.removeItem(at: file)
            }
        }
    }

    private static func parts(of input: [UInt8]) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var start = 0
        var place = 0
        while parts.count < names.count - 1, place + separator.count <= input.count {
            if input[place..<(place + separator.count)].elementsEqual(separator) {
                parts.append(input[start..<place])
                place += separator.count
                start = place
            } else {
                place += 1
            }
        }
        return parts + [input[start...]]
    }
}
