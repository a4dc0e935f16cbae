import GlassBase
import ArgumentParser
import Foundation
import GlassMarketFiles
import GlassMarkets
import GlassSchema

struct ReplCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "repl",
        abstract: "Evaluates Lua interactively, with the markets loaded.",
        usage: "glass-host repl [<options>]",
        discussion: """
            The global `market` is the selected market, each market is also a global with its id as the name, such as \
            `ca`, and `glass` is the scripting module. An expression prints its values. Unfinished input continues on \
            the next line. A local variable lasts for one input, and a global variable for the whole session.

            Values are printed as Lua that you can paste into a file or a later input; values without a literal form \
            in Lua, such as functions, are printed as nil with a comment.

            On a terminal, you can edit lines, and Tab completes keys, methods, services, and markets. The history is \
            saved in the file that GLASS_HISTORY names or, by default, in ~/Library/Application Support on macOS, and \
            in $XDG_STATE_HOME or ~/.local/state on Linux; an empty GLASS_HISTORY disables it. Ctrl-C discards the \
            input or interrupts running code without ending the session. If the input comes from a pipe, no prompts \
            are printed, Ctrl-C ends the session with status 130, and the exit status is 1 if any input raised an error.

            COMMANDS
              :market ID   selects a market
              :reload      reloads the selected market, or keeps it if there are errors
              :help        lists these commands
              :quit        ends the session, like Ctrl-D

            EXAMPLES
              glass-host repl -m ca
              echo 'market:open("walmart.ca://myaccount").outcome' | glass-host repl -m ca
            """
    )

    static let servicesByDefault = ServiceSet.offline
    var resultLimit: Int? { nil }

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @OptionGroup(title: "Limits") var limits: ScriptLimitOptions

    func validateArguments() throws {
        guard options.format == .text else { throw ValidationError("repl has no JSON output; use run --format json") }
    }

    func run(in session: Session) throws {
        let markets = try session.markets()
        let id = try session.marketID(isNamed: true)
        let talk = try session.reporting {
            try ScriptSession(catalog: markets, market: id, limits: limits.limits) {
                StandardStream.output.write(DisplayText(lines: $0))
            }
        }
        // Don't create a history folder for piped input.
        let historyFile = LineEditor.isInteractive ? ReplHistory.file(on: session.console) : nil
        let editor = LineEditor(historyFile: historyFile) { word, line in
            ReplInput.completions(of: word, behind: line, in: talk)
        }
        if editor.isInteractive {
            // At the prompt, Ctrl-C discards the input. While an input runs, it interrupts Lua code; a Swift function
            // that Lua called continues, and the next Ctrl-C ends the process. In between, such as while a market
            // loads, there is nothing to interrupt.
            SignalHandling.handle { editor.cancel() || talk.interrupt() || !talk.isRunning }
            if !session.console.isQuiet {
                session.console.result("Lua with the markets; :help lists the commands, Ctrl-D ends the session")
            }
        }
        var loop = Loop(talk: talk, session: session, editor: editor)
        try loop.run()
        if loop.failed, !editor.isInteractive { throw CommandFailure(status: .no) }
    }

    /// Reads and evaluates inputs until they end.
    private struct Loop {
        let talk: ScriptSession
        let session: Session
        let editor: LineEditor
        var failed = false

        mutating func run() throws {
            var input = ""
            reading: while true {
                let line: String
                switch editor.line(prompt: input.isEmpty ? "\(talk.marketID)> " : "\(talk.marketID)>> ") {
                case .text(let text): line = text
                case .cancelled:
                    input = ""
                    continue
                case .end: break reading
                }
                if input.isEmpty, line.allSatisfy(\.isWhitespace) { continue }
                if input.isEmpty, line.hasPrefix(":") {
                    editor.remember(line)
                    guard obey(line.dropFirst()) else { return }
                    continue
                }
                input += (input.isEmpty ? "" : "\n") + line
                // An empty line abandons an unfinished input, so that the user is not stuck in it.
                let isGivenUp = line.isEmpty && editor.isInteractive
                if evaluate(input, isLast: isGivenUp) { input = "" }
            }
            if !input.isEmpty { _ = evaluate(input, isLast: true) }
            if editor.isInteractive { session.console.result("") }
        }

        /// Evaluates an input and prints the result. Returns false if the input is incomplete.
        private mutating func evaluate(_ input: String, isLast: Bool) -> Bool {
            let console = session.console
            switch talk.evaluate(input) {
            case .incomplete where !isLast: return false
            case .incomplete: fail("the input is incomplete")
            case .values(let values):
                if !values.isEmpty { console.result(DisplayText(lines: values.joined(separator: ", "))) }
            case .interrupted: fail("interrupted")
            case .failure(let failure): fail(console.text(of: failure))
            }
            editor.remember(input)
            return true
        }

        /// Runs a command, which starts with a colon. Returns false to end the session.
        private mutating func obey(_ line: Substring) -> Bool {
            let words = line.split(separator: " ").map(String.init)
            do {
                switch (words.first ?? "", words.count) {
                case ("quit", 1): return false
                case ("help", 1):
                    session.console.result(
                        ":market ID   selects a market\n:reload      reloads the selected market\n"
                            + ":help        lists these commands\n:quit        ends the session, like Ctrl-D")
                case ("reload", 1): show(try session.reporting { try talk.reload() })
                case ("market", 2): try session.reporting { try talk.select(words[1]) }
                case ("market", _): fail(":market expects the id of a market, such as :market ca")
                default:
                    let near = Suggestion.nearest(to: words.first ?? "", in: ReplInput.commands)
                    fail(
                        "there is no command :\(words.joined(separator: " "))"
                            + (near.map { "; did you mean :\($0)?" as DisplayText } ?? "; see :help"))
                }
            } catch let failure as CommandFailure {
                fail(failure.message ?? "failed")
            } catch {
                fail("\(error)")
            }
            return true
        }

        /// Prints what a reload changed.
        private func show(_ difference: MarketDifference) {
            for line in difference.lines { session.console.result("\(session.console.colored(line))", wrappedBy: 4) }
            guard !session.console.isQuiet else { return }
            session.console.result(difference.isEmpty ? "no relevant changes" : "\(difference.summary)")
        }

        private mutating func fail(_ message: DisplayText) {
            failed = true
            session.console.error("error: \(message)")
        }
    }
}
