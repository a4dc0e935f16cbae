import Dispatch
import Foundation
import GlassDelivery

/// A command of the user's that signs: for hardware and key services, which give no key away.
///
/// It runs in the user's shell, gets the canonical bytes on standard input and answers the signature as hexadecimal digits.
/// `GLASS_ROLE` names the role and `GLASS_KEY_IDS` the ids of its keys. A command that has no key for the role prints
/// nothing.
package struct SignerCommand: Sendable {
    /// What the shell runs.
    package let text: String

    /// Names a command; nothing runs yet.
    package init(_ text: String) {
        self.text = text
    }

    /// Asks for a signature.
    package func signature(for bytes: [UInt8], role: String, keyIDs: [String]) throws(PublishingError) -> [UInt8]? {
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
            process.standardInput = try Self.file(with: bytes)
            ended = try process.start()
        } catch {
            throw .impossible("cannot run the signer `\(text)`: \(error.localizedDescription)")
        }
        let answer = output.fileHandleForReading.readDataToEndOfFile()
        ended.wait()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw .impossible(
                "the signer `\(text)` ended with status \(process.terminationStatus) when asked to sign \(role)")
        }
        let digits = String(decoding: answer, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        if digits.isEmpty { return nil }
        guard let signature = [UInt8](hexadecimal: digits) else {
            throw .impossible(
                "the signer `\(text)` answered no hexadecimal digits for \(role); it must print the signature alone")
        }
        return signature
    }

    /// A file to read bytes from that has no name any more. A pipe would need a second thread: a command that answers
    /// before it has read all would wait for us, and we for it.
    private static func file(with bytes: [UInt8]) throws -> FileHandle {
        let file = FileManager.default.temporaryDirectory.appending(path: "glass-signing-\(UUID().uuidString)")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }  // the system's to clean up, if it cannot be removed
        return try FileHandle(forReadingFrom: file)
    }
}
