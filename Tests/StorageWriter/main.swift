// A process that writes to a storage until it is done or killed; the storage's tests start it.
//
//     storage-writer count FOLDER TIMES    adds 1 to a counter TIMES times, each in a transaction
//     storage-writer suspended FOLDER      writes forever, and reads commands: `suspend` and `resume`, like iOS notifies
//                                          an app; prints `writing`, and `suspended` once it stops writing
//     storage-writer keep MARKET VALUE     stores VALUE with every service, in a container of the market with the default host
//     storage-writer kept MARKET           prints what `keep` has stored, one line for each kind of value
//     storage-writer serve                 reads commands, one per line: `storage FOLDER`, `startup FOLDER`
//
// A command of `serve` forks a child that writes forever: a fork costs a fraction of a launch, and this process has one
// thread, so the child is sound. It prints `pid N`, then `ack N` for each write that the child knows to be durable, and
// `ended STATUS` when the child has ended.

import Foundation
import GlassContainer
import GlassPlatform
import GlassSchema

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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

/// A container as an app sets it up, without a host.
func appContainer(_ market: String) -> Container {
    var config = PlatformConfig()
    config.appInfo.bundleIdentifier = "com.example.\(market)"
    var preference = PreferencesConfiguration.Preference()
    preference.type = .string
    config.preferences.keys = ["store": preference]
    let container = Container()
    container.setupPlatformDependencies(with: config)
    return container
}

let page = URL(string: "https://shop.example.org/")!  // a constant
let note = StorageKey<String>("writer", "note")

/// Stores a value with every service that stores something.
func keep(_ market: String, _ value: String) throws {
    let container = appContainer(market)
    try container.get((any StorageAPI).self).set(value, for: note)
    try container.get((any PreferencesStorage).self).set(.string(value), for: "store")
    try container.get((any QuimbyAuthProviding).self).setIdentity(
        QuimbyIdentity(accessToken: "token-\(value)", customerID: value))
    try container.get((any QuimbyCartProviding).self).setCartID("cart-\(value)")
    try container.get((any StartupPreferenceAPI).self).setMarket(market)
    try container.get((any Analytics).self).track(AnalyticsEvent("kept-\(value)"))
    let cookies: any CookieStorageAPI = container.get()
    cookies.setCookie("session", value: value, for: page)
    let cookie = HTTPCookie(properties: [
        .name: "lasting", .value: value, .domain: "shop.example.org", .path: "/",
        .expires: Date(timeIntervalSinceNow: 3600),
    ])
    if let cookie { cookies.storage.setCookie(cookie) }
    say("install \(try InstallID(in: container.get()).value())")
}

/// Prints each stored value, or the error.
func printKept(_ market: String) {
    let container = appContainer(market)
    func line(_ name: String, _ read: () throws -> String?) {
        do { say("\(name) \(try read() ?? "none")") } catch { say("\(name) error: \(error)") }
    }
    let finding = container.validate().findings.map(\.message).joined(separator: "; ")
    say("finding \(finding.isEmpty ? "none" : finding)")
    line("storage") { try container.get((any StorageAPI).self).value(for: note) }
    line("preference") { try container.get((any PreferencesStorage).self).value(String.self, for: "store") }
    line("token") { try container.get((any QuimbyAuthProviding).self).identity().accessToken }
    line("cart") { try container.get((any QuimbyCartProviding).self).cartID() }
    line("market") {
        let startup: any StartupPreferenceAPI = container.get()
        return startup.market
    }
    line("events") { "\(try container.get((any Analytics).self).counts().kept)" }
    let cookies: any CookieStorageAPI = container.get()
    line("cookies") { cookies.cookies(for: page).map { "\($0.name)=\($0.value)" }.sorted().joined(separator: ",") }
    line("cookieError") { (cookies as? CookieStoragePlatformAPI)?.storageError.map { "\($0)" } }
    line("install") { try InstallID(in: container.get()).value() }
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
case ("keep", 3):
    do {
        try keep(arguments[2], arguments[3])
    } catch {
        say("error \(error)")
        exit(1)
    }
case ("kept", 2): printKept(arguments[2])
case ("suspended", 2): writeUntilTold(arguments[2])
#if os(Linux)
    case ("serve", 1): serve()
#endif
default:
    say("error: usage: storage-writer count FOLDER TIMES | suspended FOLDER | keep MARKET VALUE | kept MARKET | serve")
    exit(64)
}
