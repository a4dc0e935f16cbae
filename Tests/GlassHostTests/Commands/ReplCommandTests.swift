import CommandTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(2)))
struct ReplCommandTests {
    @Test func pipeGetsResultsWithoutPrompts() throws {
        let run = try HostProcess(
            ["repl", "-m", "ca"],
            input: "market.config.currency\nx = market:open(\n  'walmart.ca://myaccount')\nx.outcome, x.routable\n")
        #expect(run.output == "\"CAD\"\n\"routed\", \"account\"\n")
        #expect(run.errors == "")
        #expect(run.status == 0)
    }

    @Test func errorShowsItsLineAndSessionContinues() throws {
        let run = try HostProcess(["repl"], input: "local a = 1\nbad(\n1)\n2\n")
        #expect(run.output == "2\n")
        #expect(run.errors.hasPrefix("error: input:1:1: undefined global 'bad'\n    1 | bad(\n      | ^\n"))
        #expect(run.status == 1)
    }

    @Test func marketsAreSelectedAndReloaded() throws {
        let folder = try TestFolder()
        let markets = try folder.markets()
        let run = try HostProcess(
            ["repl", "--markets", markets.path],
            input: ":market ca\nmarket.id\n:market xx\nmarket.id\n:reload\n:relod\n:quit\nmarket.id\n")
        #expect(run.output == "\"ca\"\n\"ca\"\nno relevant changes\n")
        #expect(
            run.errors == "error: there is no market \"xx\" in \(markets.path); did you mean \"mx\"?\n"
                + "error: there is no command :relod; did you mean :reload?\n")
    }

    @Test func unfinishedInputIsReported() throws {
        let run = try HostProcess(["repl"], input: "for i = 1, 2 do")
        #expect(run.errors == "error: the input is incomplete\n")
        #expect(run.status == 1)
    }

    @Test func jsonFormatIsRejected() throws {
        let run = try HostProcess(["repl", "--format", "json"])
        #expect(run.status == 64)
        #expect(run.errors.contains("repl has no JSON output; use run --format json"))
    }
}
