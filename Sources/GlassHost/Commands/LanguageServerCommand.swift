import ArgumentParser
import Foundation
import GlassBase
import GlassLanguageServer
import GlassMarketFiles

struct LanguageServerCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "lsp",
        abstract: "Serves an editor: tells what is wrong with a market while it is typed, and more.",
        usage: "glass-host lsp [<options>]",
        discussion: """
            Speaks the Language Server Protocol on standard input and output; an editor starts it. Markets are looked for \
            in the folder `markets` of what the editor opened, else beside the file, unless --markets names a folder. \
            Files that are open are read from the editor, all others from the disk; markets run in the same sandbox as \
            with `check`. The project's policies are programs of their own, and run only where --policies names them.

            Ends with 0 when the editor said so, with 1 when it went away.

            EXAMPLES
              glass-host lsp
              glass-host lsp --markets app/markets
              glass-host lsp --policies policies
            """
    ).asSubcommand

    var resultLimit: Int? { nil }

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Option(
        help: ArgumentHelp(
            "The folder with the project's policies, which markets are judged by while they are typed. (default: none)",
            valueName: "dir"),
        completion: .directory)
    var policies: String?

    func validate() throws {
        guard options.format == .text else { throw ValidationError("lsp has no JSON form; its protocol is JSON") }
    }

    func run(in session: Session) throws {
        let output = try Self.takeStandardOutput()
        let module = try session.loader().module
        let server = LanguageServer(
            folder: options.namedMarkets, policies: policies, loader: { MarketLoader(module, folder: $0) },
            write: { Self.write($0, to: output) })
        let status = server.serve(errors: { Console.message(DisplayText($0)) }, read: Self.read)
        throw ExitCode(status)
    }

    /// Keeps standard output for the protocol: whatever else the process prints goes to standard error.
    private static func takeStandardOutput() throws -> Int32 {
        let output = dup(STDOUT_FILENO)
        guard output >= 0, dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else {
            throw CommandFailure(
                status: .impossible, "cannot use standard output: \(POSIXFailure("use", "standard output").reason)")
        }
        return output
    }

    /// Writes everything, or ends the process: an editor that reads nothing any more is gone.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        var place = 0
        while place < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                Foundation.write(descriptor, bytes.baseAddress.map { $0 + place }, bytes.count - place)
            }
            if count >= 0 {
                place += count
            } else if errno != EINTR {
                CommandContext.ofProcess.temporaryState.remove()
                Foundation.exit(CommandFailure.Status.no.rawValue)
            }
        }
    }

    /// Waits for bytes; none at the end of the input.
    private static func read() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = bytes.withUnsafeMutableBytes { Foundation.read(STDIN_FILENO, $0.baseAddress, $0.count) }
            if count >= 0 { return Array(bytes.prefix(count)) }
            if errno != EINTR { return [] }
        }
    }
}
