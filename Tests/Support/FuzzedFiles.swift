import Foundation

/// Runs a fuzz target without libFuzzer: each file on the command line is one input.
public enum FuzzedFiles {
    /// Passes every file to the target, and exits with 64 if there is none.
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
