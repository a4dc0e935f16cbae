import ArgumentParser
import Foundation
import GlassBase
import GlassAuthoring
import GlassSchema
import GlassSites

struct VerifyCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract:
            "Compares a site's association files with a market's routes, and lists links that would not open the app.",
        usage: "glass-host verify [<options>] <url|dir>",
        discussion: """
            Reads /.well-known/apple-app-site-association and /.well-known/assetlinks.json the way iOS and Android do: \
            over HTTPS, without following redirects, and separately for each host. A URL selects its host, and also \
            the same host with or without the prefix www, if the market lists both. The files for a wildcard such as \
            *.walmart.ca are those of walmart.ca, where both systems read them. A server on this machine, which \
            can use HTTP, stands in for every host of the market: the Host header names each host in turn. A folder \
            contains the files as HOST/.well-known/FILE, or as .well-known/FILE for all hosts; to check a folder of \
            published markets, use `publish --check` instead. If /.well-known has no apple-app-site-association, the \
            one at the root of the site is used, with a warning, because devices look there next.

            Then tests links generated from each route against the files. A link that a route accepts but a file does \
            not claim is an error, because the link would stay in the browser. Anything that prevents devices from \
            using a file is also an error: a redirect, a page instead of JSON, a size of more than 128 KB, a different \
            team, or a missing certificate. Files for platforms on which the market has no app are skipped. Links are \
            matched the way Apple devices were observed to match them; if that behavior is not known, the result is a \
            warning.

            --as prints the findings in a format for other tools, as for `check`.

            EXAMPLES
              glass-host verify https://www.walmart.ca -m ca
              glass-host verify http://127.0.0.1:8080 --all
              glass-host verify site --format json
            """
    )

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Flag(help: "Compare with every market in the folder.")
    var all = false

    @Option(help: ArgumentHelp("Check only this host. (default: all hosts of the site)", valueName: "host"))
    var host: String?

    @Option(
        name: .customLong("as"),
        help: "The format of the findings: text, SARIF, GitHub annotations, or GitLab code quality.")
    var form = ReportFormat.text

    @Argument(
        help: ArgumentHelp("The site, or a folder that contains its files.", valueName: "url|dir"),
        completion: .directory)
    var site: String

    func validateArguments() throws { try form.requireText(with: options) }

    func run(in session: Session) throws {
        let markets = try session.siteInputs(all: all)
        let budget = session.budget()
        let files: SiteFiles
        do {
            files = try SiteFiles(SiteInput(markets: markets), budget: budget)
        } catch {
            if let exceeded = budget.exceeded { throw exceeded }
            throw CommandFailure(status: .no, error.issues.map { "\($0)" as DisplayText }.joined(separator: "\n"))
        }
        var verification = SiteVerification(files, budget: budget)
        var read: [ReadFile] = []
        var isUnreachable = false
        // Process one file at a time: the files of a site with many hosts, each of the maximum size, would not fit in
        // memory.
        try forEachFile(of: files) { file in
            verification.add(file)
            read.append(ReadFile(file))
            isUnreachable = isUnreachable || file.isUnreachable
            return !verification.hasEnded
        }
        let findings = verification.findings
        if session.console.isJSON {
            try session.console.result(
                json: [
                    "markets": markets.map(\.id), "files": read.map(\.json), "findings": findings.map(\.json),
                ])
        } else if form != .text {
            try report(findings, of: read, in: session)
        } else {
            print(read, findings, on: session.console)
        }
        if isUnreachable { throw CommandFailure(status: .impossible) }
        if findings.contains(where: { $0.severity == .error }) { throw CommandFailure(status: .no) }
    }

    /// Reads the files of the site until `body` returns false.
    private func forEachFile(of files: SiteFiles, _ body: (ServedFile) -> Bool) throws {
        if SiteServer.isURL(site) {
            let server = try SiteServer(site)
            return try server.forEachFile(of: hosts(try server.hosts(of: files)), body)
        }
        guard ConfinedDirectory.isFolder(site) else {
            throw CommandFailure(
                status: .impossible, "there is no folder \(site); name one, or a URL such as https://www.example.com")
        }
        let folder = SiteFolder(site)
        for host in try hosts(files.hosts) {
            for kind in ServedFile.Kind.allCases {
                guard body(try folder.file(kind, of: host)) else { return }
            }
        }
    }

    /// The hosts that `--host` selects.
    private func hosts(_ known: [String]) throws -> [String] {
        let chosen = host.map { name in known.filter { $0 == name.lowercased() } } ?? known
        guard !chosen.isEmpty else {
            throw CommandFailure(
                status: .no,
                known.isEmpty
                    ? "the market has no https host; set deepLinking.universalLinks"
                    : "the site has no host \(host ?? ""); its hosts are \(known.joined(separator: ", "))")
        }
        return chosen
    }

    /// Prints findings for another program. Findings about a server are reported at the folder of the markets.
    private func report(
        _ findings: [SiteFinding], of files: [ReadFile], in session: Session
    ) throws {
        let places = Dictionary(files.map { ($0.name, $0.place) }) { first, _ in first }
        let isFolder = !SiteServer.isURL(site)
        let entries = findings.filter { !session.console.isQuiet || $0.severity == .error }.map { finding in
            let name = finding.file.map { ReadFile.name(finding.subject, $0) }
            return ReportEntry(finding, file: isFolder ? name.flatMap { places[$0] } : nil)
        }
        try session.console.report(
            entries, as: form, paths: .ofProcess(fallback: session.markets().path),
            describe: { SiteFinding.Code(rawValue: $0)?.summary })
    }

    private func print(_ files: [ReadFile], _ findings: [SiteFinding], on console: Console) {
        for finding in findings where !console.isQuiet || finding.severity == .error {
            console.result(finding.headline)
            for link in finding.links { console.result("  \(link)") }
            if let hint = finding.hint { console.result("  hint: \(hint)") }
        }
        if console.isQuiet { return }
        if console.isVerbose { for file in files { console.result("read \(file.place)") } }
        let errors = findings.count { $0.severity == .error }
        console.result(
            "\(files.count.counted("file")): \(errors.counted("error")), \((findings.count - errors).counted("warning"))"
        )
    }

}

/// What is kept of a file, without its contents.
private struct ReadFile {
    /// Identifies the file among those of all hosts.
    let name: String
    let place: String
    let json: JSONObject

    init(_ file: ServedFile) {
        var size: Int?
        if case .bytes(let bytes) = file.content { size = bytes.count }
        name = Self.name(file.host, file.kind)
        place = file.place
        json = [
            "host": file.host, "file": file.kind.rawValue, "place": file.place, "contentType": file.contentType,
            "bytes": size,
        ]
    }

    static func name(_ host: String, _ kind: ServedFile.Kind) -> String { "\(host)/\(kind.rawValue)" }
}

extension ServedFile {
    fileprivate var isUnreachable: Bool {
        if case .unreachable = content { true } else { false }
    }
}

extension SiteFinding {
    fileprivate var json: JSONObject {
        [
            "severity": severity.rawValue,
            "code": code.rawValue,
            "host": subject,
            "file": file?.rawValue,
            "key": key,
            "market": route?.market,
            "routable": route?.routable,
            "pattern": route?.pattern,
            "message": message,
            "hint": hint,
            "links": links,
        ]
    }
}
