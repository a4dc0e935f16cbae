import ArgumentParser
import Foundation
import GlassBase

/// The program that publishes and fetches markets. It is an executable of its own, because signatures take minutes to build
/// and make every start slower; the host starts it in its own place when one of its commands is named.
package enum DeliveryExecutable {
    /// Its commands.
    package static let commands = [
        "publish", "rollout", "revoke", "rollback", "timestamp", "sign", "root", "fetch", "status",
    ]

    /// Replaces this process by the program when the arguments name one of its commands.
    ///
    /// Before anything else of the host runs: what a process sets for itself, such as ignored signals and its umask, stays
    /// with the next program.
    static func runIfNamed(by arguments: [String], _ name: String?) {
        let moved = GlobalOptions.movedBehindCommand(Array(arguments.dropFirst()))
        guard let command = moved.first(where: { $0 != "help" }), commands.contains(command) else { return }
        guard let name else {
            end(
                "\(command) is a command of a program of its own, which \(ProgramName.current) does not have: make an "
                    + "executable whose main type conforms to DeliveryProgram, and name it in HostProgram.delivery")
        }
        guard let folder = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent() else {
            end("cannot tell where \(ProgramName.current) is, and \(name) beside it")
        }
        let path = folder.appending(path: name).path
        // The name by which the user called the host, for the texts of help.
        var copies = ([arguments.first ?? name] + arguments.dropFirst()).map { strdup($0) } + [nil]
        execv(path, &copies)
        let reason = errno == ENOENT ? "it is not there" : String(cString: strerror(errno)).lowercased()
        end("cannot start \(path): \(reason); build it with swift build --product \(name)")
    }

    private static func end(_ message: String) -> Never {
        Console.message(SafeText(message))
        exit(CommandFailure.Status.impossible.rawValue)
    }
}
