#if os(Linux)
    import CommandTesting
    import Foundation
    import Testing

    /// The progress line of a long job.
    @Suite(.timeLimit(.minutes(2)))
    struct ProgressTests {
        /// Runs for longer than the first second, in which nothing is shown.
        private static let slow = "local t = os.clock() while os.clock() < t + 1.3 do end print(\"done\")"

        /// Runs the program with standard error on a terminal.
        ///
        /// - Returns: The status, standard output, and the terminal's input.
        private func onTerminal(
            _ arguments: [String], environment: [String: String] = [:]
        ) throws -> (status: Int32, output: String, terminal: String) {
            let master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
            var (unlocked, number) = (CInt(0), CInt(0))
            // Swift does not import `unlockpt` and `ptsname`, which use these two requests (TIOCSPTLCK, TIOCGPTN).
            try #require(ioctl(master, 0x4004_5431, &unlocked) == 0 && ioctl(master, 0x8004_5430, &number) == 0)
            let terminal = try #require(FileHandle(forUpdatingAtPath: "/dev/pts/\(number)"))
            var size = winsize(ws_row: 24, ws_col: 40, ws_xpixel: 0, ws_ypixel: 0)
            _ = ioctl(master, UInt(TIOCSWINSZ), &size)
            let process = Process()
            process.executableURL = HostProcess.executable
            process.arguments = arguments
            process.currentDirectoryURL = CommandRun.repository
            process.environment = HostProcess.environment(environment)
            let pipe = Pipe()
            process.standardOutput = pipe
            process.standardError = terminal
            process.standardInput = FileHandle.nullDevice
            try process.run()
            let output = pipe.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            // Makes the read return even if nothing was written; the terminal buffers a few hundred bytes until then.
            try terminal.write(contentsOf: Data("|".utf8))
            var seen = ""
            while !seen.hasSuffix("|") {
                var buffer = [UInt8](repeating: 0, count: 4096)
                let count = read(master, &buffer, buffer.count)
                if count <= 0 { break }
                seen += String(decoding: buffer.prefix(count), as: UTF8.self)
            }
            close(master)
            return (process.terminationStatus, String(decoding: output, as: UTF8.self), String(seen.dropLast()))
        }

        @Test func longJobShowsProgressAndErasesIt() throws {
            let folder = try TestFolder()
            let script = try folder.write(Self.slow, to: "slow.lua")
            let run = try onTerminal(["run", script])
            #expect(run.status == 0)
            #expect(run.output == "done\n")
            // Truncated to the 40 columns of the terminal, because a longer line could not be erased.
            #expect(run.terminal.contains("\r\u{1B}[K" + String("running \(script)".prefix(39))))
            #expect(run.terminal.hasSuffix("\r\u{1B}[K"))
        }

        @Test(arguments: [["run", "slow.lua", "-q"], ["check"]])
        func shortOrQuietJobShowsNoProgress(arguments: [String]) throws {
            let folder = try TestFolder()
            let script = try folder.write(Self.slow, to: "slow.lua")
            let run = try onTerminal(arguments.map { $0 == "slow.lua" ? script : $0 }, environment: ["TERM": "xterm"])
            #expect(run.status == 0)
            #expect(!run.terminal.contains("running"))
        }

        @Test func longReplayShowsPercentage() throws {
            let folder = try TestFolder()
            var count = 20_000
            var seen = ""
            // However fast the machine is, some file takes longer than the first second, in which nothing is shown;
            // however slow it is, some file gets past 0%.
            while seen.firstMatch(of: /\] [1-9]\d*%/) == nil, count < 10_000_000 {
                count *= 2
                let links = try folder.write(String(repeating: "walmart://cart\n", count: count), to: "links.txt")
                let run = try onTerminal(["open", "--from", links])
                #expect(run.status == 0)
                #expect(run.output.contains("\n\(count) links\n"))
                seen = run.terminal
            }
            let shown = seen.components(separatedBy: "\r\u{1B}[K").filter { $0.contains("%") }
            var last = 0
            for line in shown {
                // Truncated to 39 columns: `[#####.........................] 17%, 1…`
                let filled = line.prefix { $0 != "." && $0 != "]" }.count { $0 == "#" }
                let digits = line.drop { $0 != "]" }.dropFirst(2).prefix { $0 != "%" }
                let percent = try #require(Int(digits), "\(line)")
                #expect(
                    line.hasPrefix(
                        "[" + String(repeating: "#", count: filled) + String(repeating: ".", count: 30 - filled) + "] ")
                )
                #expect(filled == percent * 30 / 100 && percent >= last && percent <= 100)
                last = percent
            }
            #expect(last > 0 && seen.hasSuffix("\r\u{1B}[K"))
        }

        @Test func logGetsNoProgress() throws {
            let folder = try TestFolder()
            let script = try folder.write(Self.slow, to: "slow.lua")
            #expect(try HostProcess(["run", script]).errors.isEmpty)
        }
    }
#endif
