// A process that writes to a storage until it is done or killed; the storage's tests start it.
//
//     storage-writer count FOLDER TIMES    adds 1 to a counter TIMES times, each in a transaction
//     storage-writer suspended FOLDER      writes forever, and reads commands: `suspend` and `resume`, like iOS notifies
//                                          an app; prints `writing`, and `suspended` once it stops writing
//     storage-writer serve                 reads commands, one per line: `storage FOLDER`, `startup FOLDER`
//
// A command of `serve` forks a child that writes forever: a fork costs a fraction of a launch, and this process has one
// thread, so the child is sound. It prints `pid N`, then `ack N` for each write that the child knows to be durable, and
// `ended STATUS` when the child has ended.

import Foundation
import GlassPlatform

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

/// Checkpoints often, so that kills happen during them.
func makeStorage(_ folder: String) -> StoragePlatformAPI {
    var options = DurableDatabase.Options()
    options.checkpointBytes = 48 * 1024
    options.busyTimeout = .seconds(30)
    return StoragePlatformAPI(folder: URL(filePath: folder), options: options, pollInterval: .seconds(1))
}

let counter = StorageKey<Int>("writer", "counter")

/// Writes four values per transaction, which belong together.
func writeForEver(_ folder: String) throws {
    let storage = makeStorage(folder)
    while true {
        let number = try storage.transaction { transaction in
            let number = (try transaction.value(for: counter) ?? 0) + 1
            try transaction.set(number, for: counter)
            try transaction.set(number, for: StorageKey<Int>("writer", "slot\(number % 8)"))
            try transaction.set(
                String(repeating: "x", count: number % 700), for: StorageKey<String>("log", "\(number)"))
            if number > 8 { try transaction.set(nil, for: StorageKey<String>("short", "\(number - 8)")) }
            try transaction.set("s", for: StorageKey<String>("short", "\(number)"))
            return number
        }
        say("ack \(number)")
    }
}

func rememberForEver(_ folder: String) throws {
    let startup = StartupPreferencePlatformAPI(folder: URL(filePath: folder))
    var number = Int(startup.market ?? "0") ?? 0
    while true {
        number += 1
        try startup.setMarket("\(number)")
        say("ack \(number)")
    }
}

func count(_ folder: String, _ times: Int) throws {
    let storage = makeStorage(folder)
    for _ in 0..<times {
        try storage.transaction { transaction in
            try transaction.set((try transaction.value(for: counter) ?? 0) + 1, for: counter)
        }
    }
}

/// Writes like an app that is notified before it is suspended.
func writeUntilTold(_ folder: String) {
    let host = PlatformHost(stateFolder: URL(filePath: folder))
    let storage = StoragePlatformAPI(folder: host.stateFolder, host: host.storage)
    Thread.detachNewThread {
        var isWriting = false
        while true {
            do {
                try storage.transaction { transaction in
                    for slot in 0..<50 {
                        try transaction.set((try transaction.value(for: counter) ?? 0) + 1, for: counter)
                        try transaction.set(slot, for: StorageKey<Int>("writer", "slot\(slot)"))
                    }
                }
                if !isWriting { say("writing") }
                isWriting = true
            } catch StorageError.suspended {
                if isWriting { say("suspended") }
                isWriting = false
                usleep(1_000)
            } catch {
                say("error \(error)")
                exit(1)
            }
        }
    }
    while let line = readLine() {
        if line == "suspend" { host.applicationWillSuspend() } else { host.applicationDidResume() }
    }
    exit(0)
}

#if os(Linux)
    func serve() {
        while let line = readLine() {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            let child = fork()
            if child == 0 {
                do {
                    try words[0] == "storage" ? writeForEver(words[1]) : rememberForEver(words[1])
                } catch {
                    say("error \(error)")
                }
                exit(1)
            }
            say("pid \(child)")
            var status: CInt = 0
            while waitpid(child, &status, 0) < 0, errno == EINTR {}
            say("ended \(status)")
        }
    }
#endif

let arguments = CommandLine.arguments.dropFirst()
switch (arguments.first, arguments.count) {
case ("count", 3):
    do {
        try count(arguments[2], Int(arguments[3]) ?? 0)
    } catch {
        say("error \(error)")
        exit(1)
    }
case ("suspended", 2): writeUntilTold(arguments[2])
#if os(Linux)
    case ("serve", 1): serve()
#endif
default:
    say("error: usage: storage-writer count FOLDER TIMES | suspended FOLDER | serve")
    exit(64)
}
