import CommandTesting
import Foundation
import GlassMarkets
import Testing

@testable import GlassHost

/// `open --from`: the syntax of link files, and the output of comparisons.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ReplayTests {
    /// A line of a replay in text format.
    private static func row(_ outcome: String, _ target: String, _ link: String) -> String {
        outcome.padding(toLength: 11, withPad: " ", startingAt: 0)
            + target.padding(toLength: 18, withPad: " ", startingAt: 0) + link + "\n"
    }

    private struct Written: Sendable {
        let bytes: [UInt8]
        let status: Int32
        let start: String

        init(_ bytes: [UInt8], _ status: Int32, _ start: String) {
            self.bytes = bytes
            self.status = status
            self.start = start
        }

        init(_ text: String, _ status: Int32, _ start: String) {
            self.init(Array(text.utf8), status, start)
        }
    }

    private static let nothing = "\nOUTCOME  ROUTABLE  LINKS\n0 links\n"
    private static let cart = row("routed", "cart", "walmart://cart")
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let files: [Written] = [
        Written("", 0, nothing), Written("\n\r\n# only a comment", 0, nothing), Written("walmart://cart", 0, cart),
        Written("walmart://cart\r\nwalmart://cart\r", 0, cart + cart),
        Written(mark + Array("walmart://cart\n".utf8), 0, cart),
        Written(
            Array("walmart://lists/".utf8) + [0xFF], 1, row("refused", "invalidUTF8", "walmart://lists/\u{FFFD}")),
        Written(
            "walmart://a\u{1B}[2J\u{9B}2J", 1,
            row("refused", "controlCharacter", "walmart://a\\u{1b}[2J\\u{9b}2J")),
    ]

    @Test(arguments: files)
    private func linkFileMayHaveAnySyntax(written: Written) throws {
        let folder = try TestFolder()
        let file = folder.url.appending(path: "links.txt")
        try Data(written.bytes).write(to: file)
        let run = try HostRun(["open", "--from", file.path, "-m", "us"])
        #expect(run.status == written.status)
        #expect(run.output.hasPrefix(written.start), "\(run.output)")
        #expect(run.errors.isEmpty)
    }

    @Test func totalsCountOutcomesAndRoutables() throws {
        let folder = try TestFolder()
        let links = try folder.write(
            "walmart://cart\nwalmart://cart\nwalmart://orders\nnonsense\nwalmart://nope\n", to: "links.txt")
        let run = try HostRun(["open", "--from", links, "-q"])
        #expect(run.status == 1)
        #expect(
            run.output.hasSuffix(
                """
                unroutable noRoute           walmart://nope

                OUTCOME     ROUTABLE  LINKS
                routed      cart      2
                routed      orders    1
                refused               1
                unroutable            1
                5 links

                """))
        // Waiting links are not routed yet.
        let waiting = try HostRun(["open", "--from", links, "--hold", "signedIn", "--format", "json"])
        #expect(
            waiting.output.contains(
                """

                {"links":5,"nearMatches":[],"outcomes":{"refused":1,"unroutable":1,"waiting":3},\
                "patterns":{"cart":2,"orders":1},"routables":{},"schema":1,"skipped":0,"uncompared":0,"unusedRoutes":[{
                """))
    }

    @Test func overlongLineIsOneRefusedLink() throws {
        let folder = try TestFolder()
        let links = try folder.write(
            String(repeating: "\u{1}", count: 3_000_000) + "\nwalmart://cart\n", to: "links.txt")
        let recorded = try HostRun(["open", "--from", links, "--format", "json"])
        #expect(
            recorded.output.contains(
                "\"outcomes\":{\"refused\":1,\"routed\":1},\"patterns\":{\"cart\":1},"
                    + "\"routables\":{\"cart\":1},\"schema\":1,"))
        #expect(recorded.output.utf8.count < 1_000_000)
        let golden = try folder.write(recorded.output, to: "golden.jsonl")
        let same = try HostRun(["open", "--from", links, "--golden", golden])
        #expect(same.status == 0 && same.output.hasSuffix("2 links, 0 changed\n"))
    }

    @Test(arguments: ["links.txt", "golden.jsonl"])
    func folderInsteadOfFileIsReported(place: String) throws {
        let folder = try TestFolder()
        let links = try folder.write("walmart://cart\n", to: "some.txt")
        let arguments =
            place == "links.txt"
            ? ["open", "--from", folder.url.path] : ["open", "--from", links, "--golden", folder.url.path]
        let run = try HostRun(arguments)
        #expect(run.status == 2)
        let reason = place == "links.txt" ? "is a directory" : "it is not a regular file"
        #expect(run.errors == "cannot read \(folder.url.path): \(reason)\n")
    }

    @Test func linkFileIsReplayedAndComparedWithRecord() throws {
        let folder = try TestFolder()
        let links = try folder.write(
            "walmart://account\n\n# a comment\nwalmart://ip/4\r\nwalmart://nope\n", to: "links.txt")
        let recorded = try HostRun(["open", "--from", links, "--format", "json"])
        #expect(recorded.status == 1)
        #expect(
            recorded.output.hasPrefix(
                """
                {"link":"walmart://account","outcome":"routed","parameters":{},"pattern":"account","reason":null,"routable":"account","schema":1}
                {"link":"walmart://ip/4","outcome":"routed","parameters":{"itemID":"4"},"pattern":"ip/:itemID(int)","reason":null,"routable":"item","schema":1}
                {"link":"walmart://nope","outcome":"unroutable","parameters":{},"pattern":null,"reason":"noRoute","routable":null,"schema":1}
                {"links":3,"nearMatches":[],"outcomes":{"routed":2,"unroutable":1},"patterns":{"account":1,"ip/:itemID(int)":1},"routables":{"account":1,"item":1},"schema":1,
                """))
        let golden = try folder.write(recorded.output, to: "links.golden")
        let same = try HostRun(["open", "--from", links, "--golden", golden, "--format", "json"])
        #expect(same.status == 0)
        #expect(same.output.hasPrefix("{\"changes\":0,\"links\":3"))
        _ = try folder.write("walmart://account\nwalmart://ip/4\nwalmart://cart\n", to: "links.txt")
        let changed = try HostRun(["open", "--from", links, "--golden", golden])
        #expect(changed.status == 1)
        #expect(
            changed.output.hasPrefix(
                "line 3: walmart://cart\n  was walmart://nope, unroutable: noRoute\n  is  routed cart (cart)\n"))
        #expect(changed.output.hasSuffix("3 links, 1 changed\n"))
        _ = try folder.write("walmart://account\n", to: "links.txt")
        #expect(
            try HostRun(["open", "--from", links, "--golden", golden]).output.hasSuffix("1 link, 2 changed\n"))
    }

    @Test func missingLinkFileExitsWith2() throws {
        #expect(try HostRun(["open", "--from", "/nowhere/links.txt"]).status == 2)
        #expect(try HostRun(["open"]).status == 64)
        #expect(try HostRun(["open", "a://b", "--from", "x"]).status == 64)
        #expect(try HostRun(["open", "a://b", "--golden", "x"]).status == 64)
    }

    // MARK: Dead routes

    /// Opens a file of links in a market with a few routes.
    private func replay(_ links: String, routes: [String], _ arguments: String...) throws -> CommandRun {
        let folder = try TestFolder()
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "markets"), withIntermediateDirectories: true)
        let paths = routes.map { "\"\($0)\"" }.joined(separator: ", ")
        _ = try folder.write(
            """
            return {
              id = "us", name = "U", currency = "USD", locales = { "en-US" },
              deepLinking = { schemes = { "walmart" }, universalLinks = { "www.walmart.com" } },
              routables = { feature = { paths = { \(paths) }, show = { screen = "feature" } } },
            }
            """, to: "markets/us.lua")
        return try CommandRun(
            ["open", "--from", folder.write(links, to: "links.txt")] + arguments, of: RootCommand.self,
            HostSettings(module: MarketModule("shop")), name: "glass-host", environment: [:], folder: folder.url)
    }

    @Test func unusedRoutesAndNearMatchesAreListed() throws {
        let routes = ["ip/:itemID(int)", "cart", "gift-cards/:cardID(int)/details"]
        let links =
            """
            walmart://cart
            walmart://crat
            walmart://gift-card/7/details
            walmart://gift-card/8/details?ref=mail
            https://www.walmart.com/cart/all
            walmart://gift-cards/7
            walmart://nowhere/at/all
            https://example.org/crat

            """
        let run = try replay(links, routes: routes)
        #expect(
            run.output.hasSuffix(
                """
                8 links

                UNUSED ROUTE                     ROUTABLE
                ip/:itemID(int)                  feature
                gift-cards/:cardID(int)/details  feature

                NEARLY MATCHED                   ROUTABLE  LINKS  DIFFERENCE
                gift-cards/:cardID(int)/details  feature   2      "gift-card" → "gift-cards": \
                walmart://gift-card/7/details
                cart                             feature   1      "crat" → "cart": walmart://crat
                cart                             feature   1      one segment too many: \
                https://www.walmart.com/cart/all
                gift-cards/:cardID(int)/details  feature   1      "details" is missing: walmart://gift-cards/7

                """), "\(run.output)")
        let json = try replay(links, routes: routes, "--format", "json")
        let last = try #require(json.output.split(separator: "\n").last)
        let totals = try #require(JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any])
        let unused = try #require(totals["unusedRoutes"] as? [[String: String]])
        #expect(unused.map { $0["pattern"] } == [routes[0], routes[2]])
        let near = try #require(totals["nearMatches"] as? [[String: Any]])
        #expect(near.map { $0["links"] as? Int } == [2, 1, 1, 1])
        #expect(near.map { $0["difference"] as? String } == ["slip", "slip", "additional", "missing"])
        #expect(near[0]["written"] as? String == "gift-card" && near[0]["suggestion"] as? String == "gift-cards")
    }

    /// A log of scanners must not cost more than its first few thousand paths.
    @Test func differentPathsAreComparedUpToALimit() throws {
        let links = (1...5_003).map { "walmart://nowhere/\($0)\n" }.joined() + "walmart://nowhere/1\n"
        let run = try replay(links, routes: ["cart"])
        #expect(
            run.output.hasSuffix(
                """
                3 unmatched links were not compared with the routes: only the first 5,000 different paths are

                """), "\(run.output.suffix(300))")
    }

    // MARK: Logs

    private static let logs: [(text: String, links: [String], skipped: Int)] = [
        // The Common and the Combined Log Format, and what is not HTTP.
        (
            #"""
            1.2.3.4 - - [10/Oct/2026:13:55:36 -0700] "GET /cart HTTP/1.1" 200 2326
            www.walmart.com:443 ::1 - ann [10/Oct/2026:13:55:36 -0700] "GET /ip/42?a=%22 HTTP/2.0" 200 1 "-" "A \"b\""
            1.2.3.4 - - [10/Oct/2026:13:55:36 -0700] "GET /lists/\xC3\xA9 HTTP/1.1" 404 0
            1.2.3.4 - - [10/Oct/2026:13:55:36 -0700] "POST /cart HTTP/1.1" 200 2326
            1.2.3.4 - - [10/Oct/2026:13:55:36 -0700] "\x16\x03\x01" 400 0
            1.2.3.4 - - [10/Oct/2026:13:55:36 -0700] "OPTIONS * HTTP/1.1" 200 0
            """#,
            ["/cart", "/ip/42?a=%22", "/lists/é"], 3
        ),
        // A load balancer of AWS.
        (
            #"""
            https 2026-07-02T22:23:00.186641Z app/web/50dc 192.0.2.1:2817 10.0.0.1:80 0.086 0.048 0.037 200 200 0 57 \#
            "GET https://www.walmart.com:443/cart HTTP/1.1" "curl/7.46.0" ECDHE TLSv1.2 arn:aws "Root=1-58" "-" "-" 0
            """#,
            ["https://www.walmart.com:443/cart"], 0
        ),
        // CloudFront.
        (
            "#Version: 1.0\n#Fields: date time c-ip cs-method cs(Host) cs-uri-stem sc-status cs-uri-query\n"
                + "2026-12-04\t21:02:31\t192.0.2.1\tGET\td1.cloudfront.net\t/cart\t200\t-\n"
                + "2026-12-04\t21:02:31\t192.0.2.1\tGET\td1.cloudfront.net\t/search\t200\tq=tv\n"
                + "2026-12-04\t21:02:31\t192.0.2.1\tPUT\td1.cloudfront.net\t/cart\t200\t-\n",
            ["/cart", "/search?q=tv"], 1
        ),
        // JSON lines.
        (
            #"""
            {"time":1.5,"url":"walmart://cart"}
            {"method":"GET","path":"/cart"}
            {"request_method":"POST","request_uri":"/cart"}
            {"level":"info","request":{"method":"GET","host":"www.walmart.com","uri":"/ip/42"},"status":200}
            {"httpRequest":{"requestMethod":"GET","requestUrl":"https://www.walmart.com/cart"}}
            {"request":"GET /orders HTTP/1.1"}
            {"url":{"original":"/cart"},"http":{"request":{"method":"get"}}}
            {"status":200}
            """#,
            [
                "walmart://cart", "/cart", "/ip/42", "https://www.walmart.com/cart", "/orders", "/cart",
                #"{"status":200}"#,
            ], 1
        ),
        // Comma-separated values.
        (
            "time,\"URL\",note\n1,walmart://cart,\"a \"\"b\"\"\"\n2,\"walmart://ip/1?a,b\",\n3,,\n",
            ["walmart://cart", "walmart://ip/1?a,b"], 1
        ),
        ("time;url\n1;walmart://cart\n", ["walmart://cart"], 0),
        ("url\nwalmart://ip/1?a,b\n\"walmart://cart\"\n", ["walmart://ip/1?a,b", "walmart://cart"], 0),
        // A list stays a list: only its first line can name columns, and what is not a log is a link.
        ("walmart://cart\nurl\n{}\n/cart\na \"b\"\n", ["walmart://cart", "url", "{}", "/cart", "a \"b\""], 0),
    ]

    @Test(arguments: logs.indices)
    func requestsInLogsAreLinks(index: Int) throws {
        let (text, links, skipped) = Self.logs[index]
        let run = try HostRun(["open", "--from", "-", "--format", "json"], input: text + "\n")
        let lines = try run.output.split(separator: "\n").map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        let isList = index == Self.logs.count - 1
        #expect(
            lines.dropLast().map { $0["link"] as? String }
                == links.map { $0.hasPrefix("/") && !isList ? "https://www.walmart.com" + $0 : $0 })
        #expect(lines.last?["skipped"] as? Int == skipped)
        #expect(run.errors.isEmpty)
    }

    // MARK: --golden

    /// Records one list of links and compares another one with it.
    private func compare(_ before: [String], _ now: [String], _ arguments: [String] = []) throws -> HostRun {
        let folder = try TestFolder()
        func text(_ links: [String]) -> String { links.map { "walmart://\($0)\n" }.joined() }
        let recorded = try HostRun(
            ["open", "--from", try folder.write(text(before), to: "before.txt"), "--format", "json"])
        return try HostRun(
            [
                "open", "--from", try folder.write(text(now), to: "now.txt"), "--golden",
                try folder.write(recorded.output, to: "golden.jsonl"),
            ] + arguments)
    }

    private static let many = (1...300).map { "ip/\($0)" }

    private struct Edit: Sendable {
        let before: [String]
        let now: [String]
        var changes: [String] = []
    }

    private static let isNew = "walmart://cart\n  was not recorded\n  is  routed cart (cart)"
    private static let isGone = "walmart://cart\n  was routed cart (cart)\n  is  no longer in the file"
    private static let edits: [Edit] = [
        // No change; repeated links do not confuse it.
        Edit(before: many, now: many), Edit(before: ["cart", "cart"], now: ["cart", "cart"]),
        // An additional link at the start, in the middle and at the end.
        Edit(before: many, now: ["cart"] + many, changes: ["line 1: " + isNew]),
        Edit(
            before: many, now: Array(many[..<100]) + ["cart"] + Array(many[100...]), changes: ["line 101: " + isNew]),
        Edit(before: many, now: many + ["cart"], changes: ["line 301: " + isNew]),
        Edit(before: ["cart"], now: ["cart", "cart"], changes: ["line 2: " + isNew]),
        Edit(before: [], now: ["cart"], changes: ["line 1: " + isNew]),
        // One link fewer.
        Edit(before: ["cart"] + many, now: many, changes: [isGone]),
        Edit(before: many + ["cart"], now: many, changes: [isGone]), Edit(before: ["cart"], now: [], changes: [isGone]),
        // A replaced link, next to a removed one.
        Edit(
            before: ["home", "nope", "orders", "lists"], now: ["home", "cart", "lists"],
            changes: [
                "line 2: walmart://cart\n  was walmart://nope, unroutable: noRoute\n  is  routed cart (cart)",
                "walmart://orders\n  was routed orders (orders)\n  is  no longer in the file",
            ]),
    ]

    @Test(arguments: edits)
    private func reportedChangesAreThoseMade(edit: Edit) throws {
        let (now, changes) = (edit.now, edit.changes)
        let run = try compare(edit.before, now)
        #expect(run.status == (changes.isEmpty ? 0 : 1))
        #expect(run.output.hasPrefix(changes.map { $0 + "\n" }.joined() + "\nOUTCOME"), "\(run.output)")
        #expect(run.output.hasSuffix("\(now.count) link\(now.count == 1 ? "" : "s"), \(changes.count) changed\n"))
    }

    @Test func newLinksBeyondWindowAreCounted() throws {
        let run = try compare([], Self.many)
        #expect(run.output.hasSuffix("300 links, 300 changed\n"))
        let gone = try compare(Self.many, [])
        #expect(gone.output.hasSuffix("0 links, 300 changed\n"))
        let other = try compare(Self.many, (1...300).map { "store/\($0)" })
        #expect(other.output.hasSuffix("300 links, 300 changed\n"))
    }

    @Test func linkWithNewTargetIsTheOnlyChange() throws {
        let folder = try TestFolder()
        let links = try folder.write("walmart://home\nwalmart://cart\nwalmart://home\n", to: "links.txt")
        let recorded = try HostRun(["open", "--from", links, "--format", "json"]).output
        let golden = try folder.write(
            recorded.replacing("\"pattern\":\"cart\"", with: "\"pattern\":\"basket\""), to: "golden.jsonl")
        let run = try HostRun(["open", "--from", links, "--golden", golden])
        #expect(
            run.output.hasPrefix("line 2: walmart://cart\n  was routed cart (basket)\n  is  routed cart (cart)\n\n"))
        // A line that was broken by editing is not repeated as JSON.
        let broken = try folder.write(
            recorded.replacing("\"pattern\":\"cart\"", with: "\"pattern\":cart"), to: "golden.jsonl")
        let json = try HostRun(["open", "--from", links, "--golden", broken, "--format", "json"])
        let lines = json.output.split(separator: "\n").map { Data($0.utf8) }
        #expect(lines.count == 2)
        let change = try #require(JSONSerialization.jsonObject(with: lines[0]) as? [String: Any])
        #expect(change["was"] is NSNull && change["line"] as? Int == 2)
    }

    @Test func invalidRecordFileIsReported() throws {
        let folder = try TestFolder()
        let links = try folder.write("walmart://cart\n", to: "links.txt")
        let run = try HostRun(["open", "--from", links, "--golden", links])
        #expect(run.status == 2)
        #expect(
            run.errors == "\(links):1: not a recorded link; create the file with open --from LINKS --format json\n")
    }

    // MARK: Streams

    @Test func linkIsProcessedBeforeNextOneArrives() throws {
        let process = Process()
        process.executableURL = HostProcess.executable
        process.arguments = ["open", "--from", "-"]
        process.currentDirectoryURL = CommandRun.repository
        process.environment = HostProcess.environment([:])
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        for (link, routable) in [("walmart://cart", "cart"), ("walmart://home", "home")] {
            try input.fileHandleForWriting.write(contentsOf: Data("\(link)\n".utf8))
            let answer = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            #expect(answer == Self.row("routed", routable, link))
        }
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    /// A filter in a pipeline: every line gets a result, whatever it contains, in order, and the totals come last.
    @Test func everyLineGetsResultInOrder() throws {
        let lines = ["walmart://cart", "\u{1}", "walmart://a\u{0}b", "{}", "walmart://ip/1", "\"", "walmart://cart"]
        let run = try HostRun(
            ["open", "--from", "-", "--format", "json"], input: lines.joined(separator: "\n") + "\n")
        let answers = try run.output.split(separator: "\n").map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(answers.dropLast().map { $0["link"] as? String } == lines)
        #expect(answers.dropLast().map { $0["outcome"] as? String ?? "" }.filter { $0 == "routed" }.count == 3)
        #expect(answers.last?["links"] as? Int == lines.count)
    }

    @Test func closedPipeEndsCommandWithoutLeftovers() throws {
        let folder = try TestFolder()
        let links = try folder.write(String(repeating: "walmart://account\n", count: 200_000), to: "links.txt")
        let temporary = folder.url.appending(path: "tmp")
        try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/bash")
        shell.arguments = [
            "-c", "\(HostProcess.executable.path) open --from \(links) | head -1; exit ${PIPESTATUS[0]}",
        ]
        shell.currentDirectoryURL = CommandRun.repository
        shell.environment = HostProcess.environment(["TMPDIR": temporary.path])
        shell.standardOutput = FileHandle.nullDevice
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 141)
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path) == [])
    }

    #if os(Linux)
        /// A reader that stops reading ends the filter without a message: 141 is the shell's status for that.
        @Test func closedPipeEndsFilterQuietly() throws {
            let shell = Process()
            shell.executableURL = URL(fileURLWithPath: "/bin/bash")
            let filter = "\(HostProcess.executable.path) open --from - --format json"
            shell.arguments = [
                "-c", "yes walmart://cart | \(filter) | head -n 1 > /dev/null; exit ${PIPESTATUS[1]}",
            ]
            shell.currentDirectoryURL = CommandRun.repository
            shell.environment = HostProcess.environment([:])
            let errors = Pipe()
            shell.standardError = errors
            try shell.run()
            #expect(errors.fileHandleForReading.readDataToEndOfFile().isEmpty)
            shell.waitUntilExit()
            #expect(shell.terminationStatus == 141)
        }

        @Test(arguments: [
            ("routes -m us > /dev/full", "cannot write to standard output: no space left on device\n"),
            ("routes -m us >&-", "cannot write to standard output: bad file descriptor\n"),
            ("open --from - <&-", "cannot read standard input: bad file descriptor\n"),
        ])
        func unusableStreamIsReported(command: String, message: String) throws {
            let shell = Process()
            shell.executableURL = URL(fileURLWithPath: "/bin/bash")
            shell.arguments = ["-c", "\(HostProcess.executable.path) \(command)"]
            shell.currentDirectoryURL = CommandRun.repository
            shell.environment = HostProcess.environment([:])
            let errors = Pipe()
            shell.standardError = errors
            try shell.run()
            let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            shell.waitUntilExit()
            #expect(shell.terminationStatus == 2)
            #expect(text == message)
        }
    #endif
}
