public import Foundation

/// A markets folder that is made of one input of a fuzzer: the real markets, and files of the input's own.
///
/// An input is the texts of `zz.lua`, `base.lua`, `shared/a.lua` and `shared/b.lua`, each but the first behind a line
/// `--@`. What an input lacks, the folder lacks.
public final class FuzzedMarket: Sendable {
    /// The id of the market that an input is.
    public static let id = "zz"
    private static let names = ["zz.lua", "base.lua", "shared/a.lua", "shared/b.lua"]
    private static let separator = Array("\n--@\n".utf8)

    /// The repository, found from this file.
    public static let repository = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The folder.
    public let folder: URL

    /// Makes a folder with the real markets.
    ///
    /// - Throws: When it cannot be made.
    public init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "fuzzed-\(UUID().uuidString)")
        try FileManager.default.copyItem(at: Self.repository.appending(path: "markets"), to: folder)
    }

    deinit {
        // A folder that cannot be removed is the system's to clean up.
        try? FileManager.default.removeItem(at: folder)
    }

    /// Puts the files of an input into the folder, in place of those of the last one.
    ///
    /// - Parameter input: The input.
    /// - Throws: When a file cannot be written.
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
