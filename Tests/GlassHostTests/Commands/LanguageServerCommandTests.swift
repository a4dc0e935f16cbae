import CommandTesting
import Foundation
import Testing

/// `glass-host lsp` as a process: its output streams, and how it ends.
@Suite(.timeLimit(.minutes(2)))
struct LanguageServerCommandTests {
    private static func framed(_ body: String) -> String { "Content-Length: \(body.utf8.count)\r\n\r\n\(body)" }

    private static let initialize = framed(
        #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#)
    private static let end =
        framed(#"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#) + framed(#"{"jsonrpc":"2.0","method":"exit"}"#)

    @Test func standardOutputOnlyHasProtocolMessages() throws {
        let run = try HostProcess(["lsp"], input: Self.initialize + Self.end)
        #expect(run.status == 0)
        #expect(run.errors.isEmpty)
        let parts = run.output.components(separatedBy: "Content-Length: ").dropFirst()
        #expect(parts.count == 2)
        for part in parts {
            let pieces = part.components(separatedBy: "\r\n\r\n")
            #expect(pieces.count == 2)
            #expect(Int(pieces[0]) == pieces[1].utf8.count)
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(pieces[1].utf8)) }
        }
    }

    @Test(arguments: [
        ("", 1, ""), (initialize, 1, ""), (framed(#"{"jsonrpc":"2.0","method":"exit"}"#), 1, ""),
        (
            initialize + "Content-Length: 5 GB\r\n\r\n", 1,
            "the language server stops: the Content-Length \"5 GB\" is not a number\n"
        ),
        ("GET / HTTP/1.1\r\n\r\n", 1, "the language server stops: \"GET / HTTP/1.1\" is not a header line\n"),
    ])
    func exitStatusReflectsHowSessionEnded(input: String, status: Int, errors: String) throws {
        let run = try HostProcess(["lsp"], input: input)
        #expect(run.status == Int32(status))
        #expect(run.errors == errors)
    }

    @Test func jsonFormatIsRejected() throws {
        let run = try HostProcess(["lsp", "--format", "json"])
        #expect(run.status == 64)
        #expect(run.errors.contains("lsp has no JSON output; its protocol is JSON"))
    }
}
