import ArgumentParser
import Foundation
import GlassBase
import GlassAuthoring
import GlassMarketFiles

struct LanguageServerCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "lsp",
        abstract: "Runs a language server that provides diagnostics, completion, hover text, and more.",
        usage: "glass-host lsp [<options>]",
        discussion: """
            Uses the Language Server Protocol over standard input and output; your editor starts it. Unless --markets \
            names a folder, looks for markets in the `markets` folder of the workspace, or otherwise in the folder of \
            the file. Open files are read from the editor, and all others from disk. Markets run in the same sandbox \
            as with `check`. Because policies are programs, they run only if you name their folder with --policies.

            Exits with 0 when the editor requests it, and with 1 if the connection closes first.

            EXAMPLES
              glass-host lsp
              glass-host lsp --markets app/markets
              glass-host lsp --policies policies
            """
    )

    var resultLimit: Int? { nil }

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Option(
        help: ArgumentHelp(
            "The folder with the project's policies, which are applied to markets as you type. (default: none)",
            valueName: "dir"),
        completion: .directory)
    var policies: String?

    func validateArguments() throws {
        guard options.format == .text else { throw ValidationError("lsp has no JSON output; its protocol is JSON") }
    }

    func run(in session: Session) throws {
        let output = try Self.takeStandardOutput()
        // Links are tried while one types, so nothing may leave the machine.
        let module = try session.loader(services: .mock).module
        let server = LanguageServer(
            folder: options.namedMarkets, policies: policies, loader: { MarketLoader(module, folder: $0) },
            write: { Self.write($0, to: output) })
        let status = server.serve(errors: { Console.message(DisplayText($0)) }, read: Self.read)
        throw ExitCode(status)
    }

    /// Reserves standard output for the protocol: anything else that the process prints goes to standard error.
    private static func takeStandardOutput() throws -> Int32 {
        let output = dup(STDOUT_FILENO)
        guard output >= 0, dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else {
            throw CommandFailure(
                status: .impossible, "cannot use standard output: \(POSIXFailure("use", "standard output").reason)")
        }
        return output
    }

    /// Writes all bytes, or ends the process if the editor no longer reads.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        guard FileCalls.write(bytes, to: descriptor) else {
            CommandContext.ofProcess.temporaryState.remove()
            Foundation.exit(CommandFailure.Status.no.rawValue)
        }
    }

    /// Waits for bytes. Returns none at the end of the input.
    private static func read() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = bytes.withUnsafeMutableBytes { Foundation.read(STDIN_FILENO, $0.baseAddress, $0.count) }
            if count >= 0 { return Array(bytes.prefix(count)) }
            if errno != EINTR { return [] }
        }
    }
}
