import CommandTesting
import Foundation
import GlassBase
import Testing

/// Whatever names, values, links, labels, file names and errors a command receives, its output neither controls the
/// terminal nor hides anything, and JSON stays valid.
@Suite(.timeLimit(.minutes(5)))
struct HostileOutputTests {
    /// The runs of each command, most of them repeated with `--format json`.
    private static let commands: [String: [[String]]] = {
        let (text, zz) = (HostileFolder.text, ["-m", "zz"])
        let exports = ["aasa", "assetlinks", "intent-filters", "info-plist", "entitlements", "links-md"]
        return [
            "run": [["scripts/hostile.lua", "--", text], ["scripts/loud.lua"], ["scripts/\(text).lua"], [text]],
            "check": [
                ["-v"], [text], ["--markets", text], ["--markets", "broken"], ["--markets", "broken", "bad"],
                ["--state", "/dev/null/\(text)"], ["--\(text)"],
                ["--as", "sarif"], ["--as", "github"], ["--as", "gitlab"], ["--policies", "policies"],
                ["--policies", "policies", "--as", "sarif"], ["--policies", "policies", "--as", "github"],
                ["--policies", "policies", "--as", "gitlab"], ["--policies", text], ["--policies", "refused"],
                ["--markets", "broken", "--as", "sarif"], ["--markets", "broken", "--as", "github"],
                ["--markets", "broken", "--as", "gitlab"], ["--markets", "markets \(text)", "--as", "github"],
                ["us", "--bundle", "site/Info.plist"], ["--bundle", text], ["--bundle", "markets \(text)/us.lua"],
            ],
            "verify": [
                ["site"], ["site", "-v"], zz + ["site"], [text], ["markets \(text)"], ["site", "--host", text],
                ["http://127.0.0.1:1"], ["http://\(text)"], ["https://\(text)/"],
            ],
            "review": [
                [], ["-v"], ["HEAD"], [text], ["HEAD..\(text)"], ["--links", "links.txt"], ["--links", text],
                ["--policies", text], ["--markets", text], ["--as", "markdown"], ["--as", "sarif"], ["--as", "github"],
                ["--as", "gitlab"],
            ],
            "fix": [
                [], ["--check"], ["--diff"], [text], ["--markets", text], ["--markets", "broken", "--diff"],
                ["--markets", "broken", "--check", "bad"], ["--markets", "broken"], ["\(text).json"],
            ],
            "open": [
                zz + ["shop.zz://own/%C3%A9%E2%80%AE?\(text)=1"], zz + ["shop.zz://own/%1B%C2%9B"],
                zz + ["shop.zz://error"], zz + ["shop.zz://own/é\u{202E}"], zz + [text],
                zz + ["--hold", text, "shop.zz://own"],
                zz + ["shop.zz://own", "--translate-to", text], zz + ["--from", "links.txt"],
                zz + ["--from", "links.txt", "--golden", "golden.json"], ["-m", text, "x://y"], ["--from", text],
            ],
            "routes": [zz + ["-v"], ["-m", "bad", "--markets", "broken"]],
            "services": [zz],
            "show": [zz + ["-v"], zz + [text], zz + ["platform.appInfo.\(text)"]],
            "explain": [
                zz + ["platform.appInfo.name"], zz + ["shop.zz://own/\(text)"], zz + ["shop.zz://own/%E2%80%AE"],
                zz + [text],
            ],
            "export": exports.flatMap { [zz + [$0], zz + [$0, "--labels"], zz + [$0, "--host", text]] },
            "diff": [
                ["us", "zz", "-v"], ["us", "zz", "--as", "markdown"], ["--against", "markets \(text)", "-v"],
                ["--against", "markets \(text)", "--as", "markdown"], ["us", text],
            ],
            "matrix": [["us", "zz"], ["us", "zz", "--missing"], ["us", "zz", "--below", text], [text]],
            "watch": [["--markets", "broken"], ["zz"]],
            "graph": ["dot", "mermaid", "json", "svg"].map { zz + ["--as", $0] },
            "compile": [
                ["--to", "compiled"], ["--to", "compiled", "zz"], ["--to", "compiled \(text)", "us"],
                [text, "--to", "compiled"],
                ["--to", "/dev/null/\(text)"], ["--to", "compiled", "--markets", "broken"],
                ["--to", "compiled \(text)", "--prune", "--policies", text],
            ],
            "schema record": [[text], ["1.0", "--to", "releases \(text)"], ["1.0", "--to", "/dev/null/\(text)"]],
            "schema stubs": [zz], "schema json-schema": [zz], "schema markdown": [zz],
            "schema swift": [zz, ["--markets", "broken"]], "flags": [zz, zz + [text], [text], ["-m", text]],
            "test": [
                [], ["scripts/\(text)_test.lua"], ["--filter", text], ["--junit", "report.xml", "-v"],
                ["--junit", "/dev/null/\(text)"], [text], ["policies"], ["--policies", text],
            ],
            "repl": [zz, ["-m", text]],
            "inspect": [
                [], ["--markets", "broken"], ["--markets", text], ["--port", text], ["--editor", text],
                ["--as", "html", "--to", "pages"], ["--as", "html", "--to", "pages \(text)", "--markets", "broken"],
                ["--as", "html", "--to", "scripts"], ["--as", text], ["--to", text],
            ],
            "lsp": [[], ["--markets", text], ["--policies", text]],
            "new": [
                [text], ["za", "--extends", "zz", "--name", text], ["zb", "--name", "\(text)\nerror('no')"],
                ["zc", "--extends", text], ["zd", "--markets", "new \(text)"], ["--plugin"], ["--plugin", text],
            ],
            "import": [
                [text, "links.txt"], ["ze", "golden.json"], ["zf", "missing \(text)"], ["zg", "hostile.json"],
                ["zh", "hostile.json", "--extends", "zz", "--name", text], ["zi", "hostile.json", "--dry-run"],
            ],
            "doctor": [[], ["--markets", "broken"], ["--state", "/dev/null/\(text)"]],
        ]
    }()

