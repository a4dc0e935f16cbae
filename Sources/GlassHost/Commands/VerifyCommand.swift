import ArgumentParser
import Foundation
import GlassBase
import GlassSiteFiles

struct VerifyCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract:
            "Compares the association files of a site with the routes of a market: which links a phone would miss.",
        usage: "glass-host verify [<options>] <url|dir>",
        discussion: """
            Reads /.well-known/apple-app-site-association and /.well-known/assetlinks.json as the systems of phones do: by \
            https, without following redirects, of each host by itself. A URL stands for its host, and for the one with or \
            without www. where the market lists both. A server on this machine, which may speak http, stands for every \
            host of the market: it is asked with their names. DIR has the files as HOST/.well-known/FILE, or \
            .well-known/FILE for all hosts; `publish --check` is for a folder of published markets.

            Then links made from each route are asked of the files. What a route takes and a file does not claim is an \
            error: it stays in the browser. So is what keeps phones from a file: a redirect, a page instead of JSON, more \
            than 128 KB, another team, a certificate that is missing. A file that a market has no app for is not compared.

            EXAMPLES
              glass-host verify https://www.walmart.ca -m ca
              glass-host verify http://127.0.0.1:8080 --all
              glass-host verify site --format json
            """
    ).belowProgram

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Flag(help: "Compare with every market of the folder.")
    var all = false

    @Option(help: ArgumentHelp("Look at this host alone. (default: each that the site has)", valueName: "host"))
    var host: String?

    @Argument(help: ArgumentHelp("The site, or a folder with its files.", valueName: "url|dir"), completion: .directory)
    var site: String

    func run(in session: Session) throws {
        let markets = try session.siteInputs(all: all)
        let allowance = session.allowance()
        let files: SiteFiles
        do {
            files = try SiteFiles(SiteInput(markets: markets), allowance: allowance)
        } catch {
            if let exceeded = allowance.exceeded { throw exceeded }
            throw CommandFailure(status: .no, error.issues.map { "\($0)" as SafeText }.joined(separator: "\n"))
        }
        let served = try read(files)
        let findings = try files.verify(served, allowance: session.allowance())
        let output = Output(markets.map(\.id), served, findings)
        if session.console.isJSON {
            try session.console.result(json: output)
        } else {
            print(output, findings, on: session.console)
        }
        if served.contains(where: \.isUnreachable) { throw CommandFailure(status: .impossible) }
        if findings.contains(where: { $0.severity == .error }) { throw CommandFailure(status: .no) }
    }

    private func read(_ files: SiteFiles) throws -> [ServedFile] {
        if SiteServer.isURL(site) {
            let server = try SiteServer(site)
            return try hosts(try server.hosts(of: files.hosts)).flatMap { host in
                try ServedFile.Kind.allCases.map { try server.file($0, of: host) }
            }
        }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: site, isDirectory: &isFolder), isFolder.boolValue else {
            throw CommandFailure(
                status: .impossible, "there is no folder \(site); name one, or a URL such as https://www.example.com")
        }
        let folder = SiteFolder(site)
        return try hosts(files.hosts).flatMap { host in
            try ServedFile.Kind.allCases.map { try folder.file($0, of: host) }
        }
    }

    /// Those that the option leaves.
    private func hosts(_ known: [String]) throws -> [String] {
        let chosen = host.map { name in known.filter { $0 == name.lowercased() } } ?? known
        guard !chosen.isEmpty else {
            throw CommandFailure(
                status: .no,
                known.isEmpty
                    ? "the market has no https host; set deepLinking.universalLinks"
                    : "no host of the site is \(host ?? ""); there are \(known.joined(separator: ", "))")
        }
        return chosen
    }

    private func print(_ output: Output, _ findings: [ServedFinding], on console: Console) {
        for finding in findings where !console.isQuiet || finding.severity == .error {
            console.result(finding.headline)
            for link in finding.links { console.result("  \(link)") }
            if let hint = finding.hint { console.result("  hint: \(hint)") }
        }
        if console.isQuiet { return }
        if console.isVerbose { for file in output.files { console.result("read \(file.place)") } }
        let errors = findings.count { $0.severity == .error }
        console.result(
            "\(counted(output.files.count, "file")): \(counted(errors, "error")), \(counted(findings.count - errors, "warning"))"
        )
    }

    private func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    private struct Output: Encodable {
        struct File: Encodable {
            let host: String
            let file: String
            let place: String
            @Nullable var contentType: String?
            @Nullable var bytes: Int?
        }

        struct Finding: Encodable {
            let severity: String
            let code: String
            let host: String
            @Nullable var file: String?
            @Nullable var key: String?
            @Nullable var market: String?
            @Nullable var routable: String?
            @Nullable var pattern: String?
            let message: String
            @Nullable var hint: String?
            let links: [String]
        }

        let markets: [String]
        let files: [File]
        let findings: [Finding]

        init(_ markets: [String], _ served: [ServedFile], _ findings: [ServedFinding]) {
            self.markets = markets
            files = served.map {
                File(
                    host: $0.host, file: $0.kind.rawValue, place: $0.place, contentType: $0.contentType, bytes: $0.size)
            }
            self.findings = findings.map { finding in
                Finding(
                    severity: finding.severity.rawValue, code: finding.code.rawValue, host: finding.host,
                    file: finding.file?.rawValue, key: finding.key, market: finding.route?.market,
                    routable: finding.route?.routable, pattern: finding.route?.pattern, message: finding.message,
                    hint: finding.hint, links: finding.links)
            }
        }
    }
}

extension ServedFile {
    /// How many bytes it has; nil without a file.
    fileprivate var size: Int? {
        if case .bytes(let bytes) = content { bytes.count } else { nil }
    }

    fileprivate var isUnreachable: Bool {
        if case .unreachable = content { true } else { false }
    }
}
