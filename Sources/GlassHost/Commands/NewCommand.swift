import GlassBase
import ArgumentParser
import Foundation
import GlassMarketFiles
import GlassMarkets
import GlassSchema

struct NewCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Creates a valid market and a test for it, or a plugin that compiles markets.",
        usage: "glass-host new [<options>] (<id> | --plugin)",
        discussion: """
            Writes MARKETS/ID.lua and, next to the markets folder, scripts/ID_test.lua and the editor files \
            .luarc.json (unless it exists) and .glass/glass.lua. Prints the names of the files that it writes, and \
            never prompts or overwrites an existing market or test.

            If the id begins with the code of a country, such as br or br-wholesale, the file has the country's \
            languages, currency, and regions. Values that cannot be derived, such as the hosts, are examples in \
            `undecided`, and keys that the new market inherits but should set itself are comments. `check` lists both \
            in one warning until you set them.

            --locales, --currency, and --scheme replace what the file would have, and are not examples.

            --plugin writes \(PluginTemplate.path) instead: a build tool plugin that checks and \
            compiles an app's markets when the app is built, with this host. Prints what to add to Package.swift. Run \
            it in the folder of the app's package.

            EXAMPLES
              glass-host new br --extends us --name Brasil
              glass-host new pl --scheme shop.pl
              glass-host new shop --locales fr-CA,en-CA --currency CAD --scheme shop
              glass-host new --plugin
            """
    )

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Argument(help: ArgumentHelp("The market's id, which is also the name of its file.", valueName: "id"))
    var id: String?

    @Option(help: ArgumentHelp("The market that the new one extends.", valueName: "id"), completion: .markets)
    var extends: String?

    @Option(help: "The name. (default: that of the country or region with this code, otherwise the id)")
    var name: String?

    @Option(
        help: ArgumentHelp(
            "The languages, separated by commas; the first is the default. (default: those of the country)",
            valueName: "locales"), transform: { $0.split(separator: ",").map(String.init) })
    var locales: [String]?

    @Option(help: "The currency. (default: that of the country)")
    var currency: String?

    @Option(help: "The scheme of the market's links. (default: an example)")
    var scheme: String?

    @Flag(help: "Write a build tool plugin that compiles markets, instead of a market.")
    var plugin = false

    func validateArguments() throws {
        if plugin {
            guard id == nil, extends == nil, name == nil, locales == nil, currency == nil, scheme == nil else {
                throw ValidationError("--plugin writes no market; leave out the id and the options about markets")
            }
            return
        }
        guard let id else { throw ValidationError("Missing expected argument '<id>'") }
        guard StringFormat.marketID.matches(id) else {
            throw ValidationError("expected \(StringFormat.marketID.expectation), got \(id.quotedForMessage)")
        }
        if locales == [] { throw ValidationError("--locales names no language; write one such as fr-CA") }
        for (option, format, texts) in [
            ("--locales", StringFormat.locale, locales ?? []), ("--currency", .currency, [currency].compactMap(\.self)),
            ("--scheme", .scheme, [scheme].compactMap(\.self)),
        ] {
            if let text = texts.first(where: { !format.matches($0) }) {
                throw ValidationError("\(option): expected \(format.expectation), got \(text.quotedForMessage)")
            }
        }
    }

    func run(in session: Session) throws {
        if let id { try writeMarket(id, session) } else { try writePlugin(session) }
    }

    private func writePlugin(_ session: Session) throws {
        guard FileManager.default.fileExists(atPath: "Package.swift") else {
            throw CommandFailure(
                status: .impossible, "there is no Package.swift in this folder; go to the folder of the app's package")
        }
        let template = PluginTemplate(host: ProgramName.current)
        let target = OutputFile.Target(PluginTemplate.path, below: "")
        guard !OutputFile.exists(target.path) else {
            throw CommandFailure(status: .impossible, "\(target.path) exists; remove the file first")
        }
        try target.write(template.source)
        if session.console.isJSON {
            return try session.console.result(json: ["files": [target.path], "manifest": template.manifest.plain])
        }
        session.console.result("wrote \(target.path)")
        guard !session.console.isQuiet else { return }
        session.console.result("next: add the lines that are missing to Package.swift\n")
        session.console.result(template.manifest)
    }

    private func writeMarket(_ id: String, _ session: Session) throws {
        let loader = try session.loader()
        let choices = MarketTemplate.Choices(locales: locales, currency: currency, scheme: scheme)
        let template = try MarketTemplate(id: id, name: name, extending: extends, choosing: choices, loader, session)
        let files = [
            (target: MarketTemplate.target(of: id, options), text: template.market),
            (target: besideMarkets("scripts/\(id)_test.lua"), text: template.test),
        ]
        // A dangling symbolic link counts as an existing file, too.
        if let taken = files.map(\.target.path).first(where: OutputFile.exists) {
            throw CommandFailure(status: .impossible, "\(taken) exists; choose another id, or remove the file first")
        }
        for target in files.map(\.target) + [stubs] { try target.check() }
        for file in files { try file.target.write(file.text) }
        let written = try files.map(\.target.path) + writeEditorFiles(session)
        let findings = try session.findings(in: [id], "checking")
        if session.console.isJSON {
            try session.console.result(
                json: ["market": id, "files": written, "findings": findings.map(\.json)])
        } else {
            for file in written { session.console.result("wrote \(file)") }
            let secrets = findings.filter { $0.code == .secretUnset && $0.severity == .warning }
            for finding in findings where !secrets.contains(finding) {
                guard !session.console.isQuiet || finding.severity == .error else { continue }
                session.console.error(session.console.text(of: finding))
            }
            if !secrets.isEmpty, !session.console.isQuiet { session.console.error(.unsetSecrets(secrets.count)) }
            if !session.console.isQuiet {
                let name = ProgramName.current
                session.console.result("next: edit \(files[0].target.path), then \(name) check \(id) and \(name) test")
            }
        }
        // A new market may still lack what the project's policies ask for.
        let isOfMarket = { (finding: Finding) in finding.policy == nil && finding.code != .policyFailed }
        if findings.filter(isOfMarket).hasErrors { throw CommandFailure(status: .no) }
    }

    /// Writes the stubs, and the settings that point lua-language-server at them.
    private func writeEditorFiles(_ session: Session) throws -> [String] {
        try stubs.write(DisplayText(lines: SchemaCommand.Stubs.text(in: session)))
        let settings = besideMarkets(".luarc.json")
        guard !OutputFile.exists(settings.path) else { return [stubs.path] }
        try settings.write(
            """
            {
              "runtime.version": "Lua 5.4",
              "workspace.library": [".glass"]
            }

            """)
        return [stubs.path, settings.path]
    }

    private var stubs: OutputFile.Target { besideMarkets(".glass/glass.lua") }

    private func besideMarkets(_ name: String) -> OutputFile.Target {
        OutputFile.Target(name, below: String(options.scripts.dropLast("scripts".count)))
    }
}
