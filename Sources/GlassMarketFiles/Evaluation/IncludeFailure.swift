import GlassBase
import GlassSchema

/// Why an `include` failed, for its diagnostic and hint.
struct IncludeFailure: Error, Equatable, CustomStringConvertible {
    /// What went wrong.
    enum Cause: Equatable {
        /// There is no such file.
        case missing
        /// The file ends without a value.
        case returnsNothing(file: String)
        /// The file includes itself: the files on the way.
        case circle([String])
        /// The path or a link leads out of the markets folder.
        case outside
        /// The file cannot be read.
        case unreadable
    }

    /// What went wrong.
    let cause: Cause
    /// The path that `include` was given.
    let name: String
    /// The text of the error in Lua, and of the diagnostic.
    let description: String

    static func returnsNothing(_ name: String, file: String) -> IncludeFailure {
        IncludeFailure(cause: .returnsNothing(file: file), name: name, description: "\(file) returns nothing")
    }

    static func circle(_ name: String, files: [String]) -> IncludeFailure {
        IncludeFailure(
            cause: .circle(files), name: name,
            description: "files include each other in a circle: \(files.joined(separator: " → "))")
    }

    /// What the diagnostic advises.
    func advice(in folder: MarketFolder) -> Advice {
        switch cause {
        case .missing: .nearest(to: name, in: folder.includableFiles()) ?? Advice(nil)
        case .returnsNothing: Advice("end the included file with return and the value")
        case .circle, .outside, .unreadable: Advice(nil)
        }
    }
}

extension IncludeFailure {
    /// The failure to read a file.
    init(_ error: MarketFolderError, name: String) {
        let cause: Cause =
            switch error {
            case .missingFile: .missing
            case .outside, .symlinkOutsideFolder: .outside
            case .unreadableFile, .unreadableFolder, .noSuchMarket: .unreadable
            }
        self.init(cause: cause, name: name, description: "\(error)")
    }
}
