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
        abstract: "Serves a page for the browser: where links go, where values come from, what a save changed.",
        usage: "glass-host inspect [<options>]",
        discussion: """
            Prints the address of a page about all markets of the folder, and serves it until Ctrl-C. The page follows \
            each save. It shows what each market makes of a link, what happened and what is wrong, each value with what it \
            beat, the matrix, two markets side by side or the files with a commit, the services, and every key. It changes \
            no file.

            Only this machine can reach it, and only who has the address that is printed: it has a token. Links are \
            opened with mocks of all services, and never outside. Secrets are shown by name.

            EXAMPLES
              glass-host inspect
              glass-host inspect --open
              glass-host inspect --editor 'vscode://file{path}:{line}:{column}'
              glass-host inspect --port 8080 --format json
            """
    ).asSubcommand

    static let servicesByDefault = ServiceSet.mock

    var resultLimit: Int? { nil }

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Option(help: ArgumentHelp("The port on 127.0.0.1. (default: one that is free)", valueName: "number"))
    var port: UInt16 = 0

    @Flag(help: "Open the page in the browser too.")
    var open = false

    @Option(
        help: ArgumentHelp(
            "Make places links that open an editor: a URL with {path}, and if it knows them {line} and {column}.",
            valueName: "pattern"))
    var editor: String?

    func validate() throws {
        if options.services == .live {
            throw ValidationError("inspect opens links with mocks only; leave out --services live")
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
            try session.console.line(json: Output(url: url))
        } else {
            session.console.result("\(url)")
        }
        if open { Self.openBrowser(url, console: session.console) }
        // Until a signal ends the process; the server lives as long.
        DispatchSemaphore(value: 0).wait()
        withExtendedLifetime((inspector, markets)) {}
    }

    /// Opens the page in the browser. Other users see the arguments of processes, and the address has the token, so the
    /// browser is given a file that only this user can read and that leads there.
    private static func openBrowser(_ url: String, console: Console) {
        do {
            let file = try CommandContext.current.temporaryState.make().appending(path: "inspect.html")
            let text = "<!doctype html><title>Glass host</title><meta http-equiv=\"refresh\" content=\"0;url=\(url)\">"
            try OutputFile.write(DisplayText(text), to: file.path)
            #if os(Linux) || os(macOS)
                try BlockingCall.result { try await DesktopOpener.system.open(file) }
            #endif
        } catch {
            // The page is there all the same, and its address is printed.
            console.error("cannot open the browser: \(error)")
        }
    }

    private struct Output: Encodable {
        let event = "serving"
        let url: String
    }
}
