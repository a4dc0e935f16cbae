import Foundation
import GlassContainer
import GlassDeepLinking
import GlassMarkets
import GlassPlatform

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Measures the first load of a compiled market in a process: from the first call into the library to a market with its
/// container and its router, which has found a link. What the system loads before `main` does not count.
///
/// Without a second argument, starts itself again and again, because each process has one first time, and writes a line
/// for the floor and one for ours to standard output, for `report`: the id, what it is, and the median in nanoseconds,
/// with tabs between. The floor is reading the file's bytes, in processes of their own too.
@main
enum Cold {
    static let rounds = 41

    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 1 else {
            FileHandle.standardError.write(Data("usage: cold FOLDER\n".utf8))
            exit(64)
        }
        let folder = URL(fileURLWithPath: arguments[1])
        switch arguments.dropFirst(2).first {
        case "floor": print(time { read("\(arguments[1])/1/ca.json") > 0 })
        case "ours":
            print(
                time {
                    // A market that does not load is not measured.
                    guard let market = try? CompiledMarkets(.platform, folder: folder).load("ca") else { return false }
                    let environment: any EnvironmentAPI = market.container.get()
                    return market.deepLinker.canRoute(deepLink: "walmart.ca://myaccount")
                        && (try? environment.baseURL(for: "orchestra")) != nil
                })
        default:
            for kind in ["floor", "ours"] {
                let times = try (0..<rounds).map { _ in try run(kind, arguments[1]) }.sorted()
                print("compiled-cold\t\(kind)\t\(times[rounds / 2])")
            }
        }
    }

    /// The nanoseconds of a work that has to succeed.
    private static func time(_ work: () -> Bool) -> UInt64 {
        let start = now()
        guard work() else {
            FileHandle.standardError.write(Data("the work did not succeed\n".utf8))
            exit(2)
        }
        return now() - start
    }

    private static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    private static func read(_ path: String) -> Int {
        let file = open(path, O_RDONLY)
        guard file >= 0 else { return 0 }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        return bytes.withUnsafeMutableBytes { readBytes(file, $0) }
    }

    private static func readBytes(_ file: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        #if canImport(Darwin)
            Darwin.read(file, buffer.baseAddress, buffer.count)
        #else
            Glibc.read(file, buffer.baseAddress, buffer.count)
        #endif
    }

    private static func run(_ kind: String, _ folder: String) throws -> UInt64 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).standardizedFileURL
        process.arguments = [folder, kind]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0, let time = UInt64(text.dropLast()) else {
            FileHandle.standardError.write(Data("cannot measure \(kind)\n".utf8))
            exit(2)
        }
        return time
    }
}