    @Test func everyCommandHasARow() throws {
        let run = try HostRun(["--experimental-dump-help"])
        let program = try #require(try run.json()["command"] as? [String: Any])
        func leaves(_ command: [String: Any], _ path: [String]) -> [String] {
            let commands = (command["subcommands"] as? [[String: Any]] ?? []).filter {
                $0["commandName"] as? String != "help"
            }
            if commands.isEmpty { return [path.joined(separator: " ")] }
            return commands.flatMap { leaves($0, path + [$0["commandName"] as? String ?? ""]) }
        }
        #expect(leaves(program, []).sorted() == Self.commands.keys.sorted())
    }

    @Test(arguments: commands.keys.sorted(), ["text", "json"])
    func invisibleCharactersAreNotPrinted(command: String, format: String) throws {
        let folder = try HostileFolder()
        if command == "review" { try folder.commitAndChange() }
        for arguments in Self.commands[command] ?? [] {
            // Options first: arguments after `--` belong to the script.
            let all = command.split(separator: " ").map(String.init) + ["--format", format] + arguments
            let run = try folder.run(command, all)
            #expect((0...2).contains(run.status) || [64, 130].contains(run.status), "\(all)")
            for output in [run.output, run.errors] {
                for secret in HostileFolder.secrets { #expect(!output.contains(secret.value), "\(all): \(secret.key)") }
                let raw = Set(output.unicodeScalars.filter { $0.needsEscape && $0 != "\n" && $0 != "\t" })
                #expect(raw.isEmpty, "\(all): \(raw.map(\.escape).sorted()) in \(output.debugDescription)")
            }
            guard format == "json", !["repl", "watch"].contains(command), !arguments.contains("--from") else {
                continue
            }
            if run.output.isEmpty { continue }
            #expect(throws: Never.self, "\(all)") {
                if ["dot", "mermaid", "svg"].contains(where: arguments.contains) { return }
                _ = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
            }
        }
        for file in folder.writtenFiles() {
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(!HostileFolder.secrets.values.contains { text.contains($0) }, "\(file.lastPathComponent)")
            #expect(
                !text.unicodeScalars.contains { $0.needsEscape && $0 != "\n" && $0 != "\t" },
                "\(file.lastPathComponent)")
        }
    }

    @Test func colorsAreTheOnlyEscapeSequences() throws {
        let folder = try HostileFolder()
        for arguments in [
            ["diff", "us", "zz"], ["show", "-m", "zz", "-v"], ["check", "--markets", "broken"], ["test"],
        ] {
            let run = try HostRun(arguments + ["--color", "always"], folder: folder.url)
            #expect(run.output.contains("\u{1B}["))
            let plain = (run.output + run.errors).replacing(/\x{1B}\[(0|1|2|31|32|33)m/, with: "")
            #expect(!plain.unicodeScalars.contains { $0.needsEscape && $0 != "\n" && $0 != "\t" }, "\(arguments)")
        }
    }

    @Test func jsonHasUnescapedValue() throws {
        let folder = try HostileFolder()
        let show = try HostRun(
            ["show", "platform.appInfo.name", "-m", "zz", "--format", "json"], folder: folder.url)
        #expect(try show.json()["value"] as? String == HostileFolder.text)
        let open = try HostRun(["open", "shop.zz://own/é", "-m", "zz", "--format", "json"], folder: folder.url)
        let navigation = try open.json()["navigation"] as? [String: Any]
        let screen = try #require((navigation?["screens"] as? [[String: Any]])?.last)
        #expect(screen["name"] as? String == HostileFolder.text)
        #expect((screen["parameters"] as? [String: String])?["a"] == HostileFolder.text)
    }

    @Test func nameOfNewMarketIsNotExecuted() throws {
        let folder = try HostileFolder()
        let name = "N\nerror('no')\r--[[\"\u{1B}[31m"
        let made = try HostRun(["new", "za", "--extends", "zz", "--name", name], folder: folder.url)
        #expect(made.status == 0, "\(made.errors)")
        let shown = try HostRun(["show", "name", "-m", "za", "--format", "json"], folder: folder.url)
        #expect(try shown.json()["value"] as? String == name)
        #expect(try HostRun(["test", "scripts/za_test.lua"], folder: folder.url).status == 0)
    }
}

