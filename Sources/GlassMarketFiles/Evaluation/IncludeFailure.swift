import GlassBase
import GlassSchema

/// The failure of an `include`, with the message and the advice for its finding.
struct IncludeFailure: Error, Equatable, CustomStringConvertible {
    enum Cause: Equatable {
        /// The file does not exist.
        case missing
        /// The file ends without returning a value.
        case returnsNothing(file: String)
        /// The file includes itself, through the given files.
        case circle([String])
        /// The path or a symbolic link leads outside the markets folder.
        case outside
        /// The file cannot be read.
        case unreadable
    }

    let cause: Cause
    /// The path that was passed to `include`.
    let name: String
    /// The message of the Lua error and of the finding.
    let description: String

    static func returnsNothing(_ name: String, file: String) -> IncludeFailure {
        IncludeFailure(cause: .returnsNothing(file: file), name: name, description: "\(file) returns nothing")
    }

    static func circle(_ name: String, files: [String]) -> IncludeFailure {
        IncludeFailure(
            cause: .circle(files), name: name,
            description: "files include each other in a cycle: \(files.joined(separator: " → "))")
    }

    /// The advice for the finding.
    func advice(in folder: MarketFolder) -> Advice {
        switch cause {
        case .missing: adviceForMissing(folder.includableFiles())
        case .returnsNothing: Advice("end the included file with return and the value")
        case .circle: Advice("remove this include, or move what both files need into a third one")
        case .outside, .unreadable: Advice(nil)
        }
    }

    /// Suggests a file whose name begins with the same letter: `ca_regions.lua` is not meant by `pl_regions.lua`.
    private func adviceForMissing(_ files: [String]) -> Advice {
        func initial(_ path: String) -> Character? { path.split(separator: "/").last?.first }
        let alike = files.filter { initial($0) == initial(name) }
        if let near = Advice.nearest(to: name, in: alike) { return near }
        return Advice("create the file, or correct the path")
    }
}

extension IncludeFailure {
    /// Creates the failure for a file that could not be read.
    init(_ error: MarketFolderError, name: String) {
        let cause: Cause =
            switch error {
            case .missingFile: .missing
            case .outside, .symlinkOutsideFolder: .outside
            case .unreadableFile, .unreadableFolder, .noSuchMarket, .abstractMarket: .unreadable
            }
        self.init(cause: cause, name: name, description: "\(error)")
    }
}
