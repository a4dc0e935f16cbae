import Foundation
import GlassContainer
import GlassDeepLinking
import GlassDelivery
import GlassMarkets
import GlassPlatform

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Measures the first load of a market in a process without Lua: from the first call into the library to a market with its
/// container and its router, which has found a link. What the system loads before `main` does not count.
///
/// FOLDER holds a compiled market in `1`, the markets that came with an app in `embedded`, and a store with newer ones in
/// `store`; HOST is a built `glass-host`, whose `open` is timed as users run it, from its start to its end. The program
/// starts itself again and again, because each process has one first time, and writes a line for each work to standard
/// output, for `report`: the id, whether it is the floor or ours, and the median in nanoseconds, with tabs between. In the
/// place of HOST it gets the name of the work from itself.
///
/// The floor is the start and end of the smallest comparable program, `lua5.4 -e ''`, in turns with ours. With
/// `--without-lua`, for a machine that lacks it, the works with that floor are left out.
@main
enum Cold {
    static let rounds = 41

    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 2 else {
            FileHandle.standardError.write(Data("usage: cold FOLDER HOST [--without-lua]\n".utf8))
            exit(64)
        }
        // Made before the clock starts: apps already have them, and a process's first URL is Foundation's cost.
        let folder = URL(fileURLWithPath: arguments[1])
        let (embedded, store) = (folder.appending(path: "embedded"), folder.appending(path: "store"))
        let builtAt = Date(timeIntervalSince1970: 0)
        switch arguments[2] {
        case "compiled":
            // An app keeps its market: letting it go is not part of the load.
            var market: Market?
            print(
                time {
                    market = try? CompiledMarkets(.platform, folder: folder).load("ca")
                    return opens(market)
                })
        case "delivered":
            var markets: DeliveredMarkets?
            var market: Market?
            print(
                time {
                    // The store is proved again in each process: three signed files, and the market's digest. The root is
                    // the one that came with the app.
                    markets = try? DeliveredMarkets(
                        .platform, embedded: embedded, builtAt: builtAt, store: store, appVersion: "24.2")
                    market = try? markets?.load("ca")
                    return opens(market)
                })
            guard let status = markets?.deliveryStatus(of: "ca"), status.active != nil else {
                FileHandle.standardError.write(Data("the market is not the store's\n".utf8))
                exit(2)
            }
            // Or the next starts would count this one as one that did not end well.
            markets?.markHealthy()
        case "verify": print(try verifying(folder))
        default:
            try measureAll(arguments[1], host: arguments[2], hasLua: !arguments.contains("--without-lua"))
        }
    }

    /// Measures every work against its floor, the two in turns, since a machine's speed changes by the minute.
    private static func measureAll(_ folder: String, host: String, hasLua: Bool) throws {
        let markets = "\(folder)/markets"
        let works: [(id: String, floor: () throws -> UInt64, ours: () throws -> UInt64)] = [
            ("compiled-cold", startLua, { try run("compiled", folder) }),
            ("delivered-cold", startLua, { try run("delivered", folder) }),
            (
                "open-cold", startLua,
                { try start([host, "--markets", markets, "-m", "ca", "open", "walmart.ca://myaccount"]) }
            ),
        ]
        for work in works where hasLua {
            var times: [(floor: UInt64, ours: UInt64)] = []
            for _ in 0..<rounds { times.append((try work.floor(), try work.ours())) }
            write(work.id, floor: times.map(\.floor), ours: times.map(\.ours))
        }
        let readings = (0..<rounds).map { _ in time { read("\(folder)/4/ca.json") > 0 } }
        write("delivered-verify", floor: readings, ours: try (0..<5).map { _ in try run("verify", folder) })
    }

    private static func write(_ id: String, floor: [UInt64], ours: [UInt64]) {
        for (kind, times) in [("floor", floor), ("ours", ours)] {
            print("\(id)\t\(kind)\t\(times.sorted()[times.count / 2])")
        }
    }

    private static func startLua() throws -> UInt64 { try start(["lua5.4", "-e", ""]) }

    /// The nanoseconds of the processor's time that proving one set of metadata takes once everything is warm: what a refresh
    /// proves, with reading the files.
    ///
    /// A store is proved beside the set that came with the app, so this is what the store adds to a device that has none.
    private static func verifying(_ folder: URL) throws -> UInt64 {
        let without = folder.appending(path: "without")
        try FileManager.default.createDirectory(at: without, withIntermediateDirectories: true)
        var times: [[UInt64]] = [[], []]
        for round in 0..<400 {
            let isStored = round % 2 == 1
            let start = now(CLOCK_PROCESS_CPUTIME_ID)
            let markets = try DeliveredMarkets(
                .platform, embedded: folder.appending(path: "embedded"), builtAt: Date(timeIntervalSince1970: 0),
                store: isStored ? folder.appending(path: "store") : without, appVersion: "24.2")
            let status = markets.deliveryStatus(of: "ca")
            guard status?.problem == nil, (status?.active != nil) == isStored else {
                FileHandle.standardError.write(Data("the store does not prove itself\n".utf8))
                exit(2)
            }
            times[isStored ? 1 : 0].append(now(CLOCK_PROCESS_CPUTIME_ID) - start)
        }
        let medians = times.map { $0.dropFirst(50).sorted()[75] }
        return medians[1] - min(medians[0], medians[1])
    }

    /// Whether a market loaded, and its container and its router work. One that does not is not measured.
    private static func opens(_ market: Market?) -> Bool {
        guard let market else { return false }
        let environment: any EnvironmentAPI = market.container.get()
        return market.deepLinker.canRoute(deepLink: "walmart.ca://myaccount")
            && (try? environment.baseURL(for: "orchestra")) != nil
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

    private static func now(_ clock: clockid_t = CLOCK_MONOTONIC) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
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

    /// The nanoseconds from a program's start to its end. Its output is thrown away.
    private static func start(_ words: [String]) throws -> UInt64 {
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var (process, status): (pid_t, Int32) = (0, 0)
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        let start = now()
        let failure = posix_spawnp(&process, words[0], &actions, nil, &arguments, environ)
        if failure == 0 { waitpid(process, &status, 0) }
        let time = now() - start
        guard failure == 0, status == 0 else {
            FileHandle.standardError.write(Data("cannot measure \(words.joined(separator: " "))\n".utf8))
            exit(2)
        }
        return time
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