/// A folder with markets, scripts and link files that are full of characters that must not reach a terminal.
final class HostileFolder {
    /// A character of each kind; without a slash or NUL, so that it can be a file name.
    static let text =
        "x\u{1B}[31m\u{7}\u{8}\r\n\t\u{7F}\u{85}\u{9B}31m\u{AD}\u{61C}\u{200B}\u{200F}\u{2028}\u{2029}\u{202E}\u{2066}\u{FEFF}"
        + "\u{E0041}|`<b>&\"'\\"

    /// The market's secrets, which no command may show.
    static let secrets = ["GLASS_ZZ_CONSUMER_KEY": "canary-of-the-key", "GLASS_ZZ_WRITE_KEY": "canary-of-writing"]

    /// Runs a command; in its own process if it streams standard input or runs until a signal.
    func run(_ command: String, _ arguments: [String]) throws -> (status: Int32, output: String, errors: String) {
        guard ["repl", "lsp", "watch", "inspect"].contains(command) else {
            let run = try HostRun(arguments, environment: Self.secrets, folder: url)
            return (run.status, run.output, run.errors)
        }
        let run = try HostProcess(
            arguments, environment: Self.secrets, folder: url, input: command == "repl" ? Self.inputs : nil,
            interruptAfter: ["watch", "inspect"].contains(command) ? "\n" : nil)
        return (run.status, run.output, run.errors)
    }

    /// The input of a REPL user.
    static let inputs =
        "\(lua(text))\nprint(\(lua(text)))\nerror(\(lua(text)))\n:market \(text)\n:\(text)\n{ [\(lua(text))] = 1 }\n"
        + "glass.market(\"zz\").config.platform.networking\nglass.market(\"zz\").config\n"

    private let folder: TestFolder

    var url: URL { folder.url }

