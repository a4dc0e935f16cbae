import GlassBase
import ArgumentParser
import GlassContainer
import GlassMarkets
import GlassSchema

struct CheckCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks markets: every problem of every file, routes that clash, services that are missing.",
        usage: "glass-host check [<options>] [<market> ...]",
        discussion: """
            Without arguments all markets of the folder. Ends with 1 when a market has an error; a warning, such as a \
            secret that is not set, or a link of the extended market that opens something else \
            here, does not count. With --verbose also what each market cost.

            EXAMPLES
              glass-host check
              glass-host check ca mx --format json
            """)

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Argument(help: ArgumentHelp("The markets to check.", valueName: "market"))
    var ids: [String] = []

    func run(in session: Session) throws {
        let loader = try session.loader()
        var unreadable: [Finding] = []
        let checks: [MarketCheck] = try session.reporting {
            var names = ids
            if names.isEmpty { names = try options.market.map { [$0] } ?? loader.folder.marketIDs() }
            guard !names.isEmpty else {
                throw CommandFailure(
                    status: .impossible,
                    "there is no market in \(loader.folder.path); name another folder with --markets DIR")
            }
            return try session.console.map(names, "checking") { name in
                // One file that cannot be read must not hide what is wrong with the others.
                do {
                    return try loader.check(name)
                } catch let error as MarketFolderError {
                    unreadable.append(Finding(.unreadable, at: nil, "\(error)"))
                    return nil
                }
            }.compactMap(\.self)
        }
        let changed = try changesAgainstBases(checks, loader, session)
        if session.console.isJSON {
            try session.console.result(json: Output(checks, changed + unreadable))
        } else if !checks.isEmpty {
            print(checks, changed, on: session.console)
        }
        guard unreadable.isEmpty else {
            throw CommandFailure(status: .impossible, unreadable.map { SafeText($0.message) }.joined(separator: "\n"))
        }
        if checks.contains(where: { $0.findings.hasErrors }) { throw CommandFailure(status: .no) }
    }

    /// What became of the links of the markets that the checked ones extend.
    private func changesAgainstBases(
        _ checks: [MarketCheck], _ loader: MarketLoader, _ session: Session
    ) throws -> [Finding] {
        try checks.flatMap { check -> [Finding] in
            guard let market = check.market, let id = market.definition.extends else { return [] }
            // A base that cannot be used alone says so when it is checked itself.
            guard let base = checks.first(where: { $0.id == id })?.market ?? (try? loader.load(id)) else { return [] }
            return try market.findings(against: base, allowance: session.allowance())
        }
    }

    private func print(_ checks: [MarketCheck], _ more: [Finding], on console: Console) {
        let findings = (checks.flatMap(\.findings) + more).sortedByPosition()
        for finding in findings where !console.isQuiet || finding.severity == .error {
            console.result(console.text(of: finding))
        }
        if console.isVerbose {
            var table = Table("MARKET", "ROUTES", "SERVICES", "CPU", "INSTRUCTIONS", "MEMORY")
            for check in checks {
                table.add(
                    "\(check.id)", check.market.map { "\($0.routes.count)" } ?? "-",
                    check.market.map { "\($0.container.registrations.count)" } ?? "-",
                    "\(check.cost.milliseconds) ms", "\(check.cost.instructions)", "\(check.cost.peakMemory / 1024) KB")
            }
            console.result(table.text(console))
        }
        if console.isQuiet { return }
        let errors = findings.count { $0.severity == .error }
        let warnings = findings.count - errors
        console.result(
            "\(counted(checks.count, "market")): \(counted(errors, "error")), \(counted(warnings, "warning"))")
    }

    private func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    private struct Output: Encodable {
        struct Market: Encodable {
            let id: String
            let valid: Bool
            let milliseconds: Double
            let instructions: Int
            let peakMemory: Int
        }

        let markets: [Market]
        let findings: [FindingOutput]

        init(_ checks: [MarketCheck], _ more: [Finding]) {
            markets = checks.map {
                Market(
                    id: $0.id, valid: $0.market != nil, milliseconds: $0.cost.milliseconds,
                    instructions: $0.cost.instructions, peakMemory: $0.cost.peakMemory)
            }
            findings = (checks.flatMap(\.findings) + more).sortedByPosition().map(FindingOutput.init)
        }
    }
}
