import ArgumentParser
import Dispatch
import Foundation
import GlassBase
import GlassInspector
import GlassMarketFiles
import GlassMarkets
import GlassPlatform

struct InspectCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract:
            "Serves a local web page that shows where links go, where values come from, and what each save changed.",
        usage: """
            glass-host inspect [<options>]
            glass-host inspect [<options>] --as html --to <dir>
            """,
        discussion: """
            Prints the URL of a page about all markets in the folder, and serves the page until you press Ctrl-C. The \
            page updates on every save. It shows the outcome of a link in each market, recent events and errors, each \
            value with the values that it overrides, the matrix, comparisons of two markets or of the files with a \
            commit, the services, and every key. It does not change any files.

            To choose a situation, such as a debug build or a date, use the bar at the top of the page. Every view \
            shows that situation, and marks what differs from the default situation, which --context sets. The \
            situation applies only to the page that sets it: it is not part of a URL, and other pages and events do \
            not show it.

            The page can be reached only from this machine, and only with the printed URL, which contains a secret \
            token. Links are opened with mock services only, and never leave the machine. Secrets are shown by name.

            /sheet?market=ID on the page's server is a link sheet to print: each link of a market with a QR code for \
            a device, in the command's situation.

            With --as html, writes static pages to a folder instead, for a wiki or as an artifact of a CI job: a card for \
            each market with its health, its flags and links to try, and its link sheet. The pages need no scripts. The \
            same markets in the same situation produce the same files; pass --now if values depend on the date. Personal \
            values of the situation, such as customerID, are omitted. The folder must be empty or contain the pages of \
            an earlier run, which \(PageFolder.list) lists. Exits with 1 if a market is broken, and with 2 if one cannot \
            be read; its card shows the errors. For a wiki, `matrix --values --as markdown` prints the values of all \
            markets, and `diff --as markdown` the differences between two.

            EXAMPLES
              glass-host inspect
              glass-host inspect --open
              glass-host inspect --context platform=macOS
              glass-host inspect --editor 'vscode://file{path}:{line}:{column}'
              glass-host inspect --port 8080 --format json
              glass-host inspect --as html --to pages
            """
    )

    static let servicesByDefault = ServiceSet.mock

    var resultLimit: Int? { nil }

    @OptionGroup(title: "Global options") var options: GlobalOptions

    /// A form of the pages that is written instead of served.
    enum Notation: String, CaseIterable, ExpressibleByArgument {
        case html
    }

    @Option(help: "Write the pages to a folder instead of serving them.")
    var `as`: Notation?

    @Option(
        help: ArgumentHelp("The folder for the pages, which is created if needed.", valueName: "dir"),
        completion: .directory)
    var to: String?

    @Option(
        help: ArgumentHelp("The port on 127.0.0.1; 0 selects a free one. (default: 0)", valueName: "number"))
    var port: UInt16?

    @Flag(help: "Also open the page in the browser.")
    var open = false

    @Option(
        help: ArgumentHelp(
            "The URL that opens a source position in your editor, with {path} and, optionally, {line} and {column}.",
            valueName: "pattern"))
    var editor: String?

    func validateArguments() throws {
        if options.services == .live {
            throw ValidationError("inspect opens links with mocks only; remove --services live")
        }
        try validateFolder()
        guard let editor else { return }
        let scheme = editor.prefix { $0 != ":" }.lowercased()
        let isEditor = !["http", "https", "javascript", "data", "file"].contains(scheme)
        guard isEditor, editor.contains("://"), editor.contains("{path}") else {
            throw ValidationError(
                "--editor takes the URL of an editor, such as vscode://file{path}:{line}:{column}, got \"\(editor)\"")
        }
    }

    /// Rejects options of the served page together with static pages.
    private func validateFolder() throws {
        guard self.as != nil else {
            if to != nil { throw ValidationError("--to names the folder of static pages; add --as html") }
            return
        }
        guard let to else { throw ValidationError("--as html writes static pages; name their folder with --to DIR") }
        guard !to.isEmpty else { throw ValidationError("--to names no folder; name one, such as pages") }
        let served = [("--port", port != nil), ("--open", open), ("--editor", editor != nil)]
        if let option = served.first(where: \.1)?.0 {
            throw ValidationError("\(option) is for the served page; remove it, or --as html")
        }
    }

    func run(in session: Session) throws {
        if let to { return try write(to: to, session) }
        let markets = try MarketInspectorDataSource(session, editor: editor)
        let inspector = Inspector(answers: markets, port: port ?? 0)
        let url: String
        do {
            url = try inspector.start()
        } catch {
            throw CommandFailure(status: .impossible, "\(error)")
        }
        try markets.follow { inspector.publish($0) }
        if session.console.isJSON {
            try session.console.line(json: ["event": "serving", "url": url])
        } else {
            session.console.result("\(url)")
        }
        if open { Self.openBrowser(url, console: session.console) }
        // Wait until a signal ends the process, and keep the server alive until then.
        DispatchSemaphore(value: 0).wait()
        withExtendedLifetime((inspector, markets)) {}
    }

    /// Writes the static pages.
    private func write(to path: String, _ session: Session) throws {
        let result = try StaticPages(session, to: path).write()
        let broken = result.markets.filter { !$0.isValid }.map(\.id)
        if session.console.isJSON {
            try session.console.result(
                json: [
                    "folder": path, "files": result.files, "removed": result.removed,
                    "markets": result.markets.map { market in
                        ["id": market.id, "isValid": market.isValid, "findings": market.findings] as JSONObject
                    },
                ])
        } else {
            session.console.result("wrote \(result.files.count.grouped) files to \(path); open \(path)/index.html")
            for name in result.removed { session.console.result("removed \(path)/\(name)") }
        }
        guard broken.isEmpty else {
            throw CommandFailure(
                status: result.isIncomplete ? .impossible : .no,
                "\(broken.count == 1 ? "this market is" : "these markets are") broken: \(broken.listed); "
                    + "index.html shows the errors")
        }
    }

    /// Opens the page in the browser. Other users can see the arguments of a process, and the URL contains the token,
    /// so the browser opens a file that only this user can read and that redirects to the page.
    private static func openBrowser(_ url: String, console: Console) {
        do {
            let file = try CommandContext.current.temporaryState.make().appending(path: "inspect.html")
            let text = "<!doctype html><title>Glass host</title><meta http-equiv=\"refresh\" content=\"0;url=\(url)\">"
            try OutputFile.write(DisplayText(text), to: file.path)
            #if os(Linux) || os(macOS)
                try BlockingCall.result { try await DesktopOpener.system.open(file.absoluteString) }
            #endif
        } catch {
            // The page is still served, and its URL was printed.
            console.error("cannot open the browser: \(error)")
        }
    }
}