    init() throws {
        folder = try TestFolder()
        let text = Self.lua(Self.text)
        let markets = try folder.smallMarkets()
        let files = FileManager.default
        for name in ["scripts", "broken", "site", "markets \(Self.text)", "new \(Self.text)", "policies", "refused"] {
            try files.createDirectory(at: folder.url.appending(path: name), withIntermediateDirectories: true)
        }
        let zz = """
            return { id = "zz", extends = "us", name = \(text), deepLinking = { schemes = { "shop.zz" } },
              platform = {
                appInfo = { name = \(text) },
                aniviaSuperAttributes = { writeKey = secret "GLASS_ZZ_WRITE_KEY", channel = \(text), attributes = { a = \(text) } },
                address = { regions = { { code = "A", name = \(text) } } },
                networking = { consumerKey = secret "GLASS_ZZ_CONSUMER_KEY" },
              },
              routables = {
                own = { paths = { "own/é", "own/é\\u{202e}", "own/é\\u{202e}/:a" },
                  handle = function(link, state) state:select(\(text)) state:show(\(text), { a = \(text) }) return true end },
                failing = { paths = { "error" }, handle = function() error(\(text) .. "\\nerror: another line") end },
              },
            }
            """
        try Data(zz.utf8).write(to: markets.appending(path: "zz.lua"))
        for name in try files.contentsOfDirectory(atPath: markets.path) {
            try files.copyItem(
                at: markets.appending(path: name), to: folder.url.appending(path: "markets \(Self.text)/\(name)"))
        }
        let bad = """
            return { id = \(text), extends = \(text), name = 1, [\(text)] = 1, currency = \(text),
              deepLinking = { schemes = { \(text) } },
              routables = { own = { paths = { \(text), "a/:b(\\27)" }, [\(text)] = 1 }, [\(text)] = true } }
            """
        for (name, content) in [("bad", bad), (Self.text, bad), ("raising", "error(\(text))"), ("open", "return {")] {
            _ = try folder.write(content, to: "broken/\(name).lua")
        }
        _ = try folder.write("print(\(text), arg[1]) error(\(text), 0)", to: "scripts/hostile.lua")
        _ = try folder.write(
            "io = nil glass.test(\(text), function() glass.expect(\(text)):toBe(\"\") end) local \(Self.text)",
            to: "scripts/loud.lua")
        try Self.writePolicies(in: folder)
        for name in ["hostile", Self.text] {
            _ = try folder.write(
                """
                glass.test(\(text), function() end)
                glass.test(\(text), { \(text), [\(text)] = 1 }, function(case) glass.expect(case):toEqual({ \(text) }) end)
                glass.test("other", function() error(\(text)) end)
                error({ \(text) })
                """, to: "scripts/\(name)_test.lua")
        }
        try Self.writeSite(in: folder.url.appending(path: "site"))
        _ = try folder.write("shop.zz://own/é\n\(Self.text)\nshop.zz://error\nshop.zz://own?\u{1B}\n", to: "links.txt")
        _ = try folder.write(
            "{\"link\":\"shop.zz://\u{9B}\u{202E}\",\"outcome\":\"\u{9B}\",\t\"reason\":\"\u{2028}\",\"schema\":1}\r\n"
                + "{\"link\":\"\u{9B}\" \u{1B}[31m\n", to: "golden.json")
        let imported = [
            "networking": ["headers": [Self.text: Self.text]], "appInfo": ["name": Self.text],
            Self.text: ["a": Self.text],
        ]
        let tree = try JSONSerialization.data(withJSONObject: imported)
        _ = try folder.write(String(decoding: tree, as: UTF8.self), to: "hostile.json")
    }

    /// Policies whose output must not reach a terminal, and others that fail.
    private static func writePolicies(in folder: TestFolder) throws {
        let text = lua(text)
        let name = lua("x|`<b>&\"'\\::error::,:%0A é😀")
        _ = try folder.write(
            """
            print(\(text))
            glass.policy(\(name), { severity = "breaking" }, function(market, deny)
              deny("platform.appInfo.name", \(text)) deny(market, \(text))
            end)
            glass.policy("nowhere", {}, function(_, deny) deny(\(name), \(text)) end)
            glass.policy("raising", {}, function() error(\(text)) end)
            glass.accept { fingerprint = "000000000000", reason = \(text), expires = "2020-01-01" }
            """, to: "policies/a.lua")
        _ = try folder.write(
            "glass.test(\(text), function() glass.expect(glass.fixture { extends = 'zz' }:denials()):toEqual(\(text)) end)",
            to: "policies/a_test.lua")
        _ = try folder.write("glass.policy(\(text), { [\(text)] = \(text) }, function() end)", to: "refused/a.lua")
        _ = try folder.write("glass.severity { [\(text)] = \(text) }", to: "refused/b.lua")
        _ = try folder.write("glass.severity { [\(text)] = 'note' }", to: "refused/\(Self.text).lua")
    }

