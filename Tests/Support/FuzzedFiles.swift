import Foundation

/// Runs a fuzz target without libFuzzer: each file that the command line names is one input.
public enum FuzzedFiles {
    /// Gives the target every file, and ends with 64 where none is named.
    public static func run(_ target: (UnsafePointer<UInt8>?, Int) -> Int32) {
        let paths = CommandLine.arguments.dropFirst()
        guard !paths.isEmpty else {
            FileHandle.standardError.write(Data("usage: \(CommandLine.arguments[0]) FILE...\n".utf8))
            exit(64)
        }
        for path in paths {
            do {
                let input = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
                _ = input.withUnsafeBufferPointer { target($0.baseAddress, $0.count) }
            } catch {
                FileHandle.standardError.write(Data("cannot read \(path): \(error.localizedDescription)\n".utf8))
                exit(2)
            }
        }
    }
}
