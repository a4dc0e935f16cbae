import GlassBase
import Foundation
import GlassDeepLinking

/// Starts one child after the other, kills three of four at a random moment and lets the fourth end normally.
final class ChildKeeper: Sendable {
    private let place: SoakEnvironment
    private let ledger: SoakRecord
    private let state = Lock((isStopping: false, isDone: false))

    init(place: SoakEnvironment, ledger: SoakRecord) {
        self.place = place
        self.ledger = ledger
    }

    /// Runs on its own thread until it is stopped.
    func start() {
        Thread.detachNewThread { [self] in
            for life in 0... {
                if state.withLock({ $0.isStopping }) { break }
                do {
                    try live(life)
                } catch {
                    ledger.take(.wrong("child-\(life) cannot be started: \(error)"))
                    break
                }
            }
            state.withLock { $0.isDone = true }
        }
    }

    /// Starts no more children and waits for the last one.
    func stop() async {
        state.withLock { $0.isStopping = true }
        while !state.withLock({ $0.isDone }) { await pause(.milliseconds(20)) }
    }

    private func live(_ life: Int) throws {
        let (process, input, output) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(filePath: CommandLine.arguments[0])
        process.arguments = ["child", "child\(life)", place.markets, place.state.path, place.server.absoluteString]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let endsWell = life % 4 == 3
        var ended = false
        var rest = Data()
        while true {
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { break }
            rest += data
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
                rest = Data(rest[(end + 1)...])
                switch line {
                case "ready": finish(process, input, endsWell)
                case "ended": ended = true
                default:
                    guard let note = SoakUser.Note(line: line) else {
                        ledger.take(.wrong("child\(life) said \(line)"))
                        continue
                    }
                    ledger.take(note)
                }
            }
        }
        process.waitUntilExit()
        if endsWell {
            ledger.count("child ended")
            if !ended || process.terminationStatus != 0 {
                ledger.take(.wrong("child\(life) ended with \(process.terminationStatus)"))
            }
        } else {
            ledger.count("child killed")
            if process.terminationReason != .uncaughtSignal || process.terminationStatus != SIGKILL {
                ledger.take(.wrong("child\(life) ended by itself with \(process.terminationStatus)"))
            }
        }
    }

    /// Ends a child after a random time, on a separate thread.
    private func finish(_ process: Process, _ input: Pipe, _ well: Bool) {
        let identifier = process.processIdentifier
        let wait = UInt32.random(in: 50_000...3_000_000)
        let closing = input.fileHandleForWriting
        Thread.detachNewThread {
            usleep(wait)
            if well {
                try? closing.close()  // a child that has ended already closed the other end
            } else {
                kill(identifier, SIGKILL)
            }
        }
    }
}

/// Waits; a cancelled wait ends immediately.
func pause(_ duration: Duration) async {
    try? await Task.sleep(for: duration)  // ending the wait early does no harm
}
