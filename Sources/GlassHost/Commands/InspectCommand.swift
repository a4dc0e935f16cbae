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
        usage: "glass-host inspect [<options>]",
        discussion: """
            Prints the URL of a page about all markets in the folder, and serves the page until you press Ctrl-C. The \
            page updates on every save. It shows the outcome of a link in each market, recent events and errors, each \
            value with the values that it overrides, the matrix, comparisons of two markets or of the files with a \
            commit, the services, and every key. It does not change any files.

            A bar at the top of the page chooses a situation, such as a debug build or a date. Every view follows it, \
            and marks what differs from the default situation, which --context changes. The situation belongs to the \
            page that sets it: it is not part of a URL, and other pages and events do not show it.

            The page can be reached only from this machine, and only with the printed URL, which contains a secret \
            token. Links are opened with mock services only, and never leave the machine. Secrets are shown by name.

            EXAMPLES
              glass-host inspect
              glass-host inspect --open
              glass-host inspect --context platform=macOS
              glass-host inspect --editor 'vscode://file{path}:{line}:{column}'
              glass-host inspect --port 8080 --format json
            """
    )

    static let servicesByDefault = ServiceSet.mock

    var resultLimit: Int? { nil }

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Option(help: ArgumentHelp("The port on 127.0.0.1; 0 selects a free one.", valueName: "number"))
    var port: UInt16 = 0

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
        guard let editor else { return }
        let scheme = editor.prefix { $0 != ":" }.lowercased()
        let isEditor = !["http", "https", "javascript", "data", "file"].contains(scheme)
        guard isEditor, editor.contains("://"), editor.contains("{path}") else {
            throw ValidationError(
                "--editor takes the URL of an editor, such as vscode://file{path}:{line}:{column}, got \"\(editor)\"")
        }
    }

    func run(in session: Session) throws {
        let markets = try MarketInspectorDataSource(session, editor: editor)
        let inspector = Inspector(answers: markets, port: port)
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

    /// Opens the page in the browser. Other users can see the arguments of a process, and the URL contains the token,
    /// so the browser opens a file that only this user can read and that redirects to the page.
    private static func openBrowser(_ url: String, console: Console) {
        do {
            let file = try CommandContext.current.temporaryState.make().appending(path: "inspect.html")
            let text = "<!doctype html><title>Glass host</title><meta http-equiv=\"refresh\" content=\"0;url=\(url)\">"
            try OutputFile.write(DisplayText(text), to: file.path)
            #if os(Linux) || os(macOS)
                try BlockingCall.result { try await DesktopOpener.system.open(file) }
            #endif
        } catch {
            // The page is still served, and its URL was printed.
            console.error("cannot open the browser: \(error)")
        }
    }
}
