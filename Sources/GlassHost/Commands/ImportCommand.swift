import ArgumentParser
import Foundation
import GlassBase
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets
import GlassSchema

struct ImportCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Creates a market from files in other formats.",
        usage: "glass-host import [<options>] <id> <file> ...",
        discussion: """
            Reads files and writes MARKETS/ID.lua. Prints what happened to each value: mapped to a key by its name, \
            guessed because only one key fits, or lost. Nothing is overwritten, and if a file cannot be read, nothing \
            is written.

            FORMATS
              JSON, property list          keys by name, also without "platform" and in other spellings
              .xcconfig                    the same, and Xcode's own settings
              Info.plist, .entitlements    the app, its schemes, and its hosts
              apple-app-site-association   the app, and a route for each path
              assetlinks.json              the Android app and its certificates

            A value that looks like a credential is left out: the market names a secret in its place. Values that the \
            files do not contain are examples in `undecided`, as in a market that `new` writes.

            EXAMPLES
              glass-host import br config.json
              glass-host import br Info.plist apple-app-site-association --extends us
              glass-host import br config.json --dry-run
            """
    )

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Argument(help: ArgumentHelp("The market's id, which is also the name of its file.", valueName: "id"))
    var id: String

    @Argument(help: ArgumentHelp("The files to read.", valueName: "file"), completion: .file())
    var files: [String]

    @Option(help: ArgumentHelp("The market that the new one extends.", valueName: "id"), completion: .markets)
    var extends: String?

    @Option(help: "The name. (default: that of the country or region with this code, otherwise the id)")
    var name: String?

    @Flag(help: "Print the market instead of writing it.")
    var dryRun = false

    /// The maximum number of rounds in which the check rejects values. Each takes out at least one.
    private static let maximumRounds = 100

    func validateArguments() throws {
        guard StringFormat.marketID.matches(id) else {
            throw ValidationError("expected \(StringFormat.marketID.expectation), got \(id.quotedForMessage)")
        }
    }

    func run(in session: Session) throws {
        let loader = try session.loader()
        let template = try MarketTemplate(id: id, name: name, extending: extends, loader, session)
        let target = MarketTemplate.target(of: id, options)
        if !dryRun {
            guard !OutputFile.exists(target.path) else {
                throw CommandFailure(
                    status: .impossible, "\(target.path) exists; choose another id, or remove the file first")
            }
            try target.check()
        }
        var market = MarketImport(id: id, schema: loader.schema, budget: session.account)
        for path in files { try market.add(try ImportFile(path)) }
        let (text, check) = try settled(&market, template, loader, session)
        guard !check.findings.hasErrors else {
            // The errors are not about imported values, which were taken out before.
            return try session.reporting { throw MarketError.invalid(id, findings: check.findings) }
        }
        if !dryRun { try target.write(text) }
        try print(market.entries, text, check, target, session)
    }

    /// The market with the values that its check accepts.
    private func settled(
        _ market: inout MarketImport, _ template: MarketTemplate, _ loader: MarketLoader, _ session: Session
    ) throws -> (DisplayText, MarketCheck) {
        func check(_ text: DisplayText) throws -> MarketCheck {
            // Each round loads the market again, as a part of the command's budget.
            if session.account.isSpent { throw session.account.exceededByCommand }
            return try session.reporting {
                session.charged(try loader.replacing(["\(id).lua": Array(text.plain.utf8)]).check(id))
            }
        }
        let start = try check(template.market)
        guard let own = start.market?.origin.own, let origin = start.market?.origin else {
            return try session.reporting { throw MarketError.invalid(id, findings: start.findings) }
        }
        if extends != nil { market.inheritedSchemes = start.market?.definition.deepLinking.outboundSchemes }
        let base = MarketText(
            own, examples: origin.decisions.examples.map(\.path), schema: loader.schema.declaration,
            heading:
                "\(template.name), imported from \(files.map { $0.split(separator: "/").last.map(String.init) ?? $0 }.joined(separator: ", ")). Values in undecided are examples."
        )
        for _ in 0..<Self.maximumRounds {
            let text = market.text(over: base).text
            let check = try check(text)
            guard check.findings.hasErrors, market.takeOut(check.findings.filter { $0.severity == .error }) else {
                return (text, check)
            }
        }
        throw CommandFailure(
            status: .impossible, .tooLarge,
            "the market has errors in too many of the imported values: import a part of them")
    }

    private func print(
        _ entries: [ImportEntry], _ text: DisplayText, _ check: MarketCheck, _ target: OutputFile.Target,
        _ session: Session
    ) throws {
        let console = session.console
        if console.isJSON {
            return try console.result(json: [
                "market": id, "file": dryRun ? nil : target.path, "text": text.plain,
                "values": entries.map(\.json), "findings": check.findings.map(\.json),
            ])
        }
        if !console.isQuiet { for entry in entries { console.result(entry.line) } }
        if dryRun { return console.write(forPeople: text) }
        console.result("wrote \(target.path)")
        guard !console.isQuiet else { return }
        let counts = [ImportEntry.Status.mapped, .guessed, .lost].map { status in
            "\(entries.count { $0.status == status }) \(status.rawValue)"
        }
        console.result("\(counts.joined(separator: ", "))")
        console.result("next: edit \(target.path), then \(ProgramName.current) check \(id)")
    }
}