    /// Association files and an app's property list, as JSON and as a property list.
    private static func writeSite(in folder: URL) throws {
        let association: [String: Any] = [
            "applinks": [
                "substitutionVariables": [text: 1],
                "details": [
                    [
                        "appIDs": ["US7W4LMART.com.walmart.electronics", text],
                        "components": [["/": text, text: 1], ["/": "/account", "?": text]],
                    ]
                ],
            ]
        ]
        let target: [String: Any] = [
            "namespace": "android_app", "package_name": "com.walmart.android", "sha256_cert_fingerprints": [text],
        ]
        let links: [[String: Any]] = [
            ["include": text], [text: text],
            ["relation": ["delegate_permission/common.handle_all_urls"], "target": target],
        ]
        let info: [String: Any] = [
            "CFBundleIdentifier": "com.walmart.electronics", "CFBundleShortVersionString": text,
            "CFBundleURLTypes": [["CFBundleURLSchemes": [text]]], "LSApplicationQueriesSchemes": [text],
        ]
        try JSONSerialization.data(withJSONObject: association)
            .write(to: folder.appending(path: "apple-app-site-association"))
        try JSONSerialization.data(withJSONObject: links).write(to: folder.appending(path: "assetlinks.json"))
        try PropertyListSerialization.data(fromPropertyList: info, format: .binary, options: 0)
            .write(to: folder.appending(path: "Info.plist"))
    }

    /// Creates a repository in the folder, and then changes every value of the hostile market.
    func commitAndChange() throws {
        // If a policy raised an error, nothing else would be reported.
        let policies = url.appending(path: "policies/a.lua")
        let text = try String(contentsOf: policies, encoding: .utf8).replacing(
            /glass.policy\("(raising|nowhere)".*/, with: ""
        )
        let own = "glass.policy(\"own\", { on = \"review\" }, function(c, deny) deny(c, \(Self.lua(Self.text))) end)"
        try Data("\(text)\n\(own)".utf8).write(to: policies)
        for arguments in [["init", "-q"], ["add", "markets", "policies"], ["commit", "-q", "-m", "base"]] {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"] + arguments
            process.currentDirectoryURL = url
            process.environment = HostProcess.environment(["HOME": url.path, "GIT_CONFIG_NOSYSTEM": "1"])
            try process.run()
            process.waitUntilExit()
        }
        let market = url.appending(path: "markets/zz.lua")
        let changed = try String(contentsOf: market, encoding: .utf8).replacing("\"own/é\", ", with: "")
            .replacing("{ \"shop.zz\" }", with: "{ \"shop.yy\" }").replacing(
                "GLASS_ZZ_WRITE_KEY", with: "GLASS_ZZ_OTHER"
            )
            .replacing("state:select", with: "state:show").replacing("name = ", with: "name = \"new\" .. ")
        try Data(changed.utf8).write(to: market)
    }

    /// Files that a command wrote, whose content it controls.
    func writtenFiles() -> [URL] {
        let pages = (try? FileManager.default.contentsOfDirectory(atPath: url.path + "/pages")) ?? []  // of `inspect`
        return
            ([
                "markets/za.lua", "markets/zb.lua", "scripts/za_test.lua", "scripts/zb_test.lua", "report.xml",
                ".glass/glass.lua",
            ] + pages.map { "pages/\($0)" })
            .map { url.appending(path: $0) }.filter { FileManager.default.fileExists(atPath: $0.path) }
    }

    /// A Lua string literal with a numeric escape for each byte.
    static func lua(_ text: String) -> String {
        "\"" + text.utf8.map { "\\" + String("00\($0)".suffix(3)) }.joined() + "\""
    }
}
