// A process that writes to a store of delivered markets until it is done or killed; the store's tests start it.
//
//     delivery-writer serve                       reads commands, one per line: `FLOW STEP KIND FOLDER`
//     delivery-writer activate FOLDER ID TIMES    tries TIMES new versions of a market, one after the other
//
// A command of `serve` forks a child that runs a flow and is killed before its system call number STEP; with the KIND
// `torn`, a call that writes is cut short first. A fork costs a fraction of a launch, and this process has one thread,
// so the child is sound. It prints `ended STATUS STEPS` when the child has ended.

import DeliverySupport
import Foundation
import GlassBase
import GlassDelivery
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    // A single call writes a short line atomically, so the lines of two processes do not mix.
    if write(1, bytes, bytes.count) != bytes.count { exit(2) }
}

/// Runs asynchronous work and waits for it.
func wait(for body: @escaping @Sendable () async -> Void) {
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        await body()
        done.signal()
    }
    done.wait()
}

/// Counts the system calls of a store, and kills the process before one of them.
final class Killer: Sendable {
    let count = Atomic(0)
    private let last: Int
    private let isTorn: Bool

    init(before last: Int, isTorn: Bool) {
        self.last = last
        self.isTorn = isTorn
    }

    func meet(_ step: StoreSystem.Step) -> StoreSystem.Fault {
        let number = count.add(1, ordering: .sequentiallyConsistent).newValue
        guard last > 0, number >= last else { return .none }
        // A shortened call changes the file and is repeated for the rest, at which point the process ends.
        if isTorn, step == .write, number == last { return .short(7) }
        kill(getpid(), SIGKILL)
        return .none
    }
}

let ids = ["ca", "mx", "us", "za"]

func run(_ flow: String, _ folder: URL, _ system: StoreSystem) throws {
    let app = flow == "update" ? "app2" : "app"
    let markets = try TestMarkets.open(
        folder, app: flow == "update" ? "26.0" : "25.1", system: system, embedded: app)
    func start() throws { for id in ids { _ = try markets.check(id) } }
    switch flow {
    case "refresh":
        let delivery = MarketDelivery(markets, client: UpdateClient(folder: folder.appending(path: "server")))
        wait { await delivery.refresh() }
    case "start", "update": try start()
    case "healthy":
        try start()
        for id in ids { markets.markHealthy(id) }
    case "background":
        try start()
        markets.enterBackground()
    default: exit(64)
    }
}

#if os(Linux)
    func serve() {
        while let line = readLine() {
            let words = line.split(separator: " ", maxSplits: 3).map(String.init)
            var ends: [CInt] = [0, 0]
            guard words.count == 4, pipe(&ends) == 0 else { exit(64) }
            let child = fork()
            if child == 0 {
                let killer = Killer(before: Int(words[1]) ?? 0, isTorn: words[2] == "torn")
                do {
                    try run(words[0], URL(filePath: words[3]), StoreSystem { killer.meet($0) })
                } catch {
                    say("error \(error)")
                    _exit(1)
                }
                let count = Array("\(killer.count.load(ordering: .sequentiallyConsistent))".utf8)
                _exit(write(ends[1], count, count.count) == count.count ? 0 : 1)
            }
            close(ends[1])
            var status: CInt = 0
            while waitpid(child, &status, 0) < 0, errno == EINTR {}
            var buffer = [UInt8](repeating: 0, count: 16)
            let count = max(0, read(ends[0], &buffer, buffer.count))
            close(ends[0])
            say("ended \(status) \(count == 0 ? "0" : String(decoding: buffer[..<count], as: UTF8.self))")
        }
    }
#endif

/// Stores a version and activates it.
///
/// - Returns: The error. A missing object was collected by the other process before the state referred to it.
func activateOnce(_ bytes: [UInt8], _ id: String, _ number: Int, _ store: DeliveryStore) -> StoreError? {
    let version = DeliveredVersion(of: bytes, path: "4/\(id).json", serial: number)
    do throws(StoreError) {
        if let file = try store.object(for: version) {
            try file.write(bytes)
            try file.finish()
        }
        try store.update(survivesPowerCut: false) { state in
            var health = state.markets[id] ?? MarketHealth()
            _ = health.handle(.admitted(version), embedded: nil, at: .system)
            _ = health.handle(.activated, embedded: nil, at: .system)
            _ = health.handle(.healthy(digest: version.digest), embedded: nil, at: .system)
            state.markets[id] = health
            state.versions[id, default: 0] += 1
        }
        return nil
    } catch {
        if case .missingObject = error {} else { say("error \(error)") }
        return error
    }
}

/// Prints how long the lock was held, in microseconds: the maximum, the 99th percentile, and the median.
func activate(_ folder: String, _ id: String, _ times: Int) throws {
    let taken = Lock((start: ContinuousClock.now, held: [Int]()))
    let system = StoreSystem { step in
        switch step {
        case .lock: taken.withLock { $0.start = .now }
        case .unlock:
            taken.withLock { $0.held.append(Int(($0.start.duration(to: .now)) / .microseconds(1))) }
        default: break
        }
        return .none
    }
    let store = DeliveryStore(folder, system: system, lockWait: .seconds(30))
    for number in 1...times {
        let bytes = Array("\(id) \(number)".utf8)
        while true {
            if case .missingObject? = activateOnce(bytes, id, number, store) { continue }
            break
        }
        if number % 16 == 0 { try store.collect(now: .system) }
    }
    let held = taken.withLock { $0.held.sorted() }
    say("held \(held.last ?? 0) \(held[held.count * 99 / 100]) \(held[held.count / 2])")
}

let arguments = CommandLine.arguments.dropFirst()
switch (arguments.first, arguments.count) {
case ("activate", 4):
    do {
        try activate(arguments[2], arguments[3], Int(arguments[4]) ?? 0)
    } catch {
        say("error \(error)")
        exit(1)
    }
#if os(Linux)
    case ("serve", 1): serve()
#endif
default:
    say("error: usage: delivery-writer activate FOLDER ID TIMES | serve")
    exit(64)
}
