import Dispatch
import Foundation
import GlassBase
import GlassDelivery

/// A user's command that signs, for hardware tokens and key services, which do not reveal their keys.
///
/// It runs in the user's shell, reads the canonical bytes from standard input, and prints the signature in hexadecimal
/// digits. `GLASS_ROLE` is the name of the role, and `GLASS_KEY_IDS` lists the ids of its keys. A command without a key
/// for the role prints nothing.
struct SignerCommand: Sendable {
    /// The command line for the shell.
    let text: String

    /// Creates a signer from a command line. Runs nothing yet.
    init(_ text: String) {
        self.text = text
    }

    /// Runs the command to get a signature. Returns `nil` if the command has no key for the role.
    func signature(for bytes: [UInt8], role: String, keyIDs: [String]) throws(PublishingError) -> [UInt8]? {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", text]
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["GLASS_ROLE": role, "GLASS_KEY_IDS": keyIDs.joined(separator: " ")]
        ) { $1 }
        let output = Pipe()
        process.standardOutput = output
        let ended: DispatchSemaphore
        do {
            let input = try Descriptor.unnamed(bytes, in: FileManager.default.temporaryDirectory.path)
            process.standardInput = FileHandle(fileDescriptor: input.release(), closeOnDealloc: true)
            ended = try process.start()
        } catch {
            let reason = (error as? FileFailure)?.reason ?? error.localizedDescription
            throw .impossible("cannot run the signer `\(text)`: \(reason)")
        }
        let answer = output.fileHandleForReading.readDataToEndOfFile()
        ended.wait()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw .impossible(
                "the signer `\(text)` exited with status \(process.terminationStatus) when signing \(role)")
        }
        let digits = String(decoding: answer, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        if digits.isEmpty { return nil }
        guard let signature = [UInt8](hexadecimal: digits) else {
            throw .impossible(
                "the signer `\(text)` did not print a hexadecimal signature for \(role); it must print only that")
        }
        return signature
    }
}
