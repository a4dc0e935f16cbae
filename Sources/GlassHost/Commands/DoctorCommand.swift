import GlassAuthoring
import GlassBase
import ArgumentParser
import Foundation
import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema
import LuaBridge

struct DoctorCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Checks this machine: Lua and its limits, folders, permissions, and the terminal.",
        usage: "glass-host doctor [<options>]",
        discussion: """
            Reports the result of each check and how to fix any problems. Exits with 1 if something prevents the host \
            from working; advice alone does not affect the exit status. Markets are only counted; `check` loads them \
            and reports their problems.

            EXAMPLES
              glass-host doctor
              glass-host doctor --state ~/.glass --format json
            """
    )

    @OptionGroup(title: "Global options") var options: GlobalOptions

    func run(in session: Session) throws {
        let checks = Self.checks(session)
        if session.console.isJSON {
            try session.console.result(json: ["checks": checks.map(\.json)])
        } else {
            for check in checks where !session.console.isQuiet || check.status != .ok {
                let mark: DisplayText =
                    switch check.status {
                    case .ok: "\("ok     ", .green)"
                    case .advice: "\("advice ", .yellow)"
                    case .problem: "\("PROBLEM", .red)"
                    }
                session.console.result("\(mark) \(check.name): \(check.detail)", wrappedBy: 10)
                if let advice = check.advice { session.console.result("        \(advice)", wrappedBy: 8) }
            }
        }
        if checks.contains(where: { $0.status == .problem }) { throw CommandFailure(status: .no) }
    }

    /// The result of one check.
    struct Check {
        enum Status: String {
            case ok
            case advice
            case problem
        }

        let name: String
        let status: Status
        let detail: String
        let advice: String?

        init(_ name: String, _ status: Status, _ detail: String, advice: String? = nil) {
            self.name = name
            self.status = status
            self.detail = detail
            self.advice = advice
        }

        var json: JSONObject { ["name": name, "status": status.rawValue, "detail": detail, "advice": advice] }
    }

    private static func checks(_ session: Session) -> [Check] {
        [lua] + limits + [data, markets(session), state(session.options.state), terminal(session.console), editor]
    }

    private static var lua: Check {
        let release = LuaRelease.current
        let open = release.knownBugs.filter { $0.guardedBy == nil }.map(\.summary)
        guard !open.isEmpty else { return Check("Lua", .ok, "\(release)") }
        return Check(
            "Lua", .advice, "\(release)",
            advice:
                "not guarded: \(open.joined(separator: "; ")). Lua 5.4.8 fixes them: install it, or a release of this program that contains it."
        )
    }

    private static var data: Check {
        Check(
            "data", .ok,
            "currency and country codes: \(ReferenceData.codes); locales: \(ReferenceData.locales); currencies, languages, and regions of countries: "
                + "\(Country.tableSource); time zones: \(ReferenceData.timeZones)")
    }

    private static var narrowLimits: LuaLimits {
        var limits = LuaLimits.config
        limits.cpuTime = .milliseconds(50)
        limits.memory = 8 << 20
        return limits
    }

    /// Exceeds each limit once, to check that it is enforced.
    private static var limits: [Check] {
        func broken(_ name: String, by source: String, _ expected: String, _ isExpected: (LuaError) -> Bool) -> Check {
            do {
                let limits = Self.narrowLimits
                let state = try LuaState(profile: .config, limits: limits)
                try state.perform { lua in
                    try lua.evaluate(limits: limits) {
                        _ = try lua.call(try lua.load(LuaSource(source, chunkName: "self-test")))
                    }
                }
                return Check(
                    name, .problem, "the limit was not enforced", advice: "do not run untrusted market files here"
                )
            } catch let error as LuaError where isExpected(error) {
                return Check(name, .ok, "enforced: \(expected)")
            } catch {
                return Check(name, .problem, "\(error)", advice: "do not run untrusted market files here")
            }
        }
        return [
            broken("time limit", by: "while true do pcall(function() while true do end end) end", "50 ms of CPU time") {
                if case .timeLimit = $0 { true } else { false }
            },
            broken(
                "memory limit",
                by: "local t = {} while true do pcall(function() t[#t + 1] = ('x'):rep(1e6) .. #t end) end",
                "8 MB of memory"
            ) {
                if case .memoryLimit = $0 { true } else { false }
            },
            broken("sandbox", by: "return io", "the allow-list") {
                if case .denied = $0 { true } else { false }
            },
        ]
    }

    private static func markets(_ session: Session) -> Check {
        do {
            let markets = try session.markets()
            let count = try markets.marketIDs().count
            guard count > 0 else {
                return Check(
                    "markets", .problem, "there is no market in \(markets.path)",
                    advice: "use another folder with --markets DIR, or create a market with \(ProgramName.current) new")
            }
            return Check(
                "markets", .ok,
                "\(count.counted("market")) in \(markets.path); \(ProgramName.current) check reports their problems")
        } catch {
            let text = (error as? CommandFailure)?.message?.plain ?? "\(error)"
            return Check("markets", .problem, text, advice: "name another folder with --markets DIR")
        }
    }

    private static func state(_ path: String?) -> Check {
        guard let path else {
            return Check("state", .ok, "no state is kept: --state DIR was not given")
        }
        let folder = URL(fileURLWithPath: path)
        let probe = folder.appending(path: ".doctor-\(UUID().uuidString)")
        do {
            try PrivateFolder.makeMarked(folder)
            try Data("probe".utf8).write(to: probe)
            try FileManager.default.removeItem(at: probe)
            return Check("state", .ok, "\(path) is writable")
        } catch let error as PrivateFolderError {
            return Check("state", .problem, "\(path) cannot be used: \(error)")
        } catch {
            let reason = (error as? POSIXFailure)?.reason ?? error.systemReason
            return Check(
                "state", .problem, "\(path) cannot be written: \(reason)",
                advice: "make the folder writable for this user, or name another with --state DIR")
        }
    }

    private static func terminal(_ console: Console) -> Check {
        let environment = CommandContext.current.environment
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let size = console.width.map { "\($0) columns" } ?? "no terminal"
        let isUTF8 = locale.lowercased().contains("utf-8") || locale.lowercased().contains("utf8")
        guard isUTF8 || console.width == nil else {
            return Check(
                "terminal", .advice, "\(size), the locale \(locale.isEmpty ? "is not set" : locale)",
                advice: "set LANG to a UTF-8 locale such as C.UTF-8, so that place names are displayed correctly")
        }
        return Check("terminal", .ok, size)
    }

    private static var editor: Check {
        let path = CommandContext.current.environment["PATH"] ?? ""
        let isThere = path.split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/lua-language-server")
        }
        guard isThere else {
            return Check(
                "editor", .advice, "lua-language-server is not in PATH",
                advice:
                    "install it to complete and check market files as you type; \(ProgramName.current) schema stubs "
                    + "prints the definitions"
            )
        }
        return Check("editor", .ok, "lua-language-server is installed")
    }
}
